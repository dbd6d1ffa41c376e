/** Settings that are no more. Old files that have them are no mistake. */

import type { Migration } from "./migration.ts";

export const simpleTasks: Migration = { from: "task.simple", migrate: () => ({}) };
