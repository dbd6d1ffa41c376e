/** The part `plan_mode` of the status line is called `mode`. */

import type { Migration } from "./migration.ts";

export const leftPlanMode = renamedIn("statusLine.leftSegments");
export const rightPlanMode = renamedIn("statusLine.rightSegments");

export const planModeOptions: Migration = {
  from: "statusLine.segmentOptions.plan_mode",
  migrate: (value) => ({ "statusLine.segmentOptions.mode": value }),
};

/** As a setting of its own it switched that part on, which it is anyway. */
export const planModeSwitch: Migration = { from: "statusLine.plan_mode", migrate: () => ({}) };

function renamedIn(name: string): Migration {
  return {
    from: name,
    migrate(value) {
      if (!Array.isArray(value) || !value.includes("plan_mode")) return undefined;
      return { [name]: value.map((part: unknown) => (part === "plan_mode" ? "mode" : part)) };
    },
  };
}
