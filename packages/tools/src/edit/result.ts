/** What the model and the front ends are told about an edit that was made. */

import { textOutput, type ToolOutput } from "@omp/agent";
import { headerOf } from "../shared/anchored.ts";
import type { Editing } from "../shared/editing.ts";
import { compactPreview, unifiedDiff } from "./diff.ts";
import { EMPTY, type LineChange } from "./file-text.ts";
import type { PlannedChange } from "./planned.ts";

export interface Done extends PlannedChange {
  /** Of the new content; undefined for a file that is gone. */
  readonly tag: string | undefined;
  readonly changes: readonly LineChange[];
}

export interface FileResult {
  readonly path: string;
  readonly op: "create" | "update" | "delete";
  /** Unified. */
  readonly diff: string;
  /** Counted in the new text. */
  readonly firstChangedLine?: number;
  /** Where the file went. */
  readonly movedTo?: string;
  readonly meta: { readonly sourcePath: string };
}

export interface EditDetails extends FileResult {
  /** When a call changed several files. */
  readonly perFileResults?: readonly FileResult[];
}

export function resultOf(
  done: readonly Done[],
  { notes, editing }: { readonly notes: readonly string[]; readonly editing: Editing },
): ToolOutput<EditDetails> {
  const results = done.map(fileResult);
  const warnings = [...new Set(done.flatMap((change) => change.warnings))];
  const blocks = done.map((change) => shownResult(change, editing));
  if (notes.length > 0) blocks.push(["Not applied as sent:", ...notes].join("\n"));
  if (warnings.length > 0) blocks.push(["Warnings:", ...warnings].join("\n"));
  const [first] = results;
  const details =
    results.length === 1
      ? first!
      : {
          ...first!,
          diff: results.map(({ path, diff }) => `--- ${path}\n+++ ${path}\n${diff}`).join("\n"),
          perFileResults: results,
        };
  return textOutput(blocks.join("\n\n"), details);
}

function fileResult({ before, after, changes, newPlace, path, shown }: Done): FileResult {
  const [old, now] = [before?.text ?? EMPTY, after ?? EMPTY];
  const first = changes[0];
  const isUpdate = after && before;
  return {
    path: shown,
    op: isUpdate ? "update" : after ? "create" : "delete",
    diff: unifiedDiff(old, now, changes),
    ...(first && { firstChangedLine: Math.max(1, Math.min(first.at + 1, now.lines.length)) }),
    ...(newPlace && { movedTo: newPlace.shown }),
    meta: { sourcePath: newPlace?.path ?? path },
  };
}

function shownResult(
  { before, after, changes, newPlace, shown, tag }: Done,
  { showsAnchors }: Editing,
): string {
  const name = newPlace?.shown ?? shown;
  if (!after || tag === undefined) return `Deleted ${shown}`;
  const head = showsAnchors ? headerOf(name, tag) : `${name}:`;
  if (newPlace) return `${head}\nMoved ${shown} to ${name}`;
  if (!before) return `${head}\nCreated ${name}`;
  return `${head}\n${compactPreview(before.text, changes) ?? `Updated ${name}`}`;
}
