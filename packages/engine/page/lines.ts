/** Changes of a file as lines. Pure. */

import { diffLines } from "diff";

export interface DiffLine {
  readonly kind: "added" | "removed" | "same" | "gap";
  readonly text: string;
}

/** Unchanged lines around a change that are shown. */
const AROUND = 3;
/** Comparing takes time that grows with the number of changes. */
const MAX_EDITS = 2000;

export function linesBetween(before: string, after: string): readonly DiffLine[] {
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines = changes.flatMap(({ value, added, removed }) => {
    const kind = added ? "added" : removed ? "removed" : "same";
    return value
      .replace(/\n$/, "")
      .split("\n")
      .map((text): DiffLine => ({ kind, text }));
  });
  return lines.flatMap((line, index): DiffLine[] => {
    if (isNear(lines, index)) return [line];
    return isNear(lines, index - 1) || index === 0 ? [{ kind: "gap", text: "" }] : [];
  });
}

function isNear(lines: readonly DiffLine[], index: number): boolean {
  const around = lines.slice(Math.max(0, index - AROUND), Math.max(0, index + AROUND + 1));
  return around.some(({ kind }) => kind !== "same");
}

/** A diff that a tool wrote: lines that begin with `+`, `-` or a blank. */
export function linesOfDiff(diff: string): readonly DiffLine[] {
  return diff.split("\n").map((line): DiffLine => {
    if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@") || line === "...")
      return { kind: "gap", text: line };
    if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
    if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
    return { kind: "same", text: line.replace(/^ /, "") };
  });
}
