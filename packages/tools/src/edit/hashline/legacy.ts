/** The hashes of lines in old transcripts: two letters that say what a line was. Understood, never shown. */

import { ToolFailure } from "@omp/agent";
import { parseText, textOf, type FileText } from "../file-text.ts";
import type { Operation } from "./parse.ts";

const LETTERS = 26;
const PAIRS = 647;

/** Stable for ever: an anchor in a stored session must keep its meaning. */
export function lineHash(text: string, line: number): string {
  const content = text.trimEnd();
  // Lines without words are all alike, so their place is a part of what they are.
  const seed = /[\p{L}\p{N}]/u.test(content) ? 0 : line;
  const pair = fnv1a(content, seed) % PAIRS;
  return letter(Math.floor(pair / LETTERS)) + letter(pair % LETTERS);
}

function letter(index: number): string {
  return String.fromCharCode(97 + index);
}

function fnv1a(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/**
 * The newest text on which all anchors hold: one that was shown, or the file itself where its lines have not
 * been shown and the anchors leave nothing unsaid. Undefined where there is none, or where two of them differ
 * in the lines in question: two letters cannot tell which was meant.
 * @throws ToolFailure when a range has lines that no anchor speaks for
 */
export function legacySnapshot(
  operations: readonly Operation[],
  current: FileText,
  shownTexts: readonly string[],
  shownPath: string,
): string | undefined {
  const fitting = shownTexts.filter((text) => holds(operations, parseText(text).lines));
  const [newest, ...older] = fitting;
  if (newest !== undefined) {
    const touched = touchedLines(operations, newest);
    return older.every((text) => touchedLines(operations, text) === touched) ? newest : undefined;
  }
  if (!holds(operations, current.lines)) return undefined;
  if (operations.some(({ count }) => count > 2)) {
    throw new ToolFailure(
      `The lines inside the range are not known in this session. Read ${shownPath} first.`,
    );
  }
  return textOf(current);
}

function touchedLines(operations: readonly Operation[], text: string): string {
  const { lines } = parseText(text);
  return operations.flatMap(({ at, count }) => lines.slice(at, at + count)).join("\n");
}

function holds(operations: readonly Operation[], lines: readonly string[]): boolean {
  return operations.every(({ anchors }) =>
    anchors.every(({ line, hash }) => {
      const text = lines[line - 1];
      return text !== undefined && lineHash(text, line) === hash;
    }),
  );
}
