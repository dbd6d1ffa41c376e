/** The lines of a session file that say something, as JSON objects. Never throws. */

import { entryHead, type EntryHead } from "./entry-head.ts";
import { isRecord, type Fields } from "./entry.ts";
import type { ScannedLine } from "./lines.ts";
import type { LineProblem } from "./problem.ts";

/** A JSON object in a line. A damaged line may hold several. */
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
  /** There is nothing else in the line. */
  readonly isAlone: boolean;
}

export interface Rows {
  readonly rows: readonly Row[];
  /** Of lines that cannot be read, but begin as entries do. */
  readonly lostHeads: ReadonlyMap<string, { readonly line: number; readonly head: EntryHead }>;
  readonly problems: readonly LineProblem[];
  readonly lineCount: number;
}

const BLOB = "blob:sha256:";
const [QUOTE, BACKSLASH, OPENING_BRACE, CLOSING_BRACE] = [0x22, 0x5c, 0x7b, 0x7d];
/** Two lines in one. Inside a text its quotes would be escaped. */
const GLUE = Buffer.from('}{"');

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
    const place = { line, offset, length: bytes.length };
    const head = mayRest(rows) ? wholeHead(bytes) : undefined;
    if (head) {
      const fields = head as Partial<EntryHead>;
      rows.push({ ...place, fields, isHead: true, namesBlobs: false, isAlone: true });
      continue;
    }
    const text = bytes.toString("utf8");
    const { objects, isAlone, problem } = readLine(text, isEnded);
    const namesBlobs = text.includes(BLOB);
    for (const fields of objects)
      rows.push({ ...place, fields, isHead: false, namesBlobs, isAlone });
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
  if (bytes.at(-1) !== CLOSING_BRACE || bytes.includes(GLUE)) return undefined;
  return entryHead(bytes);
}

export interface ReadLine {
  readonly objects: readonly Fields[];
  /** The line is one object and nothing else. */
  readonly isAlone: boolean;
  readonly problem?: "not-json" | "torn" | "zeros";
}

/** What a line holds, whatever is around it. */
export function readLine(text: string, isEnded: boolean): ReadLine {
  const fields = objectIn(text);
  if (fields) return { objects: [fields], isAlone: true };
  // Zeros stand where a crash kept a length but lost the bytes; what follows them may be whole.
  const json = withoutZeros(text);
  const zeros = text.includes("\0") ? ({ problem: "zeros" } as const) : {};
  if (json === "") return { objects: [], isAlone: false, ...zeros };
  const whole = json === text ? undefined : objectIn(json);
  if (whole) return { objects: [whole], isAlone: false, ...zeros };
  return { objects: gluedObjects(json), isAlone: false, problem: isEnded ? "not-json" : "torn" };
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

/** Writers that died in a line, or did not end it, left whole entries beside broken ones. */
function gluedObjects(json: string): readonly Fields[] {
  for (const opening of OPENINGS) {
    const found: Fields[] = [];
    let [read, end] = [0, 0];
    for (const { index } of json.matchAll(opening)) {
      if (index < end) continue;
      if (read > MOST_CHARACTERS) break;
      const close = endOfObject(json, index);
      read += close - index;
      const fields = objectIn(json.slice(index, close));
      if (!fields || !isLine(fields)) continue;
      found.push(fields);
      end = close;
    }
    if (found.length > 0) return found;
  }
  return [];
}

/** Blocks inside a message open in the same way, but have no parent. */
function isLine(fields: Fields): boolean {
  return "timestamp" in fields && ("parentId" in fields || fields.type === "session");
}

/** Behind the brace that closes the object which begins here; the end of the text if none does. */
function endOfObject(json: string, start: number): number {
  let depth = 0;
  let isInText = false;
  for (let at = start; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === BACKSLASH) at++;
    else if (character === QUOTE) isInText = !isInText;
    else if (isInText) continue;
    else if (character === OPENING_BRACE) depth++;
    else if (character === CLOSING_BRACE && --depth === 0) return at + 1;
  }
  return json.length;
}
