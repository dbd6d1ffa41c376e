/** An edit made from an older view of a file, brought onto the file as it is now. Proven or not at all. */

import { diffArrays } from "diff";
import { diff3Merge } from "node-diff3";
import { sameLine } from "../../shared/same-content.ts";
import { parseText, type FileText } from "../file-text.ts";
import { applyOperations } from "./apply.ts";
import type { Operation } from "./parse.ts";

/** Lines around a place that must be as they were. */
const CONTEXT = 3;
/** Comparing costs about this many steps at worst; more would keep the person waiting. */
const MAX_STEPS = 4_000_000;
const MAX_DIFFERENT = 1000;
/** Lines of a common run that a merge sees at both sides. */
const NEAR = 20;

/**
 * The operations at the places where their lines are now. Undefined unless all ways agree on them: the lines
 * with those around them are found once in both texts, they are matched alike whether the texts are compared
 * from above or from below, and a three-way merge comes to the same result.
 */
export function recover(
  operations: readonly Operation[],
  snapshot: string,
  current: FileText,
): readonly Operation[] | undefined {
  const base = parseText(snapshot);
  const old = base.lines.map(sameLine);
  const now = current.lines.map(sameLine);
  if (stepsOf(old, now) > MAX_STEPS) return undefined;
  const matches = matchesBetween(old, now);
  const moved: Operation[] = [];
  for (const operation of operations) {
    const shift = shiftOf(operation, old, now);
    if (shift === undefined || !isMatched(operation, shift, matches)) return undefined;
    moved.push(shiftedBy(operation, shift));
  }
  if (!keepsOrder(operations, moved)) return undefined;
  const mine = applyOperations(base, operations).lines.map(sameLine);
  const merged = merge(mine, old, now, matches[0]);
  if (merged === undefined) return undefined;
  const result = applyOperations(current, moved).lines.map(sameLine);
  return isSame(result, merged) ? moved : undefined;
}

function shiftOf(
  operation: Operation,
  old: readonly string[],
  now: readonly string[],
): number | undefined {
  const { at, count, edge } = operation;
  if (edge) return 0;
  const from = Math.max(0, at - CONTEXT);
  const block = old.slice(from, Math.min(old.length, at + count + CONTEXT));
  if (placesOf(block, old).length !== 1) return undefined;
  const places = placesOf(block, now);
  if (places.length !== 1 || isMultiplied(operation, old, now)) return undefined;
  return places[0]! - from;
}

/** There are more such lines than before: one of the new ones may look like the place, and not be it. */
function isMultiplied(
  { at, count, anchors }: Operation,
  old: readonly string[],
  now: readonly string[],
): boolean {
  const first = (anchors[0]?.line ?? at + 1) - 1;
  const own = old.slice(first, first + Math.max(1, count));
  const isTelling = own.some((line) => /[\p{L}\p{N}]{3}/u.test(line));
  const wider = old.slice(Math.max(0, at - 1), at + count + 1);
  return [...(isTelling ? [own] : []), wider].some(
    (lines) => countOf(lines, now) > countOf(lines, old),
  );
}

function countOf(block: readonly string[], lines: readonly string[]): number {
  return placesOf(block, lines, Number.POSITIVE_INFINITY).length;
}

/** Where the block stands; two places are enough to know that it is not one. */
function placesOf(block: readonly string[], lines: readonly string[], most = 2): number[] {
  const places: number[] = [];
  for (let at = 0; at + block.length <= lines.length && places.length < most; at++) {
    if (block.every((line, index) => lines[at + index] === line)) places.push(at);
  }
  return places;
}

/** Where each old line is now, compared from above and from below; -1 for one that is gone. */
type Matches = readonly [Int32Array, Int32Array];

function matchesBetween(old: readonly string[], now: readonly string[]): Matches {
  const below = matchLines(old.toReversed(), now.toReversed());
  const last = now.length - 1;
  const turned = below.map((index) => (index === -1 ? -1 : last - index)).toReversed();
  return [matchLines(old, now), turned];
}

function matchLines(old: readonly string[], now: readonly string[]): Int32Array {
  const matches = new Int32Array(old.length).fill(-1);
  const parts = diffArrays([...old], [...now], { maxEditLength: MAX_DIFFERENT }) ?? [];
  let [at, to] = [0, 0];
  for (const { count, added, removed } of parts) {
    if (!added && !removed) for (let step = 0; step < count; step++) matches[at + step] = to + step;
    if (!added) at += count;
    if (!removed) to += count;
  }
  return matches;
}

/** What an operation names, and the lines at both sides of it, must have one place. */
function isMatched({ at, count, edge }: Operation, shift: number, matches: Matches): boolean {
  if (edge) return true;
  const [above, below] = matches;
  const last = Math.min(above.length - 1, at + count);
  for (let line = Math.max(0, at - 1); line <= last; line++) {
    if (above[line] !== line + shift || below[line] !== line + shift) return false;
  }
  return true;
}

function shiftedBy(operation: Operation, shift: number): Operation {
  if (shift === 0) return operation;
  const anchors = operation.anchors.map((anchor) => ({ ...anchor, line: anchor.line + shift }));
  return { ...operation, at: operation.at + shift, anchors };
}

/** Lines that changed places must not let operations change theirs. */
function keepsOrder(before: readonly Operation[], after: readonly Operation[]): boolean {
  const order = before.map((_, index) => index).sort((a, b) => before[a]!.at - before[b]!.at);
  return order.every((index, position) => {
    const previous = order[position - 1];
    return previous === undefined || after[previous]!.at <= after[index]!.at;
  });
}

/** Undefined on a conflict, and where comparing would take too long. */
function merge(
  mine: readonly string[],
  old: readonly string[],
  now: readonly string[],
  toNow: Int32Array,
): readonly string[] | undefined {
  const texts = shortened(mine, old, now, toNow);
  const [a, o, b] = [texts.mine, texts.old, texts.now];
  if (stepsOf(a, o) + stepsOf(o, b) > MAX_STEPS || o.length * o.length > MAX_STEPS)
    return undefined;
  const merged: string[] = [];
  for (const { ok } of diff3Merge(a, o, b, { excludeFalseConflicts: false })) {
    if (!ok) return undefined;
    for (const line of ok) {
      const run = texts.runs.get(line);
      if (run) for (let at = run.from; at < run.to; at++) merged.push(old[at]!);
      else merged.push(line);
    }
  }
  return merged;
}

/**
 * Long runs that all three have in common, as one line each: the merge looks at every pair of lines, and what
 * is far from any change has no say in it.
 */
function shortened(
  mine: readonly string[],
  old: readonly string[],
  now: readonly string[],
  toNow: Int32Array,
) {
  const toMine = matchLines(old, mine);
  const runs = new Map<string, { readonly from: number; readonly to: number }>();
  const texts = { mine: [] as string[], old: [] as string[], now: [] as string[], runs };
  const at = { mine: 0, old: 0, now: 0 };
  const copy = (to: typeof at) => {
    for (let line = at.mine; line < to.mine; line++) texts.mine.push(mine[line]!);
    for (let line = at.old; line < to.old; line++) texts.old.push(old[line]!);
    for (let line = at.now; line < to.now; line++) texts.now.push(now[line]!);
    Object.assign(at, to);
  };
  for (const { from, to } of sharedRuns(toMine, toNow)) {
    const [start, end] = [from + NEAR, to - NEAR];
    if (end - start < NEAR) continue;
    copy({ mine: toMine[start]!, old: start, now: toNow[start]! });
    const token = `\0${start}`;
    runs.set(token, { from: start, to: end });
    for (const list of [texts.mine, texts.old, texts.now]) list.push(token);
    const size = end - start;
    Object.assign(at, { mine: at.mine + size, old: end, now: at.now + size });
  }
  copy({ mine: mine.length, old: old.length, now: now.length });
  return texts;
}

/** Lines that follow each other in all three texts. */
function* sharedRuns(
  toMine: Int32Array,
  toNow: Int32Array,
): Generator<{ from: number; to: number }> {
  let from = 0;
  for (let line = 0; line <= toMine.length; line++) {
    const isKept = line < toMine.length && toMine[line] !== -1 && toNow[line] !== -1;
    const isNext =
      isKept &&
      line > from &&
      toMine[line] === toMine[line - 1]! + 1 &&
      toNow[line] === toNow[line - 1]! + 1;
    if (isNext) continue;
    if (line > from) yield { from, to: line };
    from = isKept ? line : line + 1;
  }
}

/** Pairs of equal lines: what a comparison has to look at. */
function stepsOf(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  return b.reduce((sum, line) => sum + (counts.get(line) ?? 0), a.length + b.length);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
