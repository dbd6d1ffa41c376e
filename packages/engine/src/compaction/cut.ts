/** Where a branch is cut: the old side is summarized, the new side stays as it is. Pure. */

import { fieldsOf, isRecord, type SessionEntry } from "@omp/session";
import { isCut, isMetadata, isTurnStart, roleOf } from "./entry-kind.ts";

export interface Cut {
  /** Index of the first entry that is kept, with the metadata in front of it. */
  readonly firstKept: number;
  /** Index of the start of the turn that the cut splits; undefined where it splits none. */
  readonly turnStart?: number;
}

/**
 * The newest entries whose tokens come near to `keepTokens` are kept. Undefined where nothing is left
 * to summarize.
 * @param tokens of each entry
 */
export function findCut(
  entries: readonly SessionEntry[],
  tokens: readonly number[],
  keepTokens: number,
): Cut | undefined {
  const allowed = allowedCuts(entries);
  const wanted = wantedCut(tokens, keepTokens);
  const nearest =
    allowed.find((index) => index >= wanted) ?? allowed.findLast((index) => index < wanted);
  if (nearest === undefined) return undefined;
  const starts = new Set(allowed.filter((index) => isTurnStart(entries[index]!)));
  const at = nearStart(starts, tokens, nearest, keepTokens * SPLIT_SHARE) ?? nearest;
  const firstKept = withMetadata(entries, at);
  if (!entries.slice(0, firstKept).some((entry) => !isMetadata(entry))) return undefined;
  if (isTurnStart(entries[at]!)) return { firstKept };
  const turnStart = entries.findLastIndex((entry, index) => index < at && isTurnStart(entry));
  return turnStart < 0 ? { firstKept } : { firstKept, turnStart };
}

/** To keep this much less is better than to split a turn, which takes two summaries. */
const SPLIT_SHARE = 0.25;

/** The next start of a turn, if it is no more than `room` tokens behind the cut. */
function nearStart(
  starts: ReadonlySet<number>,
  tokens: readonly number[],
  cut: number,
  room: number,
): number | undefined {
  let left = room;
  for (let index = cut; index < tokens.length; index++) {
    if (starts.has(index)) return index;
    left -= tokens[index]!;
    if (left < 0) return undefined;
  }
  return undefined;
}

/** The first index from which on at most `keepTokens` follow. */
function wantedCut(tokens: readonly number[], keepTokens: number): number {
  let left = keepTokens;
  let index = tokens.length;
  while (index > 0 && tokens[index - 1]! <= left) left -= tokens[--index]!;
  return index;
}

/** Never between an answer and the results of its calls, whatever stands between them. */
function allowedCuts(entries: readonly SessionEntry[]): readonly number[] {
  const isInside = new Uint8Array(entries.length);
  let answer = -1;
  let marked = 0;
  for (const [index, entry] of entries.entries()) {
    const role = roleOf(entry);
    if (role === "assistant") answer = index;
    if (role !== "toolResult" || answer < 0 || !calls(entries[answer]!, entry)) continue;
    for (marked = Math.max(marked, answer + 1); marked <= index; marked++) isInside[marked] = 1;
  }
  return entries.flatMap((entry, index) => (isCut(entry) && !isInside[index] ? [index] : []));
}

function calls(answer: SessionEntry, result: SessionEntry): boolean {
  const { message: said } = fieldsOf(answer);
  const { message: got } = fieldsOf(result);
  if (!isRecord(said) || !isRecord(got) || !Array.isArray(said.content)) return false;
  return said.content.some((block: unknown) => isRecord(block) && block.id === got.toolCallId);
}

function withMetadata(entries: readonly SessionEntry[], cut: number): number {
  let first = cut;
  while (first > 0 && isMetadata(entries[first - 1]!)) first--;
  return first;
}
