/** A long source at first look: its declarations, with what is inside of them left out. */

import { rowOf } from "../shared/anchored.ts";
import type { Fold, Outline, Reading } from "../shared/reading.ts";
import { indentFolds } from "./indent-outline.ts";
import { linesOf, shortened, type PageStyle } from "./page.ts";
import type { Target } from "./target.ts";

export interface SummaryRules extends Pick<Reading, "outline"> {
  readonly enabled: boolean;
  readonly prose: boolean;
  readonly minTotalLines: number;
}

export interface Summary {
  readonly text: string;
  readonly counts: {
    readonly lines: number;
    readonly elidedSpans: number;
    readonly elidedLines: number;
  };
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINES = 20_000;
const MAX_EXAMPLES = 4;
/** A first look should have about this many lines, and never more than the second number by opening folds. */
const UNFOLD_UNTIL = 50;
const UNFOLD_LIMIT = 100;
const MAX_SHOWN = 1000;
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;

/** Undefined where the text itself is the better first look. */
export async function summaryOf(
  { path, given, selector, isWhole = false }: Target,
  text: string,
  { enabled, prose, minTotalLines, outline }: SummaryRules,
  style: PageStyle,
): Promise<Summary | undefined> {
  const isAsked = enabled && !isWhole && !selector.isRaw && selector.spans.length === 0;
  if (!isAsked || text.length > MAX_BYTES || (PROSE.test(path) && !prose)) return undefined;
  const lines = linesOf(text.replace(/^\ufeff/, ""));
  if (lines.length < minTotalLines || lines.length > MAX_LINES) return undefined;
  const folds = opened((await foldsOf(path, lines, outline)) ?? [], lines.length);
  const elidedLines = folds.reduce((sum, fold) => sum + sizeOf(fold), 0);
  if (folds.length === 0 || lines.length - elidedLines > MAX_SHOWN) return undefined;
  const rows = rowsOf(lines, folds, style);
  const counts = { lines: lines.length, elidedSpans: folds.length, elidedLines };
  return { text: `${rows.join("\n")}\n\n${footer(given, folds, elidedLines)}`, counts };
}

async function foldsOf(path: string, lines: readonly string[], outline: Outline | undefined) {
  if (PROSE.test(path)) return sections(lines);
  return outline ? outline.folds(path, lines) : indentFolds(path, lines);
}

/** What stands below each heading. */
function sections(lines: readonly string[]): readonly Fold[] {
  const headings = lines.flatMap((line, at) => (/^#{1,6} /.test(line) ? [at] : []));
  return headings.flatMap((at, nth) => {
    const next = headings[nth + 1] ?? lines.length;
    return next - at - 1 >= 4 ? [{ from: at + 2, to: next, inner: [] }] : [];
  });
}

/** Opens folds from the outside in while the look is too short to tell much. */
function opened(folds: readonly Fold[], total: number): readonly Fold[] {
  let result = folds;
  let visible = total - folds.reduce((sum, fold) => sum + sizeOf(fold), 0);
  const queue = [...folds];
  for (let fold = queue.shift(); fold && visible < UNFOLD_UNTIL; fold = queue.shift()) {
    const gained = sizeOf(fold) - fold.inner.reduce((sum, inner) => sum + sizeOf(inner), 0);
    if (visible + gained > UNFOLD_LIMIT) continue;
    visible += gained;
    result = result.flatMap((other) => (other === fold ? fold.inner : [other]));
    queue.push(...fold.inner);
  }
  return result;
}

function sizeOf({ from, to }: Fold): number {
  return to - from + 1;
}

function rowsOf(
  lines: readonly string[],
  folds: readonly Fold[],
  { isNumbered, maxColumns }: PageStyle,
): readonly string[] {
  const rows: string[] = [];
  const row = (line: number) => {
    const text = shortened(lines[line - 1]!, maxColumns);
    rows.push(isNumbered ? rowOf(line, text) : text);
  };
  let next = 1;
  for (const { from, to } of folds) {
    for (; next < from - 1; next++) row(next);
    const head = next < from ? lines[next - 1]! : "";
    const merged = mergedRow(head, lines[to]);
    if (merged !== undefined && next < from) {
      rows.push(isNumbered ? `${next}-${to + 1}:${shortened(merged, maxColumns)}` : merged);
      next = to + 2;
      continue;
    }
    if (next < from) row(next);
    rows.push(isNumbered ? `${from}-${to}:…` : "…");
    next = to + 1;
  }
  for (; next <= lines.length; next++) row(next);
  return rows;
}

/** `f() {` and `}` around a body become one line. */
function mergedRow(head: string, foot: string | undefined): string | undefined {
  const closing = foot?.trimStart();
  if (!/[{([]$/.test(head.trimEnd()) || closing === undefined || !/^[})\]]/.test(closing)) {
    return undefined;
  }
  return `${head.trimEnd()} … ${closing}`;
}

function footer(given: string, folds: readonly Fold[], elided: number): string {
  const ranges = folds.slice(0, MAX_EXAMPLES).map(({ from, to }) => `${from}-${to}`);
  return `[…${elided}ln elided; re-read needed ranges, e.g. ${given}:${ranges.join(",")}]`;
}
