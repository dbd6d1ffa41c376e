/** Where the lines of a page come from. */

import type { Files } from "@omp/host";
import { countLines, headOf } from "@omp/std";
import type { LineSource, Part, PartRequest } from "./page.ts";

/** Of a file of any size, in constant memory. */
export function fileLines(path: string, files: Files, { isRaw }: { isRaw: boolean }): LineSource {
  return async (request) => {
    const { bytes, ...rest } = await files.readLines(path, request);
    // `stream` drops a character that a cut line ends in the middle of.
    const text = new TextDecoder("utf-8", { ignoreBOM: isRaw }).decode(bytes, { stream: true });
    return { ...rest, text };
  };
}

export function textLines(text: string): LineSource {
  const total = countLines(text);
  return (request) => partOf(text, total, request);
}

function partOf(text: string, total: number, { from, to, maxBytes }: PartRequest): Part {
  const start = startOf(text, 0, from - 1);
  if (start === -1 || from > total) return { text: "", count: 0, isLineCut: false, total };
  const wanted = Math.min(to, total) - from + 1;
  const found = startOf(text, start, wanted);
  const end = found === -1 ? text.length : found;
  // Most parts are far below the limit, which need not be counted out.
  if ((end - start) * 3 <= maxBytes) {
    return { text: text.slice(start, end), count: wanted, isLineCut: false, total };
  }
  return withinBytes(text, start, { wanted, maxBytes, total });
}

/** Where the line begins that is `lines` further on; -1 behind the end. */
function startOf(text: string, start: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0; left--) {
    const feed = text.indexOf("\n", at);
    if (feed === -1) return -1;
    at = feed + 1;
  }
  return at;
}

function withinBytes(
  text: string,
  start: number,
  { wanted, maxBytes, total }: { wanted: number; maxBytes: number; total: number },
): Part {
  let end = start;
  let bytes = 0;
  for (let count = 0; count < wanted; count++) {
    const feed = text.indexOf("\n", end);
    const next = feed === -1 ? text.length : feed + 1;
    bytes += Buffer.byteLength(text.slice(end, next));
    if (bytes > maxBytes) {
      const isLineCut = count === 0;
      const part = isLineCut ? headOf(text.slice(start, next), maxBytes) : text.slice(start, end);
      return { text: part, count: isLineCut ? 1 : count, isLineCut, total };
    }
    end = next;
  }
  return { text: text.slice(start, end), count: wanted, isLineCut: false, total };
}
