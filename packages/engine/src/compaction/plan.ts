/** What a compaction would do to a branch. Pure: no model, no session, no clock. */

import { contextOf, fieldsOf, prunedBy, prunedTokens, type SessionEntry } from "@omp/session";
import { findCut } from "./cut.ts";
import { isCompaction, messageOf } from "./entry-kind.ts";
import { contextSize, isMeasured, messageTokens, textTokens } from "./tokens.ts";

export interface PlanOptions {
  /** How much of the end stays, in real tokens. */
  readonly keepTokens: number;
  /** Of the system prompt and the tools, by our estimate. */
  readonly overhead: number;
}

export interface CompactionPlan {
  readonly firstKeptEntryId: string;
  /** Whole turns to summarize, oldest first. */
  readonly history: readonly SessionEntry[];
  /** The beginning of a turn whose end is kept. */
  readonly prefix: readonly SessionEntry[];
  readonly kept: readonly SessionEntry[];
  /** The compaction before this one, whose summary goes into the new one. */
  readonly previous: SessionEntry | undefined;
  readonly tokensBefore: number;
  readonly ratio: number;
  /** Of every entry that is summarized or kept, by our estimate. */
  readonly tokens: ReadonlyMap<string, number>;
}

/** Undefined where nothing is left to summarize. @param branch root to leaf */
export function planCompaction(
  branch: readonly SessionEntry[],
  { keepTokens, overhead }: PlanOptions,
): CompactionPlan | undefined {
  const { previous, entries } = windowOf(branch);
  const pruned = prunedBy(entries);
  const tokens = entries.map((entry) => entryTokens(entry, pruned));
  const size = contextSizeOf(branch, overhead);
  const cut = findCut(entries, tokens, keepTokens / size.ratio);
  const first = cut && entries[cut.firstKept];
  if (!first) return undefined;
  const start = cut.turnStart ?? cut.firstKept;
  return {
    firstKeptEntryId: first.id,
    history: entries.slice(0, start),
    prefix: entries.slice(start, cut.firstKept),
    kept: entries.slice(cut.firstKept),
    previous,
    tokensBefore: size.tokens,
    ratio: size.ratio,
    tokens: new Map(entries.map(({ id }, index) => [id, tokens[index]!])),
  };
}

/** The size of what the model sees of a branch. */
export function contextSizeOf(branch: readonly SessionEntry[], overhead: number) {
  const { messages } = contextOf(branch);
  const at = branch.findLastIndex(isCompaction);
  // An answer from before the compaction was measured with what is gone by now.
  const since = at < 0 ? 0 : messages.length - contextOf(branch.slice(at + 1)).messages.length;
  const answer = branch.findLastIndex((entry) => {
    const message = messageOf(entry);
    return message !== undefined && isMeasured(message);
  });
  let pruned = 0;
  for (const tokens of prunedTokens(branch.slice(answer + 1)).values()) pruned += tokens;
  return contextSize(messages, { since, overhead, pruned });
}

interface Window {
  readonly previous: SessionEntry | undefined;
  /** What the model sees word for word: the part that the latest compaction kept, and all after it. */
  readonly entries: readonly SessionEntry[];
}

export function windowOf(branch: readonly SessionEntry[]): Window {
  const since = branch.findLastIndex((entry) => entry.type === "reset_boundary") + 1;
  const at = branch.findLastIndex(isCompaction);
  const previous = branch[at];
  if (!previous || at < since) return { previous: undefined, entries: branch.slice(since) };
  const { firstKeptEntryId } = fieldsOf(previous);
  const before = branch.slice(since, at);
  const first = before.findIndex(({ id }) => id === firstKeptEntryId);
  const kept = first < 0 ? [] : before.slice(first).filter((entry) => !isCompaction(entry));
  return { previous, entries: [...kept, ...branch.slice(at + 1)] };
}

/** Failed answers are not sent again, so they take nothing. */
function entryTokens(entry: SessionEntry, pruned: ReadonlyMap<string, string>): number {
  const mark = pruned.get(entry.id);
  if (mark !== undefined) return textTokens(mark);
  const message = messageOf(entry);
  if (!message) return 0;
  const isFailed =
    message.role === "assistant" &&
    (message.stopReason === "error" || message.stopReason === "aborted");
  return isFailed ? 0 : messageTokens(message);
}
