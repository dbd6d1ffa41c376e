/** What a compaction would do to a branch. Pure: no model, no session, no clock. */

import type { Message } from "@omp/ai/schema";
import { fieldsOf, isRecord, prunedBy, prunedTokens, type SessionEntry } from "@omp/session";
import { findCut } from "./cut.ts";
import { isCompaction, isFailedAnswer, messageOf, roleOf } from "./entry-kind.ts";
import { contextSize, messageTokens, textTokens, type ContextSize } from "./tokens.ts";

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
  const window = windowOf(branch);
  const { previous, entries } = window;
  const tokens = tokensOf(entries);
  const size = sizeOf(window, tokens, overhead);
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
export function contextSizeOf(branch: readonly SessionEntry[], overhead: number): ContextSize {
  const window = windowOf(branch);
  return sizeOf(window, tokensOf(window.entries), overhead);
}

export interface Window {
  readonly previous: SessionEntry | undefined;
  /** What the model sees word for word: the part that the latest compaction kept, and all after it. */
  readonly entries: readonly SessionEntry[];
  /** How many of them are older than the compaction. */
  readonly kept: number;
}

/** @param branch root to leaf */
export function windowOf(branch: readonly SessionEntry[]): Window {
  const start = branch.findLastIndex((entry) => entry.type === "reset_boundary") + 1;
  const at = branch.findLastIndex(isCompaction);
  const previous = branch[at];
  if (!previous || at < start)
    return { previous: undefined, entries: branch.slice(start), kept: 0 };
  const { firstKeptEntryId } = fieldsOf(previous);
  const before = branch.slice(start, at);
  const first = before.findIndex(({ id }) => id === firstKeptEntryId);
  const kept = first < 0 ? [] : before.slice(first).filter((entry) => !isCompaction(entry));
  return { previous, entries: [...kept, ...branch.slice(at + 1)], kept: kept.length };
}

function sizeOf(
  { previous, entries, kept }: Window,
  tokens: readonly number[],
  overhead: number,
): ContextSize {
  // An answer from before the compaction was measured with what is gone by now.
  const at = entries.findLastIndex((entry, index) => index >= kept && measuredBy(entry) > 0);
  let pruned = 0;
  for (const count of prunedTokens(entries.slice(at + 1)).values()) pruned += count;
  const { summary } = previous ? fieldsOf(previous) : {};
  const before = overhead + (typeof summary === "string" ? textTokens(summary) : 0);
  const until = before + sum(tokens, 0, at + 1);
  const later = sum(tokens, at + 1, tokens.length);
  const answer = entries[at];
  if (!answer) return contextSize({ until, later, measured: undefined });
  return contextSize({
    until: until + pruned,
    later: later - pruned,
    measured: measuredBy(answer),
  });
}

/** Tokens that the provider told with an answer; none where it is no whole answer. */
function measuredBy(entry: SessionEntry): number {
  const { message } = entry.type === "message" ? fieldsOf(entry) : {};
  if (!isRecord(message) || message.role !== "assistant" || isFailedAnswer(entry)) return 0;
  const { usage } = message;
  return isRecord(usage) && typeof usage.totalTokens === "number" ? usage.totalTokens : 0;
}

/** Of each entry, by our estimate. */
function tokensOf(entries: readonly SessionEntry[]): readonly number[] {
  const pruned = prunedBy(entries);
  return entries.map((entry) => {
    const mark = pruned.get(entry.id);
    return mark === undefined ? entryTokens(entry) : textTokens(mark);
  });
}

/** Looks at stored messages as they are: to read each as a message would take longer than to count it. */
function entryTokens(entry: SessionEntry): number {
  const { message } = entry.type === "message" ? fieldsOf(entry) : {};
  if (!isRecord(message)) return foreignTokens(entry);
  if (isFailedAnswer(entry)) return 0;
  const { content } = message;
  const isPlain = typeof content === "string" || Array.isArray(content);
  if (!isPlain || !PLAIN.has(roleOf(entry) ?? "")) return foreignTokens(entry);
  return messageTokens({ content } as Pick<Message, "content">);
}

const PLAIN: ReadonlySet<string> = new Set(["user", "developer", "assistant", "toolResult"]);

function foreignTokens(entry: SessionEntry): number {
  const message = messageOf(entry);
  return message ? messageTokens(message) : 0;
}

function sum(tokens: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let index = from; index < to; index++) total += tokens[index]!;
  return total;
}
