/** How the lines of a file are shown so that an edit can name them: a header with the tag, then `LINE:TEXT` rows. */

import { relative, sep } from "node:path";

const SIGN = "¶";

/** The first line of what is shown of a file. */
export function headerOf(shownPath: string, tag: string): string {
  return `${SIGN}${shownPath}#${tag}`;
}

/** One line of a file. A `*` in front marks what the reader should look at. */
export function rowOf(line: number, text: string, { isMarked = false } = {}): string {
  return `${isMarked ? "*" : ""}${line}:${text}`;
}

/** How a file is named to the model: short inside the working directory, unmistakable outside of it. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short === ".." || short.startsWith(`..${sep}`) ? path : short;
}

export interface Header {
  readonly path: string;
  readonly tag: string | undefined;
}

/** Undefined for a line that is no header. The path is empty where only the sign stands. */
export function parseHeader(line: string): Header | undefined {
  if (!line.startsWith(SIGN)) return undefined;
  const [, path = "", tag] = /^(.*?)(?:#([0-9A-Fa-f]{4}))?$/s.exec(line.slice(1).trim())!;
  return { path, tag: tag?.toUpperCase() };
}

/** `12:`, `*12:` and the form of old transcripts, `12ab|`. */
const PREFIX = /^\*?(\d+)(?::|[a-z]{2}\|)/;

/**
 * Lines that were copied with their decoration, without it; undefined for lines that have none. Numbers alone
 * prove nothing (a file may well consist of such lines): a header must come first, or some line must be
 * `isCopied`, and every line have a number higher than the one before.
 */
export function withoutAnchors(
  lines: readonly string[],
  isCopied: (line: number, text: string) => boolean,
): readonly string[] | undefined {
  const isHeaded = lines[0] !== undefined && parseHeader(lines[0])?.tag !== undefined;
  const rows = isHeaded ? lines.slice(1) : lines;
  const numbers = numbersOf(rows);
  if (numbers === undefined) return undefined;
  const texts = rows.map((row) => row.replace(PREFIX, ""));
  const isCopy = texts.some((text, index) => text !== "" && isCopied(numbers[index]!, text));
  return isHeaded || isCopy ? texts : undefined;
}

/** Undefined unless every line that is not empty has a number, higher than the one before. */
function numbersOf(rows: readonly string[]): readonly number[] | undefined {
  const numbers: number[] = [];
  let last = 0;
  for (const row of rows) {
    const number = row === "" ? last : Number(PREFIX.exec(row)?.[1] ?? Number.NaN);
    if (row !== "" && !(number > last)) return undefined;
    numbers.push(number);
    last = number;
  }
  return last === 0 ? undefined : numbers;
}
