/**
 * The only place where tokens and money are counted: reserves before each request, settles after it.
 * One ledger serves the whole tree of agents of a program.
 */

import type { Usage } from "@omp/ai/schema";
import type { Clock } from "@omp/std";
import type { Charge, Purpose, Totals, UsageReport } from "../protocol/commands/ledger.ts";
import { cacheMissOf, type Answered, type Prefix } from "./cache-miss.ts";
import { NOTHING, withUsage } from "./totals.ts";

/** A request that may be sent; it is settled once, with what it turned out to cost. */
export interface Reservation {
  settle(usage: Usage): Charge;
}

export interface LedgerDeps {
  readonly clock: Clock;
  /** US dollars that this program may spend; undefined is no limit. */
  readonly cap: number | undefined;
}

/** Enough to explain a bill; a day of work must not grow without bound. */
const MAX_MISSES = 1000;

export class Ledger {
  readonly #deps: LedgerDeps;
  #total = NOTHING;
  /** What the requests in flight are expected to cost. */
  #reserved = 0;
  readonly #byAgent = new Map<string, Totals>();
  readonly #byModel = new Map<string, Totals>();
  readonly #byPurpose = new Map<Purpose, Totals>();
  readonly #misses: Charge[] = [];
  /** The latest answered request of each agent. */
  readonly #latest = new Map<string, Answered>();
  readonly #cachingModels = new Set<string>();

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /**
   * Undefined when the money is used up, counting what is in flight. A request is expected to cost
   * as much as the one before it of the same agent, so the sum can pass the cap only by what the
   * requests in flight cost more than that: at most one for each agent.
   */
  reserve(agent: string, purpose: Purpose, prefix: Prefix): Reservation | undefined {
    const { cap } = this.#deps;
    if (cap !== undefined && this.#total.cost + this.#reserved >= cap) return undefined;
    const expected = this.#latest.get(agent)?.usage.cost.total ?? 0;
    this.#reserved += expected;
    let charge: Charge | undefined;
    return {
      settle: (usage) => {
        if (charge) return charge;
        this.#reserved -= expected;
        return (charge = this.#settle(agent, purpose, { prefix, usage, atMs: this.#now() }));
      },
    };
  }

  get spent(): number {
    return this.#total.cost;
  }

  get cap(): number | undefined {
    return this.#deps.cap;
  }

  report(): UsageReport {
    const { cap } = this.#deps;
    return {
      total: this.#total,
      ...(cap === undefined ? {} : { cap }),
      byAgent: Object.fromEntries(this.#byAgent),
      byModel: Object.fromEntries(this.#byModel),
      byPurpose: Object.fromEntries(this.#byPurpose),
      cacheMisses: [...this.#misses],
    };
  }

  #settle(agent: string, purpose: Purpose, answered: Answered): Charge {
    const { prefix, usage } = answered;
    if (usage.cacheRead + usage.cacheWrite > 0) this.#cachingModels.add(prefix.model);
    const isCaching = this.#cachingModels.has(prefix.model);
    // Side requests have prefixes of their own, and one that failed before it was counted says nothing.
    const isTurn = (purpose === "turn" || purpose === "retry") && usage.totalTokens > 0;
    const cacheMiss = isTurn
      ? cacheMissOf(this.#latest.get(agent), answered, isCaching)
      : undefined;
    const charge = { agent, purpose, model: prefix.model, usage, ...(cacheMiss && { cacheMiss }) };
    if (isTurn) this.#latest.set(agent, answered);
    this.#total = withUsage(this.#total, usage);
    add(this.#byAgent, agent, usage);
    add(this.#byModel, prefix.model, usage);
    add(this.#byPurpose, purpose, usage);
    if (cacheMiss && this.#misses.push(charge) > MAX_MISSES) this.#misses.shift();
    return charge;
  }

  #now(): number {
    return this.#deps.clock.monotonic();
  }
}

function add<Key>(map: Map<Key, Totals>, key: Key, usage: Usage): void {
  map.set(key, withUsage(map.get(key) ?? NOTHING, usage));
}
