/** When a conversation is too large, and how much of its end a compaction keeps. Pure. */

import type { CompactionSettings } from "../settings/schema/compaction.ts";

type Limits = Pick<
  CompactionSettings,
  "thresholdTokens" | "thresholdPercent" | "reserveTokens" | "keepRecentTokens"
>;

/** Room for an answer, as a share of the window. */
const FREE_SHARE = 0.15;

/** Tokens above which a conversation is compacted. */
export function thresholdOf(contextWindow: number, limits: Limits): number {
  const { thresholdTokens, thresholdPercent, reserveTokens } = limits;
  if (thresholdTokens > 0) return thresholdTokens;
  if (thresholdPercent > 0) return Math.floor((contextWindow * thresholdPercent) / 100);
  return contextWindow - Math.max(Math.ceil(contextWindow * FREE_SHARE), reserveTokens);
}

/**
 * Half of what starts a compaction at most: what is kept must leave room for a summary and for the
 * work after it, or the next turn would start another one. A small window may reserve all of itself.
 */
export function keptTokens(contextWindow: number, limits: Limits): number {
  const room = Math.max(thresholdOf(contextWindow, limits), contextWindow / 4);
  return Math.min(limits.keepRecentTokens, Math.floor(room / 2));
}
