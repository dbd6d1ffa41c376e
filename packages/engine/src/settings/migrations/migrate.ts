/** Old settings under the names and in the forms of today. Works on what a file says; the file stays as it is. */

import { valueAt, withoutValue, withValue, type Fields } from "../fields.ts";
import { migrations } from "./registry.ts";
import type { Migration } from "./migration.ts";

export interface Migrated {
  readonly values: Fields;
  /** New name to the old one that it was made from. */
  readonly moved: ReadonlyMap<string, string>;
}

export function migrate(values: Fields): Migrated {
  let migrated: Migrated = { values, moved: new Map() };
  for (const migration of migrations) migrated = applied(migration, migrated);
  return migrated;
}

/** What already stands under the new name is what the person wrote last. */
function applied({ from, migrate: change }: Migration, before: Migrated): Migrated {
  const old = valueAt(before.values, from);
  const made = old === undefined ? undefined : change(old);
  if (made === undefined) return before;
  let values = withoutValue(before.values, from);
  const moved = new Map(before.moved);
  for (const [name, value] of Object.entries(made)) {
    if (valueAt(values, name) !== undefined) continue;
    values = withValue(values, name, value);
    moved.set(name, from);
  }
  return { values, moved };
}
