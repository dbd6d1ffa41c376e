/** One line of a client to a frame, or to a sentence about what is wrong with it. */

import { messageOf } from "@omp/std";
import type { RpcId } from "@omp/rpc-client/wire";
import type { Line } from "./lines.ts";

/** Room for a prompt with several large images. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Deeper than any schema of a tool; shallow enough for everything that walks a value. */
const MAX_DEPTH = 256;

export interface Frame {
  readonly type: string;
  readonly id: RpcId | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `id` is there when the line was an object that had one. */
export interface BadFrame {
  readonly problem: string;
  readonly id?: RpcId;
}

/** `undefined` for a blank line. */
export function readFrame(line: Line): Frame | BadFrame | undefined {
  if (line === undefined) {
    return { problem: `The line is longer than the limit of ${MAX_LINE_BYTES} bytes` };
  }
  const text = decoded(line);
  if (text === undefined) return { problem: "The line is not valid UTF-8" };
  if (text.trim() === "") return undefined;
  if (isTooDeep(text)) return { problem: `The line is nested deeper than ${MAX_DEPTH} levels` };
  try {
    return frameOf(JSON.parse(text));
  } catch (error) {
    return { problem: `The line is not JSON: ${messageOf(error)}` };
  }
}

function decoded(line: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function frameOf(value: unknown): Frame | BadFrame {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problem: "A line must be one JSON object" };
  }
  const fields = value as Record<string, unknown>;
  const { type, id = null } = fields;
  if (id !== null && typeof id !== "string" && typeof id !== "number") {
    return { problem: '"id" must be a string' };
  }
  const own = id === null ? {} : { id };
  if (typeof type !== "string") {
    return { problem: '"type" must name a command', ...own };
  }
  return { type, id: id ?? undefined, fields };
}

const OPENING = new Set(["[", "{"]);

/** JSON.parse takes any depth; what walks the value afterwards does not. Looks at brackets outside of strings. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at);
    else if (OPENING.has(character)) depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Where the string that begins at `start` ends. Long strings (images) are leapt over, not walked. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return text.length;
}
