/** How messages that come during a run are delivered. */

import { setting, settingArea, Type } from "@omp/std";

export const interactionArea = settingArea("", {
  steeringMode: setting(Type.Enum(["all", "one-at-a-time"]), "one-at-a-time", {
    label: "Steering",
    help: "How many queued steering messages a turn takes",
  }),
  followUpMode: setting(Type.Enum(["all", "one-at-a-time"]), "one-at-a-time", {
    label: "Follow-ups",
    help: "How many queued follow-up messages are sent when a run would end",
  }),
  interruptMode: setting(Type.Enum(["immediate", "wait"]), "immediate", {
    label: "Interrupt",
    help: "Whether a steering message skips the tool calls that are left in its turn",
  }),
});
