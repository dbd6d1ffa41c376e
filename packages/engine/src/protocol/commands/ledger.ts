/** The command that asks where tokens and money went, and the shape of its answer. */

import type { Usage } from "@omp/ai/schema";
import type { Asks } from "../asks.ts";

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

export type MissReason =
  | { readonly kind: "model"; readonly before: string }
  | { readonly kind: "thinking"; readonly before: string }
  | {
      readonly kind: "tools";
      readonly added: readonly string[];
      readonly removed: readonly string[];
    }
  /** `at` is the first character that differs. */
  | { readonly kind: "system-prompt"; readonly at: number }
  /** `index` counts from 0; the history was cut or rewritten there. */
  | { readonly kind: "messages"; readonly index: number }
  /** Nothing changed on our side: the provider has forgotten it. */
  | { readonly kind: "expired"; readonly idleMs: number };

export interface CacheMiss {
  readonly reason: MissReason;
  /** Tokens that the request before left in the cache and this one did not read from it. */
  readonly tokens: number;
}

export interface UsageReport {
  readonly total: Totals;
  readonly cap?: number;
  readonly byAgent: Readonly<Record<string, Totals>>;
  readonly byModel: Readonly<Record<string, Totals>>;
  readonly byPurpose: Readonly<Partial<Record<Purpose, Totals>>>;
  /** The requests that paid again for what was cached, latest last. */
  readonly cacheMisses: readonly Charge[];
}

export interface LedgerCommands {
  /** What this program has spent, for the whole tree of agents. */
  usage_report: Asks<object, UsageReport>;
}
