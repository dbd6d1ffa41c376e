/** The tokens of a Chat Completions answer, under the names that hosts have for them. */

import type { ToldCounts } from "../../schema/usage.ts";

export interface WireUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
  } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
  /** DeepSeek. */
  readonly prompt_cache_hit_tokens?: number;
  readonly prompt_cache_miss_tokens?: number;
  /** Moonshot. */
  readonly cached_tokens?: number;
  /** OpenRouter and gateways like it: US dollars. */
  readonly cost?: number | null;
}

/** `prompt_tokens` counts what was read from and written to the cache, too; ours do not. */
export function countsOf(usage: WireUsage): ToldCounts {
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  const details = usage.prompt_tokens_details;
  const cacheRead =
    details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0;
  const cacheWrite = details?.cache_write_tokens ?? 0;
  const rest = Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite);
  return {
    input: usage.prompt_cache_miss_tokens ?? rest,
    output: usage.completion_tokens ?? 0,
    cacheRead,
    cacheWrite,
    ...(reasoning !== undefined && { reasoning }),
  };
}
