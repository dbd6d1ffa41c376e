/** Models that servers tell: from the cache while that is fresh, else from the server, and kept for the next time. */

import type { FetchLike, ModelFacts, ProtocolId, Provider } from "@omp/ai";
import type { Clock } from "@omp/std";
import type { Environment } from "../paths.ts";
import { createModelCache, fingerprintOf, type CachedModels } from "./cache.ts";
import { discoverModels } from "./discovery.ts";
import { mergeFacts } from "./model-facts.ts";
import { isLocal } from "./server-address.ts";

export interface FoundModelsDeps {
  /** Absent: nothing is kept. */
  readonly cacheFile: string | undefined;
  readonly environment: Environment;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  /** Headers of the provider, with its key where there is one. */
  headersFor(provider: Provider): Promise<Readonly<Record<string, string>>>;
  /** The protocol that models.yml names; a proxy's models without one of their own need it. */
  saidApi(provider: Provider): ProtocolId | undefined;
  /** A server that was asked and did not answer well. */
  onFailure(provider: Provider, reason: string): void;
}

/** How hard to try: what is cached, what is cached and fresh, or the server itself with patience. */
export type Effort = "cached" | "fresh" | "patient";

export interface FoundModels {
  /** The models of a provider with discovery, merged with those that are built in. */
  of(
    provider: Provider,
    builtIn: readonly ModelFacts[],
    effort: Effort,
  ): Promise<readonly ModelFacts[]>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const LOCAL_FRESH_MS = 5 * 60 * 1000;
/** A server on this machine answers at once or not at all. */
const LOCAL_LIMIT_MS = 250;
const LIMIT_MS = 10_000;

export function createFoundModels(deps: FoundModelsDeps): FoundModels {
  const { clock, environment } = deps;
  const cache = deps.cacheFile === undefined ? undefined : createModelCache(deps.cacheFile);

  const ask = async (provider: Provider, effort: Effort) => {
    const { discovery, baseUrl, api } = provider;
    const length = Number(environment["OLLAMA_CONTEXT_LENGTH"]);
    return discoverModels(
      {
        type: discovery!,
        baseUrl,
        api: discovery === "proxy" ? deps.saidApi(provider) : api,
        headers: await deps.headersFor(provider),
        contextLength: Number.isInteger(length) && length > 0 ? length : undefined,
      },
      {
        fetch: (await provider.fetch?.()) ?? deps.fetch,
        clock,
        limitMs: isLocal(provider) && effort !== "patient" ? LOCAL_LIMIT_MS : LIMIT_MS,
      },
    );
  };

  return {
    async of(provider, builtIn, effort) {
      const row = await cache?.read(provider.id);
      const fingerprint = fingerprintOf(builtIn);
      const known = () => (row ? fromRow(row, builtIn, fingerprint) : builtIn);
      if (effort === "cached") return known();
      if (effort === "fresh" && row && isFresh(row, provider, clock.now())) return known();
      const result = await ask(provider, effort);
      if (result.kind === "failed") {
        deps.onFailure(provider, result.reason);
        return known();
      }
      const models = mergeFacts(builtIn, result.models);
      await cache?.write(provider.id, {
        models,
        updatedAt: clock.now(),
        isAuthoritative: true,
        fingerprint,
      });
      return models;
    },
    close: async () => cache?.close(),
  };
}

function isFresh(row: CachedModels, provider: Provider, now: number): boolean {
  const age = now - row.updatedAt;
  return row.isAuthoritative && age >= 0 && age < (isLocal(provider) ? LOCAL_FRESH_MS : DAY_MS);
}

/** A row made with the catalogue of today is used as it is; else today's catalogue goes first. */
function fromRow(
  row: CachedModels,
  builtIn: readonly ModelFacts[],
  fingerprint: string,
): readonly ModelFacts[] {
  const isCurrent = row.isAuthoritative && fingerprint !== "" && row.fingerprint === fingerprint;
  return isCurrent ? row.models : mergeFacts(builtIn, row.models);
}
