/** A provider is data: protocols, addresses, the places of its key and where it differs from others. */

import type { ProtocolId } from "../protocols/registry.ts";
import type { Compat } from "../schema/compat.ts";
import type { Model } from "../schema/model.ts";
import type { FetchLike } from "../transport/http.ts";
import { gatewayFields, type Gateway } from "./gateway.ts";

/** What is particular to one model; the rest is its provider's. */
export type ModelFacts = Omit<Model, "provider" | "api" | "baseUrl" | "isKeyless"> & {
  /** Where it differs from the provider's. */
  readonly api?: ProtocolId;
  readonly baseUrl?: string;
};

export type DiscoveryType = "ollama" | "llama.cpp" | "lm-studio" | "openai-models-list" | "proxy";

/** Environment variables by which a customer's own part of a host is known. */
interface Tenant {
  /** Holds what takes the place of `{}` in `url`, where no base URL is set. */
  readonly nameEnv: string;
  readonly url: string;
  readonly apiVersionEnv: string;
  /** Holds the customer's names for models: `model=name,model=name`. */
  readonly wireIdsEnv: string;
}

/** Environment variables that name a project and its location, each the strongest first. */
export interface Project {
  readonly nameEnv: readonly string[];
  readonly locationEnv: readonly string[];
  /** With `{project}` and `{location}`; a host has no prefix for the location `global`. */
  readonly url: string;
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  /** The wire protocol of its models, unless a model says otherwise. */
  readonly api: ProtocolId;
  readonly baseUrl: string;
  /** The person chose this protocol for its models, whatever the catalogue says of them. */
  readonly chosenApi?: ProtocolId;
  /** Addresses of its other protocols. */
  readonly baseUrls?: Readonly<Partial<Record<ProtocolId, string>>>;
  /** Beginnings of ids whose models speak another protocol, where the model itself names no other. */
  readonly apiByPrefix?: Readonly<Record<string, ProtocolId>>;
  /** Environment variable that replaces the base URL. */
  readonly baseUrlEnv?: string;
  /** The region that the base URL names, and the variables that name another, the strongest first. */
  readonly region?: { readonly usual: string; readonly env: readonly string[] };
  /** How the environment puts a company's gateway before it. */
  readonly gateway?: Gateway;
  /** Requests without a key can be signed, with credentials that are not one word. */
  readonly signature?: "aws" | "google";
  /** Where requests that are signed go instead: to a project at a location. */
  readonly project?: Project;
  /** For hosts where every customer has an address and names of their own. */
  readonly tenant?: Tenant;
  /** Environment variables that may hold the key, the strongest first. None: it asks for no key. */
  readonly keyEnv: readonly string[];
  /** A key is used where there is one, but not needed. */
  readonly isKeyOptional?: boolean;
  /** What models.yml says of the key: `!command`, the name of a variable, or the key itself. Wins over `keyEnv`. */
  readonly configKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** As in `Model`. */
  readonly keyHeader?: string;
  readonly idleTimeoutMs?: number;
  readonly compat?: Compat;
  /** Used when nobody chose; else the first of its models. */
  readonly defaultModel?: string;
  /** How its models are found out; a provider with it needs no catalogue. */
  readonly discovery?: DiscoveryType;
  /** Models that are not in the catalogue. The first one is the default where `defaultModel` is absent. */
  readonly models: readonly ModelFacts[];
  /** For a provider inside this process: what answers requests in place of the network. */
  readonly fetch?: () => Promise<FetchLike>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A model as requests need it: the facts, and what its provider adds to them. */
export function modelFrom(provider: Provider, facts: ModelFacts, env: Environment): Model {
  const { baseUrlEnv, baseUrls, keyHeader, idleTimeoutMs } = provider;
  const { url, ...own } = tenantOf(provider.tenant, facts.id, env);
  const api = apiOf(provider, facts);
  const compat = mergeCompat(provider.compat, facts.compat);
  const gateway = gatewayFields(provider, env);
  const headers = { ...provider.headers, ...gateway.headers, ...facts.headers };
  const customBaseUrl = gateway.baseUrl || (baseUrlEnv && env[baseUrlEnv]) || url;
  return {
    ...facts,
    ...own,
    provider: provider.id,
    api,
    baseUrl: customBaseUrl || facts.baseUrl || baseUrls?.[api] || inPlace(provider, env),
    ...(isKeyless(provider) && { isKeyless: true }),
    ...(keyHeader !== undefined && { keyHeader }),
    ...(gateway.keyHeader !== undefined && { keyHeader: gateway.keyHeader }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    ...(compat && { compat }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

function apiOf({ api, apiByPrefix = {} }: Provider, { id, api: said }: ModelFacts): ProtocolId {
  // Models that a server listed come with the usual protocol: that says nothing against their prefix.
  if (said !== undefined && said !== api) return said;
  const prefix = Object.keys(apiByPrefix).find((start) => id.startsWith(start));
  return (prefix !== undefined && apiByPrefix[prefix]) || api;
}

/** The key that the environment has for a provider, from the strongest of its variables. */
export function getEnvApiKey({ keyEnv }: Provider, env: Environment): string | undefined {
  return keyEnv.map((name) => env[name]).find(Boolean);
}

function inPlace(provider: Provider, env: Environment): string {
  const hasKey = provider.keyEnv.some((name) => env[name]);
  const { name, location } = projectIn(provider.project, env);
  if (!provider.project || hasKey || !name || !location) return inRegion(provider, env);
  const { url } = provider.project;
  const placed = url.replaceAll("{project}", name).replaceAll("{location}", location);
  return placed.replace("//global-", "//");
}

/** What the environment says of a project; either may be missing. */
function projectIn(
  project: Project | undefined,
  env: Environment,
): { readonly name?: string | undefined; readonly location?: string | undefined } {
  const first = (names: readonly string[] = []) => names.map((name) => env[name]).find(Boolean);
  return { name: first(project?.nameEnv), location: first(project?.locationEnv) };
}

function inRegion({ baseUrl, region }: Provider, env: Environment): string {
  const named = region?.env.map((name) => env[name]).find(Boolean);
  return region && named ? baseUrl.replace(region.usual, named) : baseUrl;
}

/** What the environment says of a customer's part of a host. */
function tenantOf(
  tenant: Tenant | undefined,
  id: string,
  env: Environment,
): { url?: string; apiVersion?: string; wireId?: string } {
  if (!tenant) return {};
  const name = env[tenant.nameEnv];
  const apiVersion = env[tenant.apiVersionEnv];
  const pairs = (env[tenant.wireIdsEnv] ?? "").split(",").map((pair) => pair.split("="));
  const wireId = pairs.find(([model]) => model?.trim() === id)?.[1]?.trim();
  return {
    ...(name && { url: tenant.url.replace("{}", name) }),
    ...(apiVersion && { apiVersion }),
    ...(wireId && { wireId }),
  };
}

/** It can be called without a key. */
export function isKeyless({ keyEnv, configKey, isKeyOptional }: Provider): boolean {
  return isKeyOptional === true || (keyEnv.length === 0 && configKey === undefined);
}

/** What the stronger one says wins; free-form parts are merged key by key. */
export function mergeCompat(
  weaker: Compat | undefined,
  stronger: Compat | undefined,
): Compat | undefined {
  if (!weaker || !stronger) return stronger ?? weaker;
  const parts = ["openRouterRouting", "vercelGatewayRouting", "extraBody"] as const;
  const merged = parts.flatMap((part) =>
    weaker[part] && stronger[part] ? [[part, { ...weaker[part], ...stronger[part] }]] : [],
  );
  return { ...weaker, ...stronger, ...Object.fromEntries(merged) };
}

/** Any id is a model: one that is not listed gets numbers that are safe to assume. */
export function modelOf(provider: Provider, id: string, env: Environment): Model {
  return modelFrom(provider, knownFacts(provider.models, id) ?? { ...UNKNOWN, id, name: id }, env);
}

/** The facts of a listed model; a dated id (`gpt-5-2025-08-07`) is a snapshot of the one without its date. */
export function knownFacts(models: readonly ModelFacts[], id: string): ModelFacts | undefined {
  const exact = models.find((model) => model.id === id);
  if (exact) return exact;
  const undated = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const known = models.find((model) => model.id === undated);
  return known && { ...known, id };
}

/** What is assumed of a model nobody knows. */
export const UNKNOWN: Omit<ModelFacts, "id" | "name"> = {
  contextWindow: 128_000,
  maxTokens: 16_384,
  reasoning: false,
  input: ["text"],
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};
