/** Old settings under the names and in the forms of today. Works on what a file says; the file stays as it is. */

import { isFields, type Fields } from "../fields.ts";
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
  const old = at(before.values, from);
  const made = old === undefined ? undefined : change(old);
  if (made === undefined) return before;
  let values = without(before.values, from);
  const moved = new Map(before.moved);
  for (const [name, value] of Object.entries(made)) {
    if (at(values, name) !== undefined) continue;
    values = withValue(values, name, value);
    moved.set(name, from);
  }
  return { values, moved };
}

function at(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  const [key = "", ...rest] = name.split(".");
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return rest.length > 0 && isFields(inner) ? at(inner, rest.join(".")) : undefined;
}

/** Both spellings go. */
function without(fields: Fields, name: string): Fields {
  const { [name]: _old, ...others } = fields;
  const [key = "", ...rest] = name.split(".");
  const inner = Object.hasOwn(others, key) ? others[key] : undefined;
  if (rest.length === 0 || !isFields(inner)) return others;
  return { ...others, [key]: without(inner, rest.join(".")) };
}

function withValue(fields: Fields, name: string, value: unknown): Fields {
  const [key = "", ...rest] = name.split(".");
  if (rest.length === 0) return { ...fields, [key]: value };
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return { ...fields, [key]: withValue(isFields(inner) ? inner : {}, rest.join("."), value) };
}
