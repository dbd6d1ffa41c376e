/** Older versions of the format, lifted to the current one in memory. Pure: the file stays as it is. */

import { isRecord, type Fields } from "./entry.ts";

/** A line that is a JSON object, with its place in the file (the first line is 1). */
export interface Row {
  readonly line: number;
  readonly fields: Fields;
}

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
  return rows.map(({ line, fields }, index) => {
    const { type, firstKeptEntryIndex, ...rest } = fields;
    const parentId = index === 0 ? null : idOf(index - 1);
    const entry: Fields = { type, ...rest, id: idOf(index), parentId };
    if (typeof firstKeptEntryIndex !== "number") return { line, fields: entry };
    // The index counted lines from the header, which was 0. A damaged line gives way to the next.
    const kept = rows.findIndex((row) => row.line > firstKeptEntryIndex);
    const firstKeptEntryId = kept < 0 ? "" : idOf(kept);
    return { line, fields: { ...entry, firstKeptEntryId } };
  });
}

/** Version 2 called the messages of extensions `hookMessage`. */
function withoutHookMessage(fields: Fields): Fields {
  const { message } = fields;
  if (!isRecord(message) || message.role !== "hookMessage") return fields;
  return { ...fields, message: { ...message, role: "custom" } };
}
