/** Older versions of the format, lifted to the current one in memory. Pure: the file stays as it is. */

import { isRecord, type Fields } from "./entry.ts";
import type { Row } from "./rows.ts";

export function migrate(rows: readonly Row[], version: number): readonly Row[] {
  if (version >= 3) return rows;
  const tree = version < 2 ? chain(rows) : rows;
  return tree.map((row) => ({ ...row, fields: withoutHookMessage(row.fields) }));
}

/**
 * Version 1 was a list: every entry gets an id and follows the one before it. The ids count the
 * entries, so that two readers of one file agree on them before anybody has written it.
 */
function chain(rows: readonly Row[]): readonly Row[] {
  const idOf = (index: number) => index.toString(16).padStart(8, "0");
  // What cannot be an entry must not stand between two that are.
  return rows.filter(isEntry).map((row, index, entries) => {
    const { type, firstKeptEntryIndex, ...rest } = row.fields;
    const parentId = index === 0 ? null : idOf(index - 1);
    const entry: Fields = { type, ...rest, id: idOf(index), parentId };
    if (typeof firstKeptEntryIndex !== "number") return { ...row, fields: entry };
    // The index counted lines from the header, which was 0. A damaged line gives way to the next.
    const kept = entries.findIndex(({ line }) => line > firstKeptEntryIndex);
    const firstKeptEntryId = kept < 0 ? "" : idOf(kept);
    return { ...row, fields: { ...entry, firstKeptEntryId } };
  });
}

function isEntry({ fields: { type } }: Row): boolean {
  return typeof type === "string" && type !== "session" && type !== "title";
}

/** Version 2 called the messages of extensions `hookMessage`. */
function withoutHookMessage(fields: Fields): Fields {
  const { message } = fields;
  if (!isRecord(message) || message.role !== "hookMessage") return fields;
  return { ...fields, message: { ...message, role: "custom" } };
}
