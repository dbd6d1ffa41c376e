/** What one request cost, whom it was for and why. Stored in sessions as it is. */

import type { Usage } from "@omp/ai/schema";
import type { CacheMiss } from "./cache-miss.ts";

/** What a request was made for. */
export type Purpose = "turn" | "retry" | "title" | "branch-summary" | "compaction" | "subagent";

export interface Charge {
  /** Name of the agent, the main one is `main`. */
  readonly agent: string;
  readonly purpose: Purpose;
  /** `provider/id` */
  readonly model: string;
  readonly usage: Usage;
  readonly cacheMiss?: CacheMiss;
}

export interface Totals {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Part of the output that the provider says was thinking. */
  readonly reasoning: number;
  readonly totalTokens: number;
  /** US dollars. */
  readonly cost: number;
}

export const NOTHING: Totals = {
  requests: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  totalTokens: 0,
  cost: 0,
};

export function withUsage(totals: Totals, usage: Usage): Totals {
  return {
    requests: totals.requests + 1,
    input: totals.input + usage.input,
    output: totals.output + usage.output,
    cacheRead: totals.cacheRead + usage.cacheRead,
    cacheWrite: totals.cacheWrite + usage.cacheWrite,
    reasoning: totals.reasoning + (usage.reasoning ?? 0),
    totalTokens: totals.totalTokens + usage.totalTokens,
    cost: totals.cost + usage.cost.total,
  };
}
