/** What two texts have different, line by line. */

import { diffArrays } from "diff";
import type { FileText, LineChange } from "./file-text.ts";

/** Beyond this many differing lines a comparison takes seconds, and one large change says as much. */
const MAX_DIFFERENT = 1000;

/** In ascending order, with at least one equal line between two of them. Ends of lines count. */
export function changesBetween(before: FileText, after: FileText): readonly LineChange[] {
  const [old, now] = [keysOf(before), keysOf(after)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const [oldEnd, newEnd] = [old.length - tail, now.length - tail];
  if (head === oldEnd && head === newEnd) return [];
  const whole = { at: head, count: oldEnd - head, lines: after.lines.slice(head, newEnd) };
  const parts = diffArrays(old.slice(head, oldEnd), now.slice(head, newEnd), {
    maxEditLength: MAX_DIFFERENT,
  });
  return parts ? changesOf(parts, head, after) : [whole];
}

interface Part {
  readonly count: number;
  readonly added: boolean;
  readonly removed: boolean;
}

function changesOf(parts: readonly Part[], start: number, after: FileText): readonly LineChange[] {
  const changes: LineChange[] = [];
  let [old, now] = [start, start];
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

function keysOf({ lines, ends }: FileText): string[] {
  return lines.map((line, index) => line + ends[index]!);
}
