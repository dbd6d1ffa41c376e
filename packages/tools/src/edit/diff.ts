/** A change as people and models read it. */

import { rowOf } from "../shared/anchored.ts";
import type { FileText, LineChange } from "./file-text.ts";

const CONTEXT = 3;
const MAX_ROWS = 40;
const MAX_COLUMNS = 240;

/** A group of changes that are near each other, with the lines between them. */
interface Hunk {
  readonly changes: readonly LineChange[];
  /** Indexes of the old text. */
  readonly from: number;
  readonly to: number;
}

/** The unified form, without the names of the files. */
export function unifiedDiff(
  before: FileText,
  after: FileText,
  changes: readonly LineChange[],
): string {
  let shift = 0;
  const parts = hunksOf(changes, before.lines.length).map((hunk) => {
    const rows = hunkRows(before, after, hunk, shift);
    const added = hunk.changes.reduce((sum, { lines, count }) => sum + lines.length - count, 0);
    const [size, newSize] = [hunk.to - hunk.from, hunk.to - hunk.from + added];
    const head = `@@ -${span(hunk.from, size)} +${span(hunk.from + shift, newSize)} @@`;
    shift += added;
    return [head, ...rows].join("\n");
  });
  return parts.join("\n");
}

/** An empty range is named by the line before it. */
function span(from: number, size: number): string {
  return `${size === 0 ? from : from + 1},${size}`;
}

function hunksOf(changes: readonly LineChange[], lineCount: number): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const change of changes) {
    const from = Math.max(0, change.at - CONTEXT);
    const to = Math.min(lineCount, change.at + change.count + CONTEXT);
    const last = hunks.at(-1);
    if (last && from <= last.to) {
      hunks[hunks.length - 1] = { changes: [...last.changes, change], from: last.from, to };
    } else hunks.push({ changes: [change], from, to });
  }
  return hunks;
}

function hunkRows(before: FileText, after: FileText, hunk: Hunk, shift: number): string[] {
  const rows: string[] = [];
  const push = (sign: string, text: FileText, index: number) => {
    rows.push(sign + text.lines[index]!);
    if (text.ends[index] === "") rows.push("\\ No newline at end of file");
  };
  let next = hunk.from;
  let moved = shift;
  for (const { at, count, lines } of hunk.changes) {
    for (; next < at; next++) push(" ", before, next);
    for (; next < at + count; next++) push("-", before, next);
    for (let index = 0; index < lines.length; index++) push("+", after, at + moved + index);
    moved += lines.length - count;
  }
  for (; next < hunk.to; next++) push(" ", before, next);
  return rows;
}

/**
 * The changed lines with one line around them: removed ones with their old numbers, the others with their
 * new ones. Undefined for a change too large to be shown again to the model that wrote it.
 */
export function compactPreview(
  before: FileText,
  changes: readonly LineChange[],
): string | undefined {
  const rows: string[] = [];
  let shift = 0;
  let shownTo = 0;
  for (const { at, count, lines } of changes) {
    if (at - 1 > shownTo && rows.length > 0) rows.push(" ...");
    if (at > shownTo) rows.push(` ${row(at + shift, before.lines[at - 1]!)}`);
    for (let index = at; index < at + count; index++) {
      rows.push(`-${row(index + 1, before.lines[index]!)}`);
    }
    for (const [index, text] of lines.entries()) rows.push(`+${row(at + shift + index + 1, text)}`);
    shift += lines.length - count;
    shownTo = at + count;
    const following = before.lines[shownTo];
    const isNextChanged = changes.some((other) => other.at === shownTo && other.count > 0);
    if (following !== undefined && !isNextChanged) {
      rows.push(` ${row(shownTo + 1 + shift, following)}`);
      shownTo++;
    }
    if (rows.length > MAX_ROWS) return undefined;
  }
  return rows.length === 0 ? undefined : rows.join("\n");
}

function row(line: number, text: string): string {
  return rowOf(line, text.length > MAX_COLUMNS ? `${text.slice(0, MAX_COLUMNS)}…` : text);
}
