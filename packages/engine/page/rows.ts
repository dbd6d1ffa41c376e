/** The rows of the list at the side: the whole tree, flat, with what the reader asked for. Pure. */

import { record, records, text } from "./fields.ts";
import { textsOf, type Entry, type Session } from "./session.ts";

export type Filter = "all" | "no-tools" | "user" | "labelled";

export interface Row {
  readonly entry: Entry;
  /** How many times the way here has parted. */
  readonly depth: number;
  readonly kind: "user" | "answer" | "tool" | "info";
  readonly name: string;
  readonly words: string;
  readonly label: string | undefined;
}

export function rowsOf(session: Session): readonly Row[] {
  const calls = briefs(session.entries);
  const rows: Row[] = [];
  const seen = new Set<string>();
  // A list of what is left to do, not a recursion: a long session is a very deep tree.
  const waiting = (session.children.get(null) ?? [])
    .map((entry) => ({ entry, depth: 0 }))
    .reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { entry, depth } = next;
    if (seen.has(entry.id)) continue;
    seen.add(entry.id);
    const row = rowOf(entry, depth, session, calls);
    if (row) rows.push(row);
    const children = session.children.get(entry.id) ?? [];
    const below = children.length > 1 ? depth + 1 : depth;
    for (const child of children.toReversed()) waiting.push({ entry: child, depth: below });
  }
  return rows;
}

export function passes(row: Row, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "no-tools":
      return row.kind !== "tool";
    case "user":
      return row.kind === "user";
    case "labelled":
      return row.label !== undefined;
  }
}

function rowOf(
  entry: Entry,
  depth: number,
  session: Session,
  calls: ReadonlyMap<string, string>,
): Row | undefined {
  const label = session.labels.get(entry.id);
  const row = (kind: Row["kind"], name: string, words: string): Row => ({
    entry,
    depth,
    kind,
    name,
    words: short(words),
    label,
  });
  const { type, role, message, fields } = entry;
  if (type === "message") {
    const words = textsOf(message["content"]).join(" ");
    if (role === "user") return row("user", "You", words || "(picture)");
    if (role === "toolResult")
      return row("tool", text(message["toolName"]), calls.get(text(message["toolCallId"])) ?? "");
    if (role === "bashExecution") return row("user", "$", text(message["command"]));
    if (role === "pythonExecution") return row("user", ">>>", text(message["code"]));
    if (role !== "assistant") return row("info", role, words);
    const isSilent = words.trim() === "" && text(message["errorMessage"]) === "";
    return isSilent && label === undefined
      ? undefined
      : row("answer", "omp", words || text(message["errorMessage"]));
  }
  if (type === "compaction") return row("info", "Compacted", text(fields["summary"]));
  if (type === "branch_summary") return row("info", "Branch", text(fields["summary"]));
  if (type === "reset_boundary") return row("info", "Cleared", "");
  if (type === "custom_message" && fields["display"] !== false)
    return row("info", text(fields["customType"]), textsOf(fields["content"]).join(" "));
  return label === undefined ? undefined : row("info", type, "");
}

function briefs(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { message } of entries) {
    for (const call of records(message["content"])) {
      if (call["type"] !== "toolCall") continue;
      const input = record(call["arguments"]);
      const first =
        input["command"] ??
        input["path"] ??
        Object.values(input).find((value) => typeof value === "string");
      found.set(text(call["id"]), text(first));
    }
  }
  return found;
}

function short(words: string): string {
  const plain = words.slice(0, 300).replace(/[*`#]+|^>/gm, "");
  return plain.replace(/\s+/g, " ").trim().slice(0, 120);
}
