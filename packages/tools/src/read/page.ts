/** Lines as the model sees them: which ones, with what in front, and how to go on. */

import { headOf } from "@omp/std";
import { rowOf } from "../shared/anchored.ts";
import type { Reading } from "../shared/reading.ts";
import type { Selector, Span } from "./selector.ts";

/** Lines that were asked for. */
export interface Part {
  /** With their line ends. */
  readonly text: string;
  readonly count: number;
  /** The first line was longer than the limit, and only its beginning is here. */
  readonly isLineCut: boolean;
  /** Lines of the whole; undefined when nobody counted. */
  readonly total: number | undefined;
}

export interface PartRequest {
  readonly from: number;
  readonly to: number;
  readonly maxBytes: number;
}

/** Where lines come from: a file of any size, or a text. */
export type LineSource = (request: PartRequest) => Promise<Part> | Part;

export interface PageStyle extends Pick<Reading, "defaultLimit" | "maxColumns"> {
  /** A number in front of each line. */
  readonly isNumbered: boolean;
}

/** What was shown, for whoever draws it or goes on reading. */
export interface PageDetails {
  readonly from: number;
  readonly to: number;
  readonly totalLines?: number;
  readonly nextLine?: number;
}

export interface RenderedPage {
  readonly text: string;
  /** Without numbers; absent where there is nothing to show. */
  readonly displayContent?: { readonly text: string; readonly startLine: number };
  readonly shown?: PageDetails;
}

const MAX_LINES = 3000;
const MIN_BUDGET = 50 * 1024;
const BYTES_PER_LINE = 512;
/** What stands around a range is often what one needs to know next. */
const LINES_BEFORE = 1;
const LINES_AFTER = 3;

export async function renderPage(
  selector: Selector,
  source: LineSource,
  style: PageStyle,
): Promise<RenderedPage> {
  if (selector.spans.length > 1) return renderSeveral(selector, source, style);
  const span = selector.spans[0] ?? { from: 1 };
  const { from, to, maxBytes } = windowOf(span, selector.isRaw || selector.isList, style);
  const part = await source({ from, to, maxBytes });
  const { count, total } = part;
  if (total === 0) return { text: selector.isRaw ? "" : "(empty file)" };
  if (total !== undefined && span.from > total) return { text: beyondEnd(span.from, total) };
  const last = from + count - 1;
  const rendered = rendering(part, from, selector, style);
  const isTold = part.isLineCut && (selector.isRaw || style.maxColumns === 0);
  const more = isTold
    ? `\n\n[Line ${from} is longer than ${maxBytes} bytes: only its beginning is shown]`
    : selector.isList
      ? ""
      : footer({ from, to: last, total });
  return {
    // Raw text brings its own line end, which is the first of the two in front of the footer.
    text: rendered.text + (rendered.text.endsWith("\n") ? more.slice(1) : more),
    displayContent: { text: rendered.plain, startLine: from },
    shown: {
      from,
      to: last,
      ...(total === undefined ? {} : { totalLines: total }),
      ...(total === undefined || last < total ? { nextLine: last + 1 } : {}),
    },
  };
}

/** Just the lines that were asked for, a mark where some are left out, and no footer. */
async function renderSeveral(
  selector: Selector,
  source: LineSource,
  style: PageStyle,
): Promise<RenderedPage> {
  const texts: string[] = [];
  let last = 0;
  let left = MAX_LINES;
  let total: number | undefined;
  for (const { from, to = from + style.defaultLimit - 1 } of selector.spans) {
    if (left <= 0) break;
    const end = Math.min(to, from + left - 1);
    const maxBytes = budgetOf(end - from + 1);
    const part = await source({ from, to: end, maxBytes });
    total = part.total;
    if (part.count === 0 && !part.isLineCut) {
      texts.push(total === undefined ? `[No line ${from}]` : beyondEnd(from, total));
      break;
    }
    const { text } = rendering(part, from, selector, style);
    texts.push(text.replace(/\n$/, ""));
    left -= part.count;
    last = from + part.count - 1;
  }
  const { from } = selector.spans[0]!;
  return {
    text: texts.join("\n…\n"),
    shown: { from, to: last, ...(total === undefined ? {} : { totalLines: total }) },
  };
}

/** @param isExact nothing of what is around */
function windowOf(span: Span, isExact: boolean, { defaultLimit }: PageStyle): PartRequest {
  const { from, to } = span;
  if (to === undefined) {
    const lines = Math.min(Math.max(1, defaultLimit), MAX_LINES);
    const maxBytes = defaultLimit > MAX_LINES ? budgetOf(lines) : MIN_BUDGET;
    return { from, to: from + lines - 1, maxBytes };
  }
  const start = isExact ? from : Math.max(1, from - LINES_BEFORE);
  const end = Math.min(isExact ? to : to + LINES_AFTER, start + MAX_LINES - 1);
  return { from: start, to: end, maxBytes: budgetOf(end - start + 1) };
}

function budgetOf(lines: number): number {
  return Math.max(MIN_BUDGET, BYTES_PER_LINE * lines);
}

function rendering(
  { text }: Part,
  from: number,
  { isRaw }: Selector,
  { isNumbered, maxColumns }: PageStyle,
): { readonly text: string; readonly plain: string } {
  if (isRaw) return { text, plain: text };
  const whole = linesOf(text);
  const isWide = maxColumns > 0 && whole.some((line) => isTooWide(line, maxColumns));
  const lines = isWide ? whole.map((line) => shortened(line, maxColumns)) : whole;
  // Most texts are shown as they are, and then there is no need to put them together again.
  const isSame = !isWide && !text.includes("\r");
  const plain = isSame ? text.slice(0, text.endsWith("\n") ? -1 : undefined) : lines.join("\n");
  if (!isNumbered) return { text: plain, plain };
  return { text: lines.map((line, at) => rowOf(from + at, line)).join("\n"), plain };
}

/** Without line ends. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return text.includes("\r") ? lines.map((line) => line.replace(/\r$/, "")) : lines;
}

/** Perhaps: no unit is longer than three bytes. */
function isTooWide(line: string, maxBytes: number): boolean {
  return line.length * 3 > maxBytes;
}

/** A line as it is shown, which need not be all of it. */
export function shortened(line: string, maxBytes: number): string {
  if (maxBytes === 0 || !isTooWide(line, maxBytes)) return line;
  const head = headOf(line, maxBytes);
  return head.length === line.length ? line : `${head}…`;
}

/** The last line after a blank one, or nothing when the end was shown. */
function footer({
  from,
  to,
  total,
}: {
  from: number;
  to: number;
  total: number | undefined;
}): string {
  if (to === total) return "";
  const ofTotal = total === undefined ? "" : ` of ${total}`;
  return `\n\n[Showing lines ${from}-${to}${ofTotal}. Use :${to + 1} to continue]`;
}

function beyondEnd(line: number, total: number): string {
  const size = `${total} ${total === 1 ? "line" : "lines"} total`;
  return `Line ${line} is beyond end of file (${size}). Use :1 to read from the start, or :${total} to read the last line.`;
}
