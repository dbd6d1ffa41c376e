/** The part of a file that a path asks for: `a.ts:5-9`, `a.ts:raw`. Pure: what exists is not asked here. */

import { ToolFailure } from "@omp/agent";

export interface Selector {
  /** The exact text: nothing is added, widened or cleaned. */
  readonly isRaw: boolean;
  /** Counted from 1. */
  readonly from: number;
  /** Absent when the end is left open. */
  readonly to?: number;
}

export const WHOLE: Selector = { isRaw: false, from: 1 };

const LAST_PART = /^(.+):([^:/]+)$/s;
const RANGE = /^L?(?<start>\d+)(?:(?:-|\.\.)(?:L?(?<end>\d+))?|\+(?<count>\d+))?$/i;

/**
 * Takes the selector off the end of a path. A last part that is no selector stays in the path; undefined
 * when there is none at all.
 */
export function splitSelector(path: string): { path: string; selector: Selector } | undefined {
  let rest = path;
  let isRaw = false;
  let range: Omit<Selector, "isRaw"> | undefined;
  for (;;) {
    const [, before, last] = LAST_PART.exec(rest) ?? [];
    if (before === undefined || last === undefined) break;
    const found = RANGE.exec(last);
    if (last === "raw" && !isRaw) isRaw = true;
    else if (found && !range) range = rangeOf(found.groups!);
    else break;
    rest = before;
  }
  if (rest === path) return undefined;
  return { path: rest, selector: { isRaw, ...(range ?? { from: 1 }) } };
}

function rangeOf({ start, end, count }: Partial<Record<string, string>>): {
  from: number;
  to?: number;
} {
  const from = Number(start);
  if (from === 0) {
    throw new ToolFailure("Line selector 0 is invalid; lines are 1-indexed. Use :1.");
  }
  if (count !== undefined) {
    if (Number(count) === 0) throw new ToolFailure(`Invalid range ${from}+0: it has no lines.`);
    return { from, to: from + Number(count) - 1 };
  }
  if (end === undefined) return { from };
  const to = Number(end);
  if (to < from) throw new ToolFailure(`Invalid range ${from}-${to}: end must be >= start.`);
  return { from, to };
}
