/** What is said when an edit does not fit the file: the file as it is now, around every place it named. */

import { ToolFailure } from "@omp/agent";
import { headerOf, rowOf } from "../../shared/anchored.ts";
import { sameLine } from "../../shared/same-content.ts";
import type { Operation } from "./parse.ts";

const CONTEXT = 2;
const MAX_ROWS = 120;

export interface Mismatch {
  readonly shownPath: string;
  /** Of the file as it is now. */
  readonly tag: string;
  readonly given: string | undefined;
  readonly lines: readonly string[];
  /** What the operations were meant for; undefined when nobody knows. */
  readonly snapshot: readonly string[] | undefined;
  readonly operations: readonly Operation[];
}

export function mismatchFailure(mismatch: Mismatch): ToolFailure {
  const { shownPath, given, tag, snapshot } = mismatch;
  const reason =
    snapshot === undefined
      ? unknown(shownPath, given)
      : `${shownPath} is not what it was when it was shown${given === undefined ? "" : ` (#${given})`}, and the edit cannot be carried over.`;
  const shown = framedRows(mismatch);
  const advice = "Nothing was written. Read the file again, or edit what it holds now:";
  const text = [`${reason} ${advice}`, headerOf(shownPath, tag), ...shown.rows].join("\n");
  return new ToolFailure(text, { display: [`${shownPath}: ${reason}`, ...shown.frame].join("\n") });
}

function unknown(shownPath: string, given: string | undefined): string {
  if (given === undefined) return `The lines of ${shownPath} are not known in this session.`;
  return `The tag #${given} is not known for ${shownPath} in this session: read the file first.`;
}

/** As rows that can be edited, and as a frame for people. */
function framedRows({ lines, snapshot, operations }: Mismatch) {
  const rows: string[] = [];
  const frame: string[] = [];
  const width = String(lines.length).length;
  let last = 0;
  for (const line of shownLines(operations, lines.length).slice(0, MAX_ROWS)) {
    const text = lines[line - 1]!;
    const isMarked = snapshot !== undefined && !isAsShown(text, snapshot[line - 1]);
    if (last > 0 && line > last + 1) {
      rows.push("...");
      frame.push("...");
    }
    rows.push(rowOf(line, text, { isMarked }));
    frame.push(`${isMarked ? ">" : " "} ${String(line).padStart(width)} | ${text}`);
    last = line;
  }
  return { rows, frame };
}

function isAsShown(text: string, shown: string | undefined): boolean {
  return shown !== undefined && sameLine(text) === sameLine(shown);
}

function shownLines(operations: readonly Operation[], lineCount: number): number[] {
  const wanted = new Set<number>();
  for (const { anchors, count } of operations) {
    const first = anchors[0]?.line;
    if (first === undefined) continue;
    const last = Math.min(lineCount, first + Math.max(1, count) - 1 + CONTEXT);
    for (let line = Math.max(1, first - CONTEXT); line <= last; line++) wanted.add(line);
  }
  return [...wanted].sort((a, b) => a - b);
}
