/** A session as the page needs it: branches, labels, results of calls, totals. Pure; survives every damage. */

import { isRecord, number, record, records, text, type Fields } from "./fields.ts";

export interface Entry {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly fields: Fields;
  /** Of `message` entries; empty for others. */
  readonly message: Fields;
  readonly role: string;
}

export interface Session {
  readonly header: Fields;
  readonly entries: readonly Entry[];
  readonly leafId: string | null;
  readonly byId: ReadonlyMap<string, Entry>;
  readonly children: ReadonlyMap<string | null, readonly Entry[]>;
  readonly labels: ReadonlyMap<string, string>;
}

export interface Totals {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number;
  readonly answers: number;
}

export function sessionOf(content: Fields): Session {
  const entries = records(content["entries"]).flatMap(entryOf);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const children = Map.groupBy(entries, ({ parentId }) =>
    parentId !== null && byId.has(parentId) ? parentId : null,
  );
  const leafId = text(content["leafId"]) || (entries.at(-1)?.id ?? null);
  return {
    header: record(content["header"]),
    entries,
    leafId,
    byId,
    children,
    labels: labelsOf(entries),
  };
}

function entryOf(fields: Fields): Entry[] {
  const { id, parentId, type } = fields;
  if (typeof id !== "string" || typeof type !== "string") return [];
  const message = record(fields["message"]);
  const parent = typeof parentId === "string" ? parentId : null;
  return [{ id, parentId: parent, type, fields, message, role: text(message["role"]) }];
}

/** Root to leaf. */
export function branchTo(session: Session, leafId: string | null): readonly Entry[] {
  const branch: Entry[] = [];
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id);) {
    seen.add(id);
    const entry = session.byId.get(id);
    if (!entry) break;
    branch.push(entry);
    id = entry.parentId;
  }
  return branch.reverse();
}

/** The newest leaf below an entry: where a reader who chose this way ends up. */
export function leafBelow(session: Session, id: string): string {
  const seen = new Set<string>();
  let at = id;
  while (!seen.has(at)) {
    seen.add(at);
    const next = session.children.get(at)?.at(-1);
    if (!next) break;
    at = next.id;
  }
  return at;
}

/** Results by the id of the call they answer. */
export function resultsOf(branch: readonly Entry[]): ReadonlyMap<string, Entry> {
  const results = branch.filter(({ role }) => role === "toolResult");
  return new Map(results.map((entry) => [text(entry.message["toolCallId"]), entry]));
}

export function callsOf({ message }: Entry): readonly Fields[] {
  return records(message["content"]).filter(({ type }) => type === "toolCall");
}

export function totalsOf(entries: readonly Entry[]): Totals {
  const usages = entries
    .filter(({ role }) => role === "assistant")
    .map(({ message }) => record(message["usage"]));
  const sum = (read: (usage: Fields) => unknown) =>
    usages.reduce((total, usage) => total + number(read(usage)), 0);
  return {
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cacheRead: sum(({ cacheRead }) => cacheRead),
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    cost: sum(({ cost }) => record(cost)["total"]),
    answers: usages.length,
  };
}

/** The texts of content, be it one text or blocks. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return records(content).flatMap((block) =>
    block["type"] === "text" ? [text(block["text"])] : [],
  );
}

function labelsOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { type, fields } of entries) {
    if (type !== "label" || typeof fields["targetId"] !== "string") continue;
    if (text(fields["label"]) === "") labels.delete(fields["targetId"]);
    else labels.set(fields["targetId"], text(fields["label"]));
  }
  return labels;
}

/** Every text of an entry that a reader can see: what search looks through. */
export function* searchable({ type, fields, message }: Entry): Generator<string> {
  if (type !== "message") {
    for (const name of ["summary", "label", "title", "model"]) yield text(fields[name]);
    yield* textsOf(fields["content"]);
    return;
  }
  yield* textsOf(message["content"]);
  for (const block of records(message["content"])) {
    yield text(block["thinking"]);
    if (block["type"] === "toolCall") yield `${text(block["name"])} ${strings(block["arguments"])}`;
  }
  for (const name of ["command", "code", "output", "errorMessage"]) yield text(message[name]);
  for (const file of records(message["files"]))
    yield `${text(file["path"])}\n${text(file["content"])}`;
}

/** The texts within a value, one per line, as a card shows them. */
function strings(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(strings).join("\n");
  if (isRecord(value)) return Object.values(value).map(strings).join("\n");
  return value === null || value === undefined ? "" : JSON.stringify(value);
}
