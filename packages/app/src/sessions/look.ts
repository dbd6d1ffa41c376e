/** `omp sessions list`, `search` and `show`. */

import type { SearchHit, Sessions, SessionSummary } from "@omp/engine/boot";
import { UserError } from "@omp/std";
import type { Report, Wish } from "./verb.ts";
import { ago, plural, size } from "./words.ts";

export async function list(sessions: Sessions, { which, words }: Wish): Promise<Report> {
  if (words.length > 0) throw new UserError("misuse", `omp sessions list takes no "${words[0]}"`);
  const found = await sessions.list(which);
  const rows = found.map((one) => (which === "all" ? [...cellsOf(one), one.cwd] : cellsOf(one)));
  return {
    text: table(rows),
    json: found.map(documentOf),
    notes: found.length > 0 ? [] : [nothing(which, "No sessions found")],
  };
}

export async function search(sessions: Sessions, { which, words }: Wish): Promise<Report> {
  if (words.length === 0) throw new UserError("misuse", "omp sessions search needs words to find");
  const query = words.join(" ");
  const hits = await sessions.search(query, which);
  const bySession = Map.groupBy(hits, ({ session }) => session.path);
  return {
    text: [...bySession.values()].map(hitsText).join("\n"),
    json: hits.map(hitDocument),
    notes: hits.length > 0 ? [] : [nothing(which, `Nothing found for "${query}"`)],
  };
}

export async function show(sessions: Sessions, { words }: Wish): Promise<Report> {
  const [value, spare] = words;
  if (value === undefined || spare !== undefined) {
    throw new UserError("misuse", "omp sessions show takes one id or path");
  }
  const { branch, problems, ...facts } = await sessions.describe(sessions.pathOf(value));
  const { createdMs, modifiedMs } = facts;
  const rows = [
    ["Name", facts.name],
    ["Id", facts.id],
    ["File", facts.path],
    ["Folder", facts.cwd],
    ["Created", new Date(createdMs).toISOString()],
    ["Changed", `${new Date(modifiedMs).toISOString()} (${ago(modifiedMs)})`],
    ["Size", `${size(facts.bytes)}, ${plural(facts.entries, "entry", "entries")}`],
    [
      "Said",
      `${plural(facts.messageCount, "message")} on ${plural(facts.leaves, "branch", "branches")}`,
    ],
    ["Status", facts.status],
    ...(facts.parentSession === undefined ? [] : [["Forked from", facts.parentSession]]),
    ...(facts.artifacts > 0 ? [["Artifacts", String(facts.artifacts)]] : []),
    ...(problems.length > 0 ? [["Damage", `${plural(problems.length, "line")}; see fsck`]] : []),
  ];
  const said = branch.map(({ entryId, role, text }) => [entryId, role, text]);
  return {
    text: `${table(rows)}\n${table(said)}`,
    json: { ...documentOf(facts), entries: facts.entries, leaves: facts.leaves, problems, branch },
  };
}

function documentOf({ createdMs, modifiedMs, ...rest }: SessionSummary): object {
  return {
    ...rest,
    created: new Date(createdMs).toISOString(),
    modified: new Date(modifiedMs).toISOString(),
  };
}

function hitDocument({ session, entryId, role, snippet }: SearchHit): object {
  const { id, path, cwd, name } = session;
  const modified = new Date(session.modifiedMs).toISOString();
  return { session: { id, path, cwd, name, modified }, entryId, role, snippet };
}

function hitsText(hits: readonly SearchHit[]): string {
  const { session } = hits[0]!;
  const rows = hits.map(({ entryId, role, snippet }) => ["", entryId, role, snippet]);
  return `${session.id}  ${session.name}  (${ago(session.modifiedMs)})\n${table(rows)}`;
}

function cellsOf({ id, name, messageCount, bytes, modifiedMs, status }: SessionSummary): string[] {
  return [id, ago(modifiedMs), String(messageCount), size(bytes), status, name];
}

function nothing(which: Wish["which"], text: string): string {
  return which === "all" ? text : `${text} in this folder; --all looks into all projects.`;
}

/** Columns as wide as their widest cell; the last one is as long as it is. */
function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell));
    });
  }
  return rows
    .map((row) => `${row.map((cell, at) => padded(cell, at, row, widths)).join("  ")}\n`)
    .join("");
}

function padded(
  cell: string,
  at: number,
  row: readonly string[],
  widths: readonly number[],
): string {
  if (at === row.length - 1) return cell;
  return cell + " ".repeat(widths[at]! - Bun.stringWidth(cell));
}
