/** Finds the text that an edit replaces: exactly, or alike in a way that leaves no doubt. */

import { likeness, plainLine, placesOf } from "../alike.ts";
import { sameLine } from "../../shared/same-content.ts";

/** From one offset of the text to another, and what comes there. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export type Search =
  | {
      readonly kind: "found";
      readonly replacements: readonly Replacement[];
      readonly isAlike: boolean;
    }
  | { readonly kind: "ambiguous"; readonly lines: readonly number[] }
  | { readonly kind: "missing" };

export interface Wish {
  readonly oldText: string;
  readonly newText: string;
  readonly isForAll: boolean;
}

/** @param text with "\n" at line ends */
export function findText(text: string, wish: Wish, { isFuzzy }: { isFuzzy: boolean }): Search {
  const places = offsetsOf(text, wish.oldText);
  if (places.length === 1 || (places.length > 1 && wish.isForAll)) {
    const replacements = places.map((from) => {
      return { from, to: from + wish.oldText.length, text: wish.newText };
    });
    return { kind: "found", replacements, isAlike: false };
  }
  if (places.length > 1) return { kind: "ambiguous", lines: places.map((at) => lineAt(text, at)) };
  return isFuzzy ? findAlike(text, wish) : { kind: "missing" };
}

/** Without overlap. */
function offsetsOf(text: string, wanted: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    offsets.push(at);
  }
  return offsets;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1))
    line++;
  return line;
}

/** Whole lines whose blanks, indentation or typography differ. Never a choice between two places. */
function findAlike(text: string, wish: Wish): Search {
  const lines = text.split("\n");
  const wanted = wish.oldText.split("\n");
  const isClosed = wanted.length > 1 && wanted.at(-1) === "";
  if (isClosed) wanted.pop();
  if (wanted.every((line) => line.trim() === "")) return { kind: "missing" };
  for (const form of [sameLine, plainLine]) {
    const places = placesOf(wanted.map(form), lines.map(form));
    if (places.length > 1) return { kind: "ambiguous", lines: places.map((at) => at + 1) };
    const [at] = places;
    if (at === undefined) continue;
    const found = lines.slice(at, at + wanted.length);
    const newText = indentedAs(wish.newText, wanted, found);
    if (newText === undefined) return { kind: "missing" };
    const from = offsetOfLine(lines, at);
    const last = at + wanted.length === lines.length;
    const to = from + found.join("\n").length + (isClosed && !last ? 1 : 0);
    return { kind: "found", replacements: [{ from, to, text: newText }], isAlike: true };
  }
  return { kind: "missing" };
}

function offsetOfLine(lines: readonly string[], index: number): number {
  let offset = 0;
  for (let at = 0; at < index; at++) offset += lines[at]!.length + 1;
  return offset;
}

/** The new text with the indentation that the file has. Undefined when the difference is not the same everywhere. */
function indentedAs(
  newText: string,
  wanted: readonly string[],
  found: readonly string[],
): string | undefined {
  const pairs = wanted.flatMap((line, index): [string, string][] =>
    line.trim() === "" ? [] : [[indentOf(line), indentOf(found[index]!)]],
  );
  const [mine, theirs] = pairs[0]!;
  const isDeeper = theirs.endsWith(mine);
  const extra = isDeeper
    ? theirs.slice(0, theirs.length - mine.length)
    : mine.slice(0, mine.length - theirs.length);
  const fits = pairs.every(([a, b]) => (isDeeper ? b === extra + a : a === extra + b));
  if (!fits) return undefined;
  if (extra === "") return newText;
  const lines = newText.split("\n");
  if (isDeeper) return lines.map((line) => (line.trim() === "" ? line : extra + line)).join("\n");
  if (lines.some((line) => line.trim() !== "" && !line.startsWith(extra))) return undefined;
  return lines.map((line) => (line.startsWith(extra) ? line.slice(extra.length) : line)).join("\n");
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

export interface Candidate {
  readonly line: number;
  readonly text: string;
  /** 0 to 1. */
  readonly likeness: number;
}

const MAX_CANDIDATES = 3;
const LEAST_LIKENESS = 0.5;
const MAX_COMPARED = 500;

/** The lines most like the longest line of what was looked for. */
export function nearestLines(text: string, oldText: string): readonly Candidate[] {
  const longest = oldText
    .split("\n")
    .map((line) => line.trim())
    .reduce((best, line) => (line.length > best.length ? line : best), "")
    .slice(0, MAX_COMPARED);
  if (longest === "") return [];
  return text
    .split("\n")
    .map((line, index) => ({ line: index + 1, text: line, trimmed: line.trim() }))
    .filter(({ trimmed }) => isComparable(trimmed.length, longest.length))
    .map(({ line, text: own, trimmed }) => ({
      line,
      text: own,
      likeness: likeness(longest, trimmed),
    }))
    .filter((candidate) => candidate.likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || a.line - b.line)
    .slice(0, MAX_CANDIDATES);
}

/** Texts of too different a length cannot be alike enough, so they need not be compared. */
function isComparable(length: number, wanted: number): boolean {
  return length <= MAX_COMPARED && length * 3 >= wanted && wanted * 3 >= length;
}
