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
  const merged = merge(mine, old, now);
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
): readonly string[] | undefined {
  const head = sharedHead([mine, old, now]);
  const tail = sharedTail([mine, old, now], head);
  const middle = (lines: readonly string[]) => lines.slice(head, lines.length - tail);
  const parts = [middle(mine), middle(old), middle(now)] as const;
  if (stepsOf(parts[0], parts[1]) + stepsOf(parts[1], parts[2]) > MAX_STEPS) return undefined;
  const regions = diff3Merge([...parts[0]], [...parts[1]], [...parts[2]], {
    excludeFalseConflicts: false,
  });
  const merged: string[] = [];
  for (const { ok } of regions) {
    if (!ok) return undefined;
    for (const line of ok) merged.push(line);
  }
  return [...old.slice(0, head), ...merged, ...old.slice(old.length - tail)];
}

/** Pairs of equal lines: what the comparison has to look at. */
function stepsOf(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  return b.reduce((sum, line) => sum + (counts.get(line) ?? 0), a.length + b.length);
}

function sharedHead([a, b, c]: readonly (readonly string[])[]): number {
  const most = Math.min(a!.length, b!.length, c!.length);
  let count = 0;
  while (count < most && a![count] === b![count] && b![count] === c![count]) count++;
  return count;
}

function sharedTail([a, b, c]: readonly (readonly string[])[], head: number): number {
  const most = Math.min(a!.length, b!.length, c!.length) - head;
  let count = 0;
  const at = (lines: readonly string[]) => lines[lines.length - 1 - count];
  while (count < most && at(a!) === at(b!) && at(b!) === at(c!)) count++;
  return count;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
