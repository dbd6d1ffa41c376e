/** Edit forms that are no more: the default takes their place. */

import type { Migration } from "./migration.ts";

const REMOVED = ["vim", "atom", "chunk"];

export const editMode: Migration = {
  from: "edit.mode",
  migrate: (value) => (typeof value === "string" && REMOVED.includes(value) ? {} : undefined),
};
