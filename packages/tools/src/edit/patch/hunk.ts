/** Hunks of a diff: lines with ` `, `-` or `+` in front, after `@@` lines that say where. */

import { ToolFailure } from "@omp/agent";

export interface Hunk {
  /** Counted from 1, for messages. */
  readonly number: number;
  /** Lines of the file that come before the place, from the outer to the inner. */
  readonly anchors: readonly string[];
  /** The first old line, as the diff claims. A hint, never enough alone. */
  readonly oldLine: number | undefined;
  readonly lines: readonly HunkLine[];
  /** The place is the end of the file. */
  readonly isAtEnd: boolean;
}

export interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

interface OpenHunk {
  anchors: string[];
  oldLine: number | undefined;
  lines: HunkLine[];
  isAtEnd: boolean;
}

const RANGES = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** @throws ToolFailure that names file and line */
export function parseHunks(lines: readonly string[], shown: string): readonly Hunk[] {
  const hunks: OpenHunk[] = [];
  const open = (): OpenHunk => {
    const hunk = { anchors: [], oldLine: undefined, lines: [], isAtEnd: false };
    hunks.push(hunk);
    return hunk;
  };
  for (const [index, line] of lines.entries()) {
    const last = hunks.at(-1);
    if (line.startsWith("@@")) {
      const isSame = last && last.lines.length === 0;
      readPlace(isSame ? last : open(), line);
    } else if (line === "*** End of File") (last ?? open()).isAtEnd = true;
    else if (line.startsWith("\\ ") || isFileName(line, last)) continue;
    else {
      const parsed = parseLine(line);
      if (!parsed) {
        throw new ToolFailure(
          `${shown}: line ${index + 1} of the diff begins with none of " ", "-", "+", "@@": ${line.slice(0, 80)}`,
        );
      }
      (last?.isAtEnd ? open() : (last ?? open())).lines.push(parsed);
    }
  }
  return hunks
    .map(trimmed)
    .filter(({ lines: own }) => own.length > 0)
    .map(numbered);
}

/** `--- a/x` and `+++ b/x` above the first hunk. */
function isFileName(line: string, last: OpenHunk | undefined): boolean {
  return last === undefined && /^(?:---|\+\+\+|diff |index )/.test(line);
}

function readPlace(hunk: OpenHunk, line: string): void {
  const [, oldLine] = RANGES.exec(line) ?? [];
  if (oldLine !== undefined) {
    // What git writes behind the ranges stands somewhere above, in the place of nothing.
    hunk.oldLine = Number(oldLine);
    return;
  }
  const anchor = line
    .slice(2)
    .trim()
    .replace(/\s*@@$/, "");
  if (anchor !== "") hunk.anchors.push(anchor);
}

function parseLine(line: string): HunkLine | undefined {
  const sign = line[0];
  // Editors and models drop the blank of an empty context line.
  if (sign === undefined) return { sign: " ", text: "" };
  return sign === " " || sign === "-" || sign === "+" ? { sign, text: line.slice(1) } : undefined;
}

/** Empty lines at the end come from how the text was cut, not from the file. */
function trimmed(hunk: OpenHunk): OpenHunk {
  const last = hunk.lines.findLastIndex(({ sign, text }) => sign !== " " || text !== "");
  const isLoose = hunk.lines.length - 1 > last;
  return isLoose ? { ...hunk, lines: hunk.lines.slice(0, last + 1) } : hunk;
}

function numbered(hunk: OpenHunk, index: number): Hunk {
  return { ...hunk, number: index + 1 };
}
