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
 * entries, so that two readers of one file agree on them before anybody has written it. An entry that
 * has its place already keeps it.
 */
function chain(rows: readonly Row[]): readonly Row[] {
  // What cannot be an entry must not stand between two that are.
  const entries = rows.filter(isEntry);
  const ids = entries.map(({ fields: { id } }, index) =>
    typeof id === "string" && id !== "" ? id : index.toString(16).padStart(8, "0"),
  );
  return entries.map((row, index) => {
    if (isPlaced(row)) return row;
    const { type, firstKeptEntryIndex, ...rest } = row.fields;
    const parentId = index === 0 ? null : ids[index - 1];
    const entry: Fields = { type, ...rest, id: ids[index], parentId };
    if (typeof firstKeptEntryIndex !== "number") return { ...row, fields: entry };
    // The index counted lines from the header, which was 0. A damaged line gives way to the next.
    const kept = entries.findIndex(({ line }) => line > firstKeptEntryIndex);
    return { ...row, fields: { ...entry, firstKeptEntryId: ids[kept] ?? "" } };
  });
}

function isPlaced({ fields: { id, parentId } }: Row): boolean {
  return typeof id === "string" && id !== "" && (typeof parentId === "string" || parentId === null);
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
