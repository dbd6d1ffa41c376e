/** Lets a person decide about each place of an edit, and tells the model what came of it. */

import type { EditHunk, HunkDecision } from "@omp/agent";
import { ToolFailure } from "@omp/agent";
import type { Editing } from "../shared/editing.ts";
import { changesBetween } from "./changes.ts";
import { changeLines, EMPTY, type LineChange } from "./file-text.ts";
import type { PlannedChange } from "./planned.ts";

interface Reviewed {
  readonly changes: readonly PlannedChange[];
  /** For the model: what was not applied as it was sent. */
  readonly notes: readonly string[];
}

export async function reviewed(
  planned: readonly PlannedChange[],
  signal: AbortSignal,
  { hunkGate }: Pick<Editing, "hunkGate">,
): Promise<Reviewed> {
  if (!hunkGate) return { changes: planned, notes: [] };
  const files = planned.map((change) => ({ change, parts: partsOf(change) }));
  const hunks = files.flatMap(({ change, parts }) => parts.map((part) => hunkOf(change, part)));
  const decisions = await hunkGate.review(hunks, signal);
  const notes: string[] = [];
  const changes: PlannedChange[] = [];
  let next = 0;
  for (const { change, parts } of files) {
    const own = decisions.slice(next, (next += parts.length));
    parts.forEach((part, index) => {
      const note = noteOf(hunkOf(change, part), own[index]);
      if (note !== undefined) notes.push(note);
    });
    const decided = decide(change, parts, own);
    if (decided) changes.push(decided);
  }
  if (changes.length === 0) {
    throw new ToolFailure(
      "The person rejected the whole edit. Nothing was written. Ask what they want.",
    );
  }
  return { changes, notes };
}

function partsOf({ before, after, regions }: PlannedChange): readonly LineChange[] {
  return changesBetween(before?.text ?? EMPTY, after ?? EMPTY, regions);
}

function hunkOf({ before, shown }: PlannedChange, { at, count, lines }: LineChange): EditHunk {
  const removed = before?.text.lines.slice(at, at + count) ?? [];
  return { path: shown, line: at + 1, before: removed, after: lines };
}

/** Whoever does not answer has not agreed. */
function noteOf(hunk: EditHunk, decision: HunkDecision | undefined): string | undefined {
  const where = `${hunk.path}:${hunk.line}`;
  switch (decision?.kind) {
    case "accept":
      return undefined;
    case "amend":
      return [`${where}: the person changed your text to:`, ...decision.after].join("\n");
    case "reject":
    case undefined:
      return `${where}: the person rejected this part; it was not applied.`;
  }
}

/** Undefined when nothing of the change is left. */
function decide(
  change: PlannedChange,
  parts: readonly LineChange[],
  decisions: readonly (HunkDecision | undefined)[],
): PlannedChange | undefined {
  const kept = parts.flatMap((part, index): LineChange[] => {
    const decision = decisions[index];
    if (decision?.kind === "accept") return [part];
    return decision?.kind === "amend" ? [{ ...part, lines: decision.after }] : [];
  });
  const isWhole = kept.length === parts.length && kept.every((part, i) => part === parts[i]);
  if (isWhole) return change;
  if (kept.length === 0) return undefined;
  const { newPlace: _, regions: _regions, ...stays } = change;
  return { ...stays, after: changeLines(change.before?.text ?? EMPTY, kept) };
}
