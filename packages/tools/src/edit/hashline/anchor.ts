/** Anchors: how an operation names lines. */

import type { ToolFailure } from "@omp/agent";

export interface Anchor {
  readonly line: number;
  /** In the form of old transcripts only: two letters made of the line's text. */
  readonly hash?: string;
}

type Fail = (text: string) => ToolFailure;

export function parsePlace(text: string, isLegacy: boolean, fail: Fail): Anchor | "BOF" | "EOF" {
  if (text === "BOF" || text === "EOF") return text;
  return parseAnchor(text, isLegacy, fail);
}

export function parseRange(
  text: string,
  isLegacy: boolean,
  fail: Fail,
): readonly [first: Anchor, last: Anchor] {
  const parts = text.split("..");
  if (isLegacy && parts.length === 1) {
    throw fail("explicit ranges are required for delete/replace; write A..A for one line.");
  }
  if (parts.length > 2 || (parts.length === 2 && parts.includes(""))) {
    const kind = isLegacy ? "full anchors" : "line numbers";
    throw fail(`range must include exactly two ${kind} separated by "..".`);
  }
  const first = parseAnchor(parts[0]!, isLegacy, fail);
  const last = parts.length === 1 ? first : parseAnchor(parts[1]!, isLegacy, fail);
  if (last.line < first.line) throw fail(`range ${text} ends before it starts.`);
  if (last.line === first.line && last.hash !== first.hash) {
    throw fail(`range ${text} uses two different hashes for the same line.`);
  }
  return [first, last];
}

function parseAnchor(text: string, isLegacy: boolean, fail: Fail): Anchor {
  const [, digits, hash] = /^(\d{1,9})([a-z]{2})?$/.exec(text.trim()) ?? [];
  const line = Number(digits);
  if (isLegacy) {
    if (hash === undefined || line === 0) {
      throw fail(`expected a full anchor such as "119sr"; got "${text}".`);
    }
    return { line, hash };
  }
  if (digits === undefined || hash !== undefined || line === 0) {
    throw fail(`expected a line number such as "119"; got "${text}".`);
  }
  return { line };
}
