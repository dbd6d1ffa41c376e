/** What can be left out of a source, told by its indentation: bodies of functions and the like. Pure. */

import type { Fold } from "../shared/reading.ts";

const BRACES =
  /\.(?:[cm]?[jt]sx?|go|rs|java|c|h|cc|cpp|cxx|hpp|cs|kt|kts|swift|php|scala|dart|zig|proto)$/i;
const PYTHON = /\.pyi?$/i;
const MIN_BODY_LINES = 4;
const MIN_COMMENT_LINES = 6;
/** What these open is a list of declarations, which a first look wants to see. */
const CONTAINER =
  /^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|abstract\s+|final\s+|sealed\s+|static\s+|pub(?:\([^)]*\))?\s+|declare\s+|data\s+|open\s+|unsafe\s+|async\s+)*(?:class|interface|namespace|module|impl|trait|struct|enum|mod|object|extension|protocol|union|extern|service|message)\b/;

/** Undefined for a language that is not told by its indentation here. */
export function indentFolds(path: string, lines: readonly string[]): readonly Fold[] | undefined {
  const opens = BRACES.test(path) ? opensBrace : PYTHON.test(path) ? opensSuite : undefined;
  if (!opens) return undefined;
  return foldsIn(lines.map(indentOf), lines, opens, 0, lines.length);
}

type Opens = (lines: readonly string[], at: number) => boolean;

/** @param start index of the first line, `end` of the one after the last */
function foldsIn(
  indents: readonly number[],
  lines: readonly string[],
  opens: Opens,
  start: number,
  end: number,
): readonly Fold[] {
  const folds: Fold[] = [];
  for (let at = start; at < end;) {
    const comment = commentEnd(lines, at, end);
    if (comment - at >= MIN_COMMENT_LINES) {
      folds.push({ from: at + 2, to: comment, inner: [] });
      at = comment;
      continue;
    }
    const stop = opens(lines, at) ? bodyEnd(indents, at, end) : at + 1;
    const inner = stop > at + 1 ? foldsIn(indents, lines, opens, at + 1, stop) : [];
    const isBody = stop - at - 1 >= MIN_BODY_LINES && !CONTAINER.test(lines[at]!);
    if (isBody) folds.push({ from: at + 2, to: stop, inner });
    else folds.push(...inner);
    at = Math.max(stop, comment, at + 1);
  }
  return folds;
}

function opensBrace(lines: readonly string[], at: number): boolean {
  return /[{([]\s*(?:\/\/.*)?$/.test(lines[at]!);
}

function opensSuite(lines: readonly string[], at: number): boolean {
  return /^\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b.*:\s*(?:#.*)?$/.test(
    lines[at]!,
  );
}

/** The index after the last line that is further in; blank lines at the end belong to what follows. */
function bodyEnd(indents: readonly number[], at: number, end: number): number {
  let stop = at + 1;
  for (let next = at + 1; next < end; next++) {
    const indent = indents[next]!;
    if (indent === BLANK) continue;
    if (indent <= indents[at]!) break;
    stop = next + 1;
  }
  return stop;
}

/** The index after a block of comment lines that begins here; the same index where none does. */
function commentEnd(lines: readonly string[], at: number, end: number): number {
  const isBlock = /^\s*\/\*/.test(lines[at]!) && !lines[at]!.includes("*/");
  let next = at;
  if (isBlock) {
    while (next < end && !lines[next]!.includes("*/")) next++;
    return Math.min(end, next + 1);
  }
  while (next < end && /^\s*(?:\/\/|#(?!\[|!))/.test(lines[next]!)) next++;
  return next;
}

const BLANK = -1;
const TAB = 8;

function indentOf(line: string): number {
  let indent = 0;
  for (const letter of line) {
    if (letter === " ") indent++;
    else if (letter === "\t") indent += TAB;
    else return indent;
  }
  return BLANK;
}
