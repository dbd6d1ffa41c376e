/** Reads what is new in a session file: counts, texts and status. Goes on where an earlier scan ended. */

import { closeSync, openSync, readSync } from "node:fs";
import type { Fields } from "./entry.ts";
import { entryText, userText, type EntryText } from "./entry-text.ts";
import type { FoundFile } from "./found-file.ts";
import { HEAD_BYTES, idInName, readHead, sessionName, type SessionHead } from "./head.ts";
import { objectIn } from "./rows.ts";
import type { SessionSummary } from "./summary.ts";
import { MAX_TAIL_BYTES, statusIn, TAIL_BYTES } from "./tail.ts";

/** What is known of a file after its bytes up to `offset`. */
export interface Tally {
  readonly offset: number;
  /** JSON objects behind the header. */
  readonly entries: number;
  readonly messages: number;
  /** Of the last entry that named the session; empty where none did. */
  readonly title: string;
  /** Of the person's first message; empty where there is none. */
  readonly firstText: string;
  /** Of the bytes just before `offset`: another value there means another file. */
  readonly mark: string;
}

export interface ScannedText extends EntryText {
  readonly entryId: string;
  /** Counts entries from 0. */
  readonly ordinal: number;
  readonly offset: number;
  readonly bytes: number;
}

export interface Scan {
  readonly head: SessionHead;
  readonly tally: Tally;
  readonly texts: readonly ScannedText[];
  readonly status: SessionSummary["status"];
  /** False when the limit ended it. */
  readonly isDone: boolean;
  /** It began at the beginning. */
  readonly isAnew: boolean;
}

const MARK_BYTES = 64;
const MAX_FIRST_TEXT = 1000;

/**
 * @param known what an earlier scan of the file knew; it is dropped when the file is another one now
 * @param limit after how many bytes to stop, at the end of a line
 */
export function scanSession(file: FoundFile, known: Tally | undefined, limit: number): Scan {
  const descriptor = openSync(file.path, "r");
  try {
    const head = headAt(descriptor);
    const isSame = known && markAt(descriptor, known.offset) === known.mark;
    const start = isSame ? known : newTally(head);
    const { tally, texts } = scanFrom(descriptor, head, start, file.bytes, limit);
    const isDone = tally.offset >= file.bytes || tally.offset - start.offset < limit;
    const status = isDone ? statusAt(descriptor, file.bytes) : "unknown";
    return { head, tally, texts, status, isDone, isAnew: !isSame };
  } finally {
    closeSync(descriptor);
  }
}

export function summaryOf(
  file: FoundFile,
  head: Pick<SessionHead, "id" | "cwd" | "title" | "parentSession" | "createdMs">,
  tally: Pick<Tally, "title" | "firstText" | "messages">,
  status: SessionSummary["status"],
): SessionSummary {
  // The slot cuts long titles; the entry that set the title has all of it.
  const title = tally.title || head.title;
  const createdMs = head.createdMs ?? file.modifiedMs;
  const name = sessionName(title, tally.firstText, createdMs);
  return {
    path: file.path,
    id: head.id || idInName(file.path),
    cwd: head.cwd,
    name,
    ...(title !== "" && { title }),
    ...(head.parentSession !== undefined && { parentSession: head.parentSession }),
    createdMs,
    modifiedMs: file.modifiedMs,
    bytes: file.bytes,
    messageCount: tally.messages,
    firstMessage: sessionMessage(tally.firstText),
    status,
  };
}

/** The text of an entry that an earlier scan found; undefined when it is not there any more. */
export function textAt(
  path: string,
  place: Pick<ScannedText, "offset" | "bytes">,
): string | undefined {
  const descriptor = openSync(path, "r");
  try {
    const entry = objectIn(readAt(descriptor, place.offset, place.bytes).toString("utf8"));
    return entry && entryText(entry)?.text;
  } finally {
    closeSync(descriptor);
  }
}

/** Headers with many folders in them are longer than most. */
function headAt(descriptor: number): SessionHead {
  const head = readHead(readAt(descriptor, 0, HEAD_BYTES));
  return head.id === "" ? readHead(readAt(descriptor, 0, TAIL_BYTES)) : head;
}

function newTally({ bodyStart }: SessionHead): Tally {
  return { offset: bodyStart, entries: 0, messages: 0, title: "", firstText: "", mark: "" };
}

function scanFrom(
  descriptor: number,
  head: SessionHead,
  start: Tally,
  end: number,
  limit: number,
): Pick<Scan, "tally" | "texts"> {
  const texts: ScannedText[] = [];
  let { offset, entries, messages, title, firstText } = start;
  for (const { bytes, next } of linesFrom(descriptor, start.offset, end, limit)) {
    const entry = objectIn(bytes.toString("utf8"));
    if (entry) {
      const text = entryText(entry);
      const entryId = idOf(entry, head, entries);
      if (text) texts.push({ ...text, entryId, ordinal: entries, offset, bytes: bytes.length });
      entries++;
      if (entry.type === "message") messages++;
      title = titleIn(entry) ?? title;
      if (firstText === "") firstText = userText(entry)?.trim().slice(0, MAX_FIRST_TEXT) ?? "";
    }
    offset = next;
  }
  const mark = markAt(descriptor, offset);
  return { tally: { offset, entries, messages, title, firstText, mark }, texts };
}

/** Version 1 had no ids: entries are counted, as its migration does. */
function idOf({ id }: Fields, { version }: SessionHead, ordinal: number): string {
  return version < 2 || typeof id !== "string" ? ordinal.toString(16).padStart(8, "0") : id;
}

function titleIn({ type, title, name }: Fields): string | undefined {
  const named = type === "title_change" ? title : type === "session_info" ? name : undefined;
  return typeof named === "string" ? named : undefined;
}

interface Line {
  readonly bytes: Buffer;
  /** The place behind it. */
  readonly next: number;
}

const CHUNK_BYTES = 1024 * 1024;

/** Whole lines. The last one counts without its newline if it is JSON: then its writer was not cut off. */
function* linesFrom(
  descriptor: number,
  start: number,
  end: number,
  limit: number,
): Generator<Line> {
  let place = start;
  let rest: Buffer = Buffer.alloc(0);
  while (place + rest.length < end) {
    const from = place + rest.length;
    const chunk = readAt(
      descriptor,
      from,
      Math.min(Math.max(CHUNK_BYTES, rest.length), end - from),
    );
    if (chunk.length === 0) break;
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let newline = rest.indexOf(0x0a); newline >= 0; newline = rest.indexOf(0x0a, at)) {
      const bytes = rest.subarray(at, newline);
      at = newline + 1;
      yield { bytes, next: place + at };
      if (place + at - start >= limit) return;
    }
    place += at;
    rest = rest.subarray(at);
  }
  if (rest.length > 0 && objectIn(rest.toString("utf8")))
    yield { bytes: rest, next: place + rest.length };
}

function statusAt(descriptor: number, bytes: number): SessionSummary["status"] {
  for (const length of [TAIL_BYTES, MAX_TAIL_BYTES]) {
    const start = Math.max(0, bytes - length);
    const status = statusIn(readAt(descriptor, start, bytes - start), start === 0);
    if (status) return status;
  }
  return "unknown";
}

function sessionMessage(firstText: string): string {
  return firstText === "" ? "(no messages)" : firstText;
}

function markAt(descriptor: number, offset: number): string {
  const start = Math.max(0, offset - MARK_BYTES);
  return Bun.hash(readAt(descriptor, start, offset - start)).toString(16);
}

function readAt(descriptor: number, start: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(descriptor, buffer, filled, length - filled, start + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
