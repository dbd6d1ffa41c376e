/** A text file as lines that know how they end, so that what is not edited stays as it is, byte for byte. */

import { ToolFailure } from "@omp/agent";

/** Lines without their ends; each end is "\n", "\r\n", or "" for a last line that has none. */
export interface FileText {
  readonly hasMark: boolean;
  readonly lines: readonly string[];
  readonly ends: readonly string[];
}

/** In place of `count` lines from the index `at` on come `lines`. */
export interface LineChange {
  readonly at: number;
  readonly count: number;
  readonly lines: readonly string[];
}

const MARK = "\ufeff";

export const EMPTY: FileText = { hasMark: false, lines: [], ends: [] };

/** @throws ToolFailure for what is not text in UTF-8: it could not be written back as it was */
export function decodeText(bytes: Uint8Array, shownPath: string): string {
  if (bytes.includes(0)) throw notText(shownPath);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw notText(shownPath);
    throw error;
  }
}

function notText(shownPath: string): ToolFailure {
  return new ToolFailure(
    `${shownPath} is not UTF-8 text and was not changed. Use a program that knows its format.`,
  );
}

export function parseText(whole: string): FileText {
  const hasMark = whole.startsWith(MARK);
  const text = hasMark ? whole.slice(1) : whole;
  if (text === "") return { ...EMPTY, hasMark };
  const lines = text.split("\n");
  const ends = lines.map(() => "\n");
  if (lines.at(-1) === "") {
    lines.pop();
    ends.pop();
  } else ends[ends.length - 1] = "";
  if (text.includes("\r\n")) {
    for (const [index, line] of lines.entries()) {
      if (ends[index] === "" || !line.endsWith("\r")) continue;
      lines[index] = line.slice(0, -1);
      ends[index] = "\r\n";
    }
  }
  return { hasMark, lines, ends };
}

export function textOf({ hasMark, lines, ends }: FileText): string {
  const mark = hasMark ? MARK : "";
  if (lines.length === 0) return mark;
  const [end = "\n"] = ends;
  // Nearly every file has one kind of ends, and joining is many times faster than adding up.
  if (ends.every((other, index) => other === end || index === ends.length - 1)) {
    return mark + lines.join(end) + ends.at(-1)!;
  }
  const parts: string[] = [mark];
  for (const [index, line] of lines.entries()) parts.push(line, ends[index]!);
  return parts.join("");
}

export function isSameText(a: FileText, b: FileText): boolean {
  const isSame = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((line, index) => line === other[index]);
  return a.hasMark === b.hasMark && isSame(a.lines, b.lines) && isSame(a.ends, b.ends);
}

/**
 * Changes in ascending order that do not overlap. Changes at one place come one after the other; one that
 * only inserts may stand inside lines that another removes. A missing end of the last line stays missing.
 */
export function changeLines(text: FileText, changes: readonly LineChange[]): FileText {
  const lines: (readonly string[])[] = [];
  const ends: (readonly string[])[] = [];
  const keep = (from: number, to: number) => {
    if (from >= to) return;
    lines.push(text.lines.slice(from, to));
    ends.push(text.ends.slice(from, to));
  };
  let next = 0;
  for (const { at, count, lines: added } of changes) {
    keep(next, at);
    lines.push(added);
    const end = endAt(text, at, count);
    ends.push(added.map(() => end));
    next = Math.max(next, at + count);
  }
  keep(next, text.lines.length);
  const joined = ends.flat();
  closeEnds(text, joined);
  return { hasMark: text.hasMark, lines: lines.flat(), ends: joined };
}

/** Only the last line may be without an end, and it is exactly if the last line was so before. */
function closeEnds(text: FileText, ends: string[]): void {
  const open = ends.indexOf("");
  if (open !== -1) ends[open] = endAt(text, text.lines.length, 0);
  if (ends.length > 0 && text.ends.at(-1) === "") ends[ends.length - 1] = "";
}

/** New lines end as those in whose place they come, else as the nearest line that has an end. */
function endAt({ ends }: FileText, at: number, count: number): string {
  const replaced = count > 0 ? ends[at] : undefined;
  return replaced || ends[at - 1] || ends[at - 2] || ends[at] || "\n";
}
