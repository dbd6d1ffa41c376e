/** Lines of a text file as the model sees them. */

import type { Files, LineRange, Lines } from "@omp/host";
import { footer } from "./page.ts";
import type { Selector } from "./selector.ts";

const DEFAULT_LINES = 300;
const MAX_LINES = 3000;
const MIN_BUDGET = 50 * 1024;
const BYTES_PER_LINE = 512;
/** What stands around a range is often what one needs to know next. */
const LINES_BEFORE = 1;
const LINES_AFTER = 3;

export function linesText(path: string, selector: Selector, files: Files): Promise<string> {
  return pageText(selector, (range) => files.readLines(path, range));
}

/** The same for lines that come from elsewhere. */
export async function pageText(
  selector: Selector,
  read: (range: LineRange) => Promise<Lines> | Lines,
): Promise<string> {
  const { from, to, maxBytes } = windowOf(selector);
  const lines = await read({ from, to, maxBytes });
  const { count, total } = lines;
  if (total === 0) return selector.isRaw ? "" : "(empty file)";
  if (total !== undefined && selector.from > total) return beyondEnd(selector.from, total);
  const text = decode(lines.bytes, selector);
  if (lines.isLineCut)
    return `${text}\n\n[Line ${from} is longer than ${maxBytes} bytes: only its beginning is shown]`;
  const more = footer({ from, to: from + count - 1, total });
  // Raw text brings its own line end, which is the first of the two in front of the footer.
  return text.endsWith("\n") ? text + more.slice(1) : text + more;
}

function windowOf({ isRaw, from, to }: Selector): { from: number; to: number; maxBytes: number } {
  if (to === undefined) return { from, to: from + DEFAULT_LINES - 1, maxBytes: MIN_BUDGET };
  const start = isRaw ? from : Math.max(1, from - LINES_BEFORE);
  const end = Math.min(isRaw ? to : to + LINES_AFTER, start + MAX_LINES - 1);
  const maxBytes = Math.max(MIN_BUDGET, BYTES_PER_LINE * (to - from + 1));
  return { from: start, to: end, maxBytes };
}

function beyondEnd(line: number, total: number): string {
  const size = `${total} ${total === 1 ? "line" : "lines"} total`;
  return `Line ${line} is beyond end of file (${size}). Use :1 to read from the start, or :${total} to read the last line.`;
}

/** `stream` drops a character that a cut line ends in the middle of. */
function decode(bytes: Uint8Array, { isRaw }: Selector): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: isRaw }).decode(bytes, { stream: true });
  return isRaw ? text : text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}
