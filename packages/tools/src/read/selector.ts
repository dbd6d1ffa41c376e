/** The part of a file that a path asks for: `a.ts:5-9`, `a.ts:raw`. Pure: what exists is not asked here. */

import { ToolFailure } from "@omp/agent";

export interface Span {
  /** Counted from 1. */
  readonly from: number;
  /** Absent when the end is left open. */
  readonly to?: number;
}

export interface Selector {
  /** The exact text: nothing is added, widened or cleaned. */
  readonly isRaw: boolean;
  /** In order, apart from each other; empty for the beginning. */
  readonly spans: readonly Span[];
  /** Several ranges were asked for, though they may have become one. */
  readonly isList: boolean;
  /** The conflicts of a merge instead of lines. */
  readonly wantsConflicts: boolean;
}

export const WHOLE: Selector = { isRaw: false, spans: [], isList: false, wantsConflicts: false };

const LAST_PART = /^(.+):([^:/]+)$/s;
const RANGE = /^L?(?<start>\d+)(?:(?:-|\.\.)(?:L?(?<end>\d+))?|\+(?<count>\d+))?$/i;

/**
 * Takes the selector off the end of a path. A last part that is no selector stays in the path; undefined
 * when there is none at all.
 */
export function splitSelector(path: string): { path: string; selector: Selector } | undefined {
  let rest = path;
  let isRaw = false;
  let wantsConflicts = false;
  let isList = false;
  let spans: readonly Span[] | undefined;
  for (;;) {
    const [, before, last] = LAST_PART.exec(rest) ?? [];
    if (before === undefined || last === undefined) break;
    if (last === "raw" && !isRaw) isRaw = true;
    else if (last === "conflicts" && !wantsConflicts) wantsConflicts = true;
    else {
      const found: readonly Span[] | undefined = spans ? undefined : spansOf(last);
      if (!found) break;
      spans = found;
      isList = last.includes(",");
    }
    rest = before;
  }
  if (rest === path) return undefined;
  return { path: rest, selector: { isRaw, spans: spans ?? [], isList, wantsConflicts } };
}

/** A text that is nothing but a selector; undefined for any other. */
export function parseSelector(text: string): Selector | undefined {
  const split = splitSelector(`x:${text}`);
  return split?.path === "x" ? split.selector : undefined;
}

function spansOf(text: string): readonly Span[] | undefined {
  const found = text.split(",").map((part) => RANGE.exec(part.trim()));
  if (found.some((range) => range === null)) return undefined;
  return merged(found.map((range) => spanOf(range!.groups!)));
}

function merged(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (!last || span.from > endOf(last) + 1) result.push(span);
    else if (endOf(span) > endOf(last)) {
      result[result.length - 1] = {
        from: last.from,
        ...(span.to === undefined ? {} : { to: span.to }),
      };
    }
  }
  return result;
}

function endOf({ to = Number.POSITIVE_INFINITY }: Span): number {
  return to;
}

function spanOf({ start, end, count }: Partial<Record<string, string>>): Span {
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
