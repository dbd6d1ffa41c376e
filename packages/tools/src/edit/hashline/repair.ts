/** Common slips in payload, repaired where they can be nothing else: copied decoration, repeated neighbours. */

import { withoutAnchors } from "../../shared/anchored.ts";
import type { Operation } from "./parse.ts";

export interface Repaired {
  readonly operations: readonly Operation[];
  readonly warnings: readonly string[];
}

/** Payload that was copied with the numbers it was shown with. */
export function dropDecoration(
  lines: readonly string[],
  operations: readonly Operation[],
): Repaired {
  let isCleaned = false;
  const repaired = operations.map((operation) => {
    const startsAt = operation.count > 0 ? operation.at + 1 : undefined;
    const clean = withoutAnchors(
      operation.lines,
      (line, text) => line === startsAt || lines[line - 1] === text,
    );
    isCleaned ||= clean !== undefined;
    return clean ? { ...operation, lines: clean } : operation;
  });
  const warnings = isCleaned ? ["Line numbers copied into the payload were removed."] : [];
  return { operations: repaired, warnings };
}

/** @param dropsFromInserts also operations that only insert are repaired */
export function dropRepeats(
  lines: readonly string[],
  operations: readonly Operation[],
  { dropsFromInserts }: { readonly dropsFromInserts: boolean },
): Repaired {
  const warnings: string[] = [];
  const repaired = operations.map((operation) => {
    const isInsert = operation.count === 0;
    if (operation.edge || (isInsert && !dropsFromInserts)) return operation;
    const kept = withoutRepeats(lines, operation, operations);
    const dropped = operation.lines.length - kept.length;
    if (dropped === 0) return operation;
    const what = dropped === 1 ? "1 payload line" : `${dropped} payload lines`;
    warnings.push(
      `line ${operation.inputLine}: ${what} repeated the neighbouring lines of the file and ` +
        `${dropped === 1 ? "was" : "were"} left out.`,
    );
    return { ...operation, lines: kept };
  });
  return { operations: repaired, warnings };
}

function withoutRepeats(
  lines: readonly string[],
  { at, count, lines: payload }: Operation,
  all: readonly Operation[],
): readonly string[] {
  const isFree = (index: number) =>
    !all.some((other) => other.count > 0 && index >= other.at && index < other.at + other.count);
  const above = repeatCount(payload, lines.slice(Math.max(0, at - payload.length), at), "above");
  const head = isFree(at - 1) && isTelling(lines, payload.slice(0, above)) ? above : 0;
  const rest = payload.slice(head);
  const end = at + count;
  const below = repeatCount(rest, lines.slice(end, end + rest.length), "below");
  const tail = isFree(end) && isTelling(lines, rest.slice(rest.length - below)) ? below : 0;
  const kept = rest.slice(0, rest.length - tail);
  // Nothing but repetition is no slip at the edges: it may well be what is wanted.
  return kept.length === 0 ? payload : kept;
}

/** How many lines at that side of the payload are those of the file, in the same order. */
function repeatCount(
  payload: readonly string[],
  near: readonly string[],
  side: "above" | "below",
): number {
  for (let size = Math.min(payload.length, near.length); size > 0; size--) {
    const mine = side === "above" ? payload.slice(0, size) : payload.slice(-size);
    const theirs = side === "above" ? near.slice(-size) : near.slice(0, size);
    if (mine.every((line, index) => line === theirs[index])) return size;
  }
  return 0;
}

/** Brackets and blank lines repeat all the time; a line with words that is there only once does not. */
function isTelling(lines: readonly string[], repeated: readonly string[]): boolean {
  return repeated.some((line) => {
    if (!/[\p{L}\p{N}]{3}/u.test(line)) return false;
    return lines.indexOf(line) === lines.lastIndexOf(line);
  });
}
