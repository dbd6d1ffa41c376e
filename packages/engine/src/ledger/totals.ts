/** Sums of what requests used. Pure. */

import type { Usage } from "@omp/ai/schema";
import type { Totals } from "../protocol/commands/ledger.ts";

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
