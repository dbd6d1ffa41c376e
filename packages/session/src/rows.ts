/** The lines of a session file that say something, as JSON objects. Never throws. */

import { entryHead, type EntryHead } from "./entry-head.ts";
import { isRecord, type Fields } from "./entry.ts";
import type { ScannedLine } from "./lines.ts";
import type { LineProblem } from "./problem.ts";

/** A line that is, or ends with, a JSON object. */
export interface Row {
  /** The first line is 1. */
  readonly line: number;
  readonly offset: number;
  /** In bytes, without the newline. */
  readonly length: number;
  readonly fields: Fields;
  /** The fields are the head alone; the rest of the line is still to be read. */
  readonly isHead: boolean;
  readonly namesBlobs: boolean;
}

export interface Rows {
  readonly rows: readonly Row[];
  /** Of lines that cannot be read, but begin as entries do. */
  readonly lostHeads: ReadonlyMap<string, { readonly line: number; readonly head: EntryHead }>;
  readonly problems: readonly LineProblem[];
  readonly lineCount: number;
}

const BLOB = "blob:sha256:";
const CLOSING_BRACE = 0x7d;

/** @param mayRest whether, after these rows, the bodies of entries may be left unread */
export function rowsOf(
  lines: Iterable<ScannedLine>,
  mayRest: (rows: readonly Row[]) => boolean,
): Rows {
  const rows: Row[] = [];
  const problems: LineProblem[] = [];
  const lostHeads = new Map<string, { line: number; head: EntryHead }>();
  let lineCount = 0;
  for (const scanned of lines) {
    const { line, offset, bytes, isEnded } = scanned;
    lineCount = line;
    if (bytes.length === 0) continue;
    const { length } = bytes;
    const head = mayRest(rows) ? wholeHead(bytes) : undefined;
    if (head) {
      const fields = head as Partial<EntryHead>;
      rows.push({ line, offset, length, fields, isHead: true, namesBlobs: false });
      continue;
    }
    const text = bytes.toString("utf8");
    const { fields, problem } = readLine(text, isEnded);
    if (fields)
      rows.push({ line, offset, length, fields, isHead: false, namesBlobs: text.includes(BLOB) });
    if (problem) problems.push({ line, kind: problem });
    const lost = problem === "not-json" || problem === "torn" ? entryHead(bytes) : undefined;
    if (lost) lostHeads.set(lost.id, { line, head: lost });
  }
  return { rows, lostHeads, problems, lineCount };
}

/** The object that a text is; undefined for anything else. */
export function objectIn(json: string): Fields | undefined {
  // The parser would quote a long line of something else in its error.
  if (!/^\s*\{/.test(json)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    // A text can be nested deeper than there is stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function wholeHead(bytes: Buffer): EntryHead | undefined {
  return bytes.at(-1) === CLOSING_BRACE ? entryHead(bytes) : undefined;
}

/** What a line holds, whatever is around it. */
export function readLine(
  text: string,
  isEnded: boolean,
): { readonly fields?: Fields; readonly problem?: "not-json" | "torn" | "zeros" } {
  const fields = objectIn(text);
  if (fields) return { fields };
  // Zeros stand where a crash kept a length but lost the bytes; what follows them may be whole.
  const json = withoutZeros(text);
  if (json === "") return text.includes("\0") ? { problem: "zeros" } : {};
  const whole = json === text ? undefined : objectIn(json);
  if (whole) return { fields: whole, ...(text.includes("\0") && { problem: "zeros" }) };
  const glued = gluedEntry(json);
  return { ...(glued && { fields: glued }), problem: isEnded ? "not-json" : "torn" };
}

/** The line without the zeros, byte order mark and white space around it. */
function withoutZeros(text: string): string {
  const isBlank = (at: number) =>
    text[at] === "\0" || text[at] === "\uFEFF" || text[at]?.trim() === "";
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

const OPENINGS = [/\{"type":"[^"\\]*","id":"[^"\\]*","parentId":/g, /\{"type":"/g];
/** Each try may read the rest of the line: a long line full of openings must not cost its square. */
const MOST_CHARACTERS = 16 << 20;

/** Older writers appended to a torn line without ending it first: the whole entry is at its end. */
function gluedEntry(json: string): Fields | undefined {
  for (const opening of OPENINGS) {
    let tried = 0;
    for (const { index } of json.matchAll(opening)) {
      if (index === 0) continue;
      if (tried > MOST_CHARACTERS) break;
      tried += json.length - index;
      const fields = objectIn(json.slice(index));
      // Blocks inside a message open in the same way, but have no parent.
      if (fields && "parentId" in fields && "timestamp" in fields) return fields;
    }
  }
  return undefined;
}
