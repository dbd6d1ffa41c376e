/** `ask.timeout` was in milliseconds. Nobody means a quarter of an hour. */

import type { Migration } from "./migration.ts";

const LONGEST_SECONDS = 1000;

export const askTimeout: Migration = {
  from: "ask.timeout",
  migrate(value) {
    if (typeof value !== "number" || value <= LONGEST_SECONDS) return undefined;
    return { "ask.timeout": Math.round(value / 1000) };
  },
};
