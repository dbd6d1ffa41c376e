/** When lines count as alike although they are not the same: differences that models make without meaning to. */

import { sameLine } from "../shared/same-content.ts";

/** From strict to loose. A looser one is asked only where the stricter ones find nothing. */
export const LIKENESSES: readonly ((line: string) => string)[] = [
  (line) => line,
  sameLine,
  plainLine,
];

const PLAIN: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201a": "'",
  "\u201b": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": '"',
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "-",
  "\u2013": "-",
  "\u2014": "-",
  "\u2212": "-",
  "\u2026": "...",
};

/** Without indentation, with plain quotes, dashes and single blanks. */
export function plainLine(line: string): string {
  return line
    .normalize("NFKC")
    .replace(/[\u2018-\u201e\u2010-\u2014\u2212\u2026]/g, (sign) => PLAIN[sign] ?? sign)
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ");
}

/** Where `wanted` stands among the lines, from the index `from` on. */
export function placesOf(
  wanted: readonly string[],
  lines: readonly string[],
  from = 0,
): readonly number[] {
  const places: number[] = [];
  for (
    let at = lines.indexOf(wanted[0]!, from);
    at !== -1;
    at = lines.indexOf(wanted[0]!, at + 1)
  ) {
    if (wanted.every((line, index) => lines[at + index] === line)) places.push(at);
  }
  return places;
}

/** How alike two texts are, 0 to 1: how many pairs of neighbouring characters they share. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const counts = new Map<string, number>();
  for (const pair of pairsOf(a)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of pairsOf(b)) {
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    counts.set(pair, left - 1);
    shared++;
  }
  const total = Math.max(0, a.length - 1) + Math.max(0, b.length - 1);
  return total === 0 ? 0 : (2 * shared) / total;
}

function* pairsOf(text: string): Generator<string> {
  for (let index = 0; index + 1 < text.length; index++) yield text.slice(index, index + 2);
}
