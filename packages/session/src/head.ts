/** What the first bytes of a session file tell: enough to name it without reading on. Pure. */

import { basename } from "node:path";
import { sanitize } from "@omp/std";
import { SESSION_VERSION, type Fields } from "./entry.ts";
import { userText } from "./entry-text.ts";
import { objectIn } from "./rows.ts";
import { readTitleSlot } from "./title-slot.ts";

/** All that is read of a file for its head. */
export const HEAD_BYTES = 4096;
const MAX_NAME = 200;

export interface SessionHead {
  /** Empty where the file has no header. */
  readonly id: string;
  readonly cwd: string;
  /** 1 where the header does not say. */
  readonly version: number;
  readonly title: string;
  readonly parentSession?: string;
  /** Undefined where the header says nothing. */
  readonly createdMs: number | undefined;
  /** What the person said first, as far as it is within the bytes. */
  readonly firstText: string | undefined;
  /** The place behind the header. */
  readonly bodyStart: number;
}

export function readHead(bytes: Uint8Array): SessionHead {
  const rows = [...rowsIn(bytes)];
  const slot = rows[0]?.fields && readTitleSlot(rows[0].fields);
  const at = slot ? 1 : 0;
  const fields = rows[at]?.fields;
  const isHeader = fields?.type === "session" && typeof fields.id === "string";
  const header: Fields = isHeader ? fields : {};
  const created = typeof header.timestamp === "string" ? Date.parse(header.timestamp) : NaN;
  const bodyAt = isHeader ? at + 1 : at;
  return {
    id: isHeader ? String(header.id) : "",
    cwd: typeof header.cwd === "string" ? header.cwd : "",
    version: typeof header.version === "number" ? header.version : isHeader ? 1 : SESSION_VERSION,
    title: slot?.title || (typeof header.title === "string" ? header.title : ""),
    ...(typeof header.parentSession === "string" && { parentSession: header.parentSession }),
    createdMs: Number.isNaN(created) ? undefined : created,
    firstText: firstTextIn(rows.slice(bodyAt)),
    bodyStart: bodyAt === 0 ? 0 : rows[bodyAt - 1]!.end,
  };
}

/** One safe line: title, else what the person said first, else when it began. Never the id. */
export function sessionName(
  title: string | undefined,
  firstText: string | undefined,
  createdMs: number,
): string {
  return firstLine(title ?? "") || firstLine(firstText ?? "") || `Untitled · ${minute(createdMs)}`;
}

/** The id in a file name, behind its time; the whole name where there is none. */
export function idInName(path: string): string {
  const name = basename(path, ".jsonl");
  return name.slice(name.indexOf("_") + 1);
}

function firstLine(text: string): string {
  const lines = sanitize(text.slice(0, MAX_NAME * 8)).split(/[\n\u2028\u2029]/);
  const line = lines.map((one) => one.replaceAll("\t", " ").trim()).find((one) => one !== "") ?? "";
  const characters = Array.from(line);
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join("")}…` : line;
}

function minute(ms: number): string {
  const at = new Date(ms);
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

interface HeadRow {
  /** Absent for what is no JSON object. */
  readonly fields?: Fields;
  readonly text: string;
  /** The place behind the line. */
  readonly end: number;
}

function* rowsIn(bytes: Uint8Array): Generator<HeadRow> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length;) {
    const newline = buffer.indexOf(0x0a, start);
    const end = newline < 0 ? buffer.length : newline;
    const text = buffer.toString("utf8", start, end).replace(/^\uFEFF/, "");
    start = end + 1;
    if (text.trim() === "") continue;
    const fields = objectIn(text);
    yield fields ? { fields, text, end: start } : { text, end: start };
  }
}

function firstTextIn(rows: readonly HeadRow[]): string | undefined {
  for (const { fields, text } of rows) {
    const said = fields ? userText(fields) : cutUserText(text);
    if (said !== undefined && said.trim() !== "") return said;
  }
  return undefined;
}

/** The beginning of a message whose line is longer than what was read. */
function cutUserText(text: string): string | undefined {
  const opening = /"role":"user","content":(?:\[\{"type":"text","text":)?"((?:[^"\\]|\\.)*)/;
  const raw = opening.exec(text)?.[1]?.replace(/\\u[0-9a-f]{0,3}$/i, "");
  if (raw === undefined) return undefined;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
