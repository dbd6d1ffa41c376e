/** The bytes of a session file as header and entries. Never throws: what cannot be read is reported by line. */

import { isRecord, SESSION_VERSION, type Fields } from "./entry.ts";
import type { SessionEntry, SessionHeader, UnknownEntry } from "./entry.ts";
import { migrate, type Row } from "./migrate.ts";
import { readTitleSlot, type Title } from "./title-slot.ts";

export interface LineProblem {
  /** The first line is 1. */
  readonly line: number;
  readonly kind:
    /** Not a JSON object. */
    | "not-json"
    /** The last line has no end: its writer died. */
    | "torn"
    /** Zero bytes, left by a file system after a crash. */
    | "zeros"
    /** JSON, but nothing that has a place in the tree. */
    | "not-an-entry"
    /** The entry is kept as a root. */
    | "missing-parent"
    /** The whole file counts as empty. */
    | "no-header";
}

export interface ParsedSession {
  /** Absent when the file holds no session. */
  readonly header?: SessionHeader;
  readonly entries: readonly SessionEntry[];
  readonly problems: readonly LineProblem[];
  /** The file has an older version than what is returned here. */
  readonly isOutdated: boolean;
}

interface SplitRows {
  readonly title?: Title;
  readonly header?: Fields;
  readonly rest: readonly Row[];
}

export function parseSession(bytes: Uint8Array): ParsedSession {
  const problems: LineProblem[] = [];
  const rows = rowsOf(bytes, problems);
  const { title, header: top, rest } = splitHeader(rows);
  if (!top) {
    if (bytes.length > 0) problems.push({ line: 1, kind: "no-header" });
    return { entries: [], problems, isOutdated: false };
  }
  const version = typeof top.version === "number" ? top.version : 1;
  const header = headerOf(top, Math.max(version, SESSION_VERSION), title);
  const placed: { line: number; entry: SessionEntry }[] = [];
  for (const { line, fields } of migrate(rest, version)) {
    const entry = entryOf(fields, header);
    if (entry) placed.push({ line, entry });
    else problems.push({ line, kind: "not-an-entry" });
  }
  const ids = new Set(placed.map(({ entry }) => entry.id));
  for (const { line, entry } of placed) {
    if (entry.parentId === null || ids.has(entry.parentId)) continue;
    problems.push({ line, kind: "missing-parent" });
  }
  return {
    header,
    entries: placed.map(({ entry }) => entry),
    problems: problems.toSorted((a, b) => a.line - b.line),
    isOutdated: version < SESSION_VERSION,
  };
}

/** Every line that is, or ends with, a JSON object. */
function rowsOf(bytes: Uint8Array, problems: LineProblem[]): Row[] {
  const rows: Row[] = [];
  for (const { line, text, isEnded } of linesOf(bytes)) {
    const fields = objectIn(text);
    if (fields) {
      rows.push({ line, fields });
      continue;
    }
    // Zeros stand where a crash kept a length but lost the bytes; what follows them may be whole.
    const json = withoutZeros(text);
    const whole = objectIn(json);
    const rescued = whole ?? gluedEntry(json);
    if (rescued) rows.push({ line, fields: rescued });
    if (!whole && json !== "") problems.push({ line, kind: isEnded ? "not-json" : "torn" });
    else if (text.includes("\0")) problems.push({ line, kind: "zeros" });
  }
  return rows;
}

function* linesOf(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (let line = 1; start < buffer.length; line++) {
    const newline = buffer.indexOf(0x0a, start);
    const end = newline < 0 ? buffer.length : newline;
    yield { line, text: buffer.toString("utf8", start, end), isEnded: newline >= 0 };
    start = end + 1;
  }
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

function objectIn(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Older writers appended to a torn line without ending it first: the whole entry is at its end. */
function gluedEntry(json: string): Fields | undefined {
  const opening = '{"type":"';
  for (let at = json.indexOf(opening, 1); at >= 0; at = json.indexOf(opening, at + 1)) {
    const fields = objectIn(json.slice(at));
    // Blocks inside a message open in the same way, but have no parent.
    if (fields && "parentId" in fields && "timestamp" in fields) return fields;
  }
  return undefined;
}

/** The header is the first line, or the second after a title slot. */
function splitHeader(rows: readonly Row[]): SplitRows {
  const title = rows[0] && readTitleSlot(rows[0].fields);
  const at = title ? 1 : 0;
  const header = rows[at]?.fields;
  if (!header || !isHeader(header)) return { rest: [] };
  return { header, rest: rows.slice(at + 1), ...(title && { title }) };
}

function isHeader(fields: Fields): boolean {
  return fields.type === "session" && typeof fields.id === "string" && fields.id !== "";
}

function headerOf(fields: Fields, version: number, slot?: Title): SessionHeader {
  const header = {
    ...fields,
    type: "session",
    version,
    id: String(fields.id),
    timestamp: typeof fields.timestamp === "string" ? fields.timestamp : new Date(0).toISOString(),
    cwd: typeof fields.cwd === "string" ? fields.cwd : "",
  } as const;
  if (!slot?.title) return header;
  return { ...header, title: slot.title, ...(slot.source && { titleSource: slot.source }) };
}

function entryOf(fields: Fields, header: SessionHeader): SessionEntry | undefined {
  const { type, id, parentId, timestamp } = fields;
  if (typeof type !== "string" || typeof id !== "string" || id === "") return undefined;
  if (type === "session" || type === "title") return undefined;
  if (typeof timestamp === "string" && (typeof parentId === "string" || parentId === null))
    return fields as UnknownEntry;
  return {
    ...fields,
    type,
    id,
    parentId: typeof parentId === "string" ? parentId : null,
    timestamp: typeof timestamp === "string" ? timestamp : header.timestamp,
  };
}
