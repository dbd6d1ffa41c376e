/** `queueMode` was the name of the steering mode. */

import type { Migration } from "./migration.ts";

export const queueMode: Migration = {
  from: "queueMode",
  migrate: (value) => ({ steeringMode: value }),
};
