/** `theme` was one name. It goes to the background that it is for. */

import type { Migration } from "./migration.ts";

export const flatTheme: Migration = {
  from: "theme",
  migrate(value) {
    if (typeof value !== "string") return undefined;
    return isLight(value) ? { "theme.light": value } : { "theme.dark": value };
  },
};

/** Light themes carry it in their name; the colours of a theme are not known where settings are read. */
function isLight(name: string): boolean {
  return /(?:^|[^a-z])(?:light|day|dawn|latte|paper)(?:[^a-z]|$)/i.test(name);
}
