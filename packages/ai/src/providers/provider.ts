/** A provider is data: a protocol, an address, the places of its key and what is known of its models. */

import type { ProtocolId } from "../protocols/registry.ts";
import type { Model } from "../schema/model.ts";
import type { FetchLike } from "../transport/http.ts";

/** What is particular to one model; the rest is its provider's. */
export type ModelFacts = Omit<Model, "provider" | "api" | "baseUrl" | "isKeyless">;

export interface Provider {
  readonly id: string;
  readonly name: string;
  /** The wire protocol that its models speak. */
  readonly api: ProtocolId;
  readonly baseUrl: string;
  /** Environment variable that replaces the base URL. */
  readonly baseUrlEnv?: string;
  /** Environment variables that may hold the key, the strongest first. None: it asks for no key. */
  readonly keyEnv: readonly string[];
  /** The first one is the default. Others may be asked for by id. */
  readonly models: readonly ModelFacts[];
  /** For a provider inside this process: what answers requests in place of the network. */
  readonly fetch?: () => Promise<FetchLike>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Any id is a model: one that is not listed gets numbers that are safe to assume. */
export function modelOf(provider: Provider, id: string, env: Environment): Model {
  const { models, api, baseUrl, baseUrlEnv, keyEnv } = provider;
  const known = models.find((model) => model.id === id) ?? undatedOf(models, id);
  return {
    ...(known ?? UNKNOWN),
    provider: provider.id,
    id,
    name: known?.name ?? id,
    api,
    baseUrl: (baseUrlEnv && env[baseUrlEnv]) || baseUrl,
    ...(keyEnv.length === 0 && { isKeyless: true }),
  };
}

const UNKNOWN = {
  contextWindow: 128_000,
  maxTokens: 8_192,
  reasoning: false,
  input: ["text"],
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
} as const;

/** `gpt-5-2025-08-07` is a snapshot of `gpt-5`, `claude-haiku-4-5-20251001` one of `claude-haiku-4-5`. */
function undatedOf(models: readonly ModelFacts[], id: string): ModelFacts | undefined {
  const undated = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return models.find((model) => model.id === undated);
}
