/** What two texts have different, line by line. */

import { diffArrays } from "diff";
import type { FileText, LineChange } from "./file-text.ts";

/** Beyond this many differing lines a comparison takes seconds, and one large change says as much. */
const MAX_DIFFERENT = 1000;

/**
 * In ascending order, with at least one equal line between two of them. Ends of lines count.
 * @param regions where to look, as changes that lead from one text to the other; everywhere when absent
 */
export function changesBetween(
  before: FileText,
  after: FileText,
  regions?: readonly LineChange[],
): readonly LineChange[] {
  const everywhere = [{ at: 0, count: before.lines.length, lines: after.lines }];
  const looked = regions && !reachesOpenEnd(before, regions) ? regions : everywhere;
  let shift = 0;
  return joined(looked).flatMap((region) => {
    const from = region.at + shift;
    shift += region.added - region.count;
    return changesIn(before, after, { ...region, from });
  });
}

/** Where the last line has no end, a change there changes the end of the line before it, too. */
function reachesOpenEnd({ lines, ends }: FileText, regions: readonly LineChange[]): boolean {
  return ends.at(-1) === "" && regions.some(({ at, count }) => at + count >= lines.length);
}

interface Region {
  readonly at: number;
  readonly count: number;
  /** How many lines are there instead. */
  readonly added: number;
}

/** Regions that touch are one. */
function joined(changes: readonly LineChange[]): readonly Region[] {
  const regions: { at: number; count: number; added: number }[] = [];
  for (const { at, count, lines } of changes) {
    const last = regions.at(-1);
    if (!last || last.at + last.count < at) {
      regions.push({ at, count, added: lines.length });
      continue;
    }
    last.count = Math.max(last.count, at + count - last.at);
    last.added += lines.length;
  }
  return regions;
}

function changesIn(
  before: FileText,
  after: FileText,
  { at, count, added, from }: Region & { readonly from: number },
): readonly LineChange[] {
  const isSame = (old: number, now: number) =>
    before.lines[old] === after.lines[now] && before.ends[old] === after.ends[now];
  const most = Math.min(count, added);
  let head = 0;
  while (head < most && isSame(at + head, from + head)) head++;
  let tail = 0;
  while (tail < most - head && isSame(at + count - 1 - tail, from + added - 1 - tail)) tail++;
  const [oldEnd, newEnd] = [at + count - tail, from + added - tail];
  const [oldStart, newStart] = [at + head, from + head];
  if (oldStart === oldEnd && newStart === newEnd) return [];
  const whole = {
    at: oldStart,
    count: oldEnd - oldStart,
    lines: after.lines.slice(newStart, newEnd),
  };
  if (whole.count === 0 || whole.lines.length === 0) return [whole];
  const parts = diffArrays(keysOf(before, oldStart, oldEnd), keysOf(after, newStart, newEnd), {
    maxEditLength: MAX_DIFFERENT,
  });
  return parts ? changesOf(parts, { old: oldStart, now: newStart }, after) : [whole];
}

interface Part {
  readonly count: number;
  readonly added: boolean;
  readonly removed: boolean;
}

function changesOf(
  parts: readonly Part[],
  start: { readonly old: number; readonly now: number },
  after: FileText,
): readonly LineChange[] {
  const changes: LineChange[] = [];
  let { old, now } = start;
  let open: { at: number; count: number; from: number } | undefined;
  const close = () => {
    if (!open) return;
    const { at, count, from } = open;
    changes.push({ at, count, lines: after.lines.slice(from, now) });
    open = undefined;
  };
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      close();
      old += count;
      now += count;
      continue;
    }
    open ??= { at: old, count: 0, from: now };
    if (removed) {
      open.count += count;
      old += count;
    } else now += count;
  }
  close();
  return changes;
}

function keysOf({ lines, ends }: FileText, from: number, to: number): string[] {
  return lines.slice(from, to).map((line, index) => line + ends[from + index]!);
}
