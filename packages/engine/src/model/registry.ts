/** Every model there is: built in, from models.yml, and told by servers; loaded provider by provider. */

import {
  catalogOf,
  defaultFactsOf,
  isKeyless,
  modelFrom,
  officialIds,
  type FetchLike,
  type ModelFacts,
  type Provider,
} from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import { lazy, type Clock } from "@omp/std";
import type { Environment } from "../paths.ts";
import { canonicalIdOf, inProviderOrder, type CanonicalRules } from "./canonical.ts";
import type { Effort, FoundModels } from "./found-models.ts";
import { configuredFacts, mergeFacts } from "./model-facts.ts";
import type { ModelProblem, ModelRegistry } from "./model-registry.ts";
import type { ModelsConfig } from "./models-config.ts";
import { hasPromotionLink, withPromotionTargets } from "./promotion.ts";
import type { SecretResolver } from "./secrets-in-config.ts";
import { isLocal } from "./server-address.ts";

export interface ModelRegistryDeps {
  /** From `listProviders`. */
  readonly providers: readonly Provider[];
  readonly config: ModelsConfig;
  readonly environment: Environment;
  /** Providers to prefer where several have a model. */
  readonly providerOrder: readonly string[];
  /** Where found models are kept; nowhere when absent. */
  readonly cacheFile: string | undefined;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  hasKeyFor(provider: Provider): boolean | Promise<boolean>;
  /** For asking a server about its models. */
  keyFor(provider: Provider): Promise<string | undefined>;
  /** Absent for a mere list of models: headers that are commands are then left out. */
  readonly secrets?: SecretResolver | undefined;
}

export interface LiveModelRegistry extends ModelRegistry {
  /** Whether its models can be called: it needs no key, or there is one. */
  isUsable(provider: Provider): Promise<boolean>;
  /** Whether a vendor gave this id to a model of its own. */
  isOfficial(id: string): boolean;
  /** Asks every server anew, with patience, and keeps what they say. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export function createModelRegistry(deps: ModelRegistryDeps): LiveModelRegistry {
  const { providers, config } = deps;
  // A copy: each look into the process's own environment is a call into the system.
  const environment = { ...deps.environment };
  const failures = new Map<string, ModelProblem>();
  const loaded = new Map<string, Promise<readonly Model[]>>();
  let rules: CanonicalRules = { official: new Map(), ...config };
  const ready = lazy(async () => void (rules = { ...rules, official: await officialIds() }));
  let asked: Promise<FoundModels> | undefined;
  const askServers = async () =>
    (await import("./found-models.ts")).createFoundModels({
      ...deps,
      headersFor: (provider) => headersFor(provider, deps),
      saidApi: ({ id }) => config.providers.get(id)?.api,
      onFailure(provider, reason) {
        // Most people run no model server: that there is none is no problem unless they said otherwise.
        if (isLocal(provider) && !config.providers.has(provider.id)) return;
        failures.set(provider.id, unlisted(provider, reason));
      },
    });

  const load = (provider: Provider, effort: Effort): Promise<readonly Model[]> => {
    // A list that a server took part in is better than one from the cache.
    const known = loaded.get(`fresh ${provider.id}`) ?? loaded.get(`${effort} ${provider.id}`);
    if (known && effort !== "patient") return known;
    const models = ready().then(() => modelsFor(provider, effort));
    loaded.set(`${effort === "patient" ? "fresh" : effort} ${provider.id}`, models);
    return models;
  };

  async function modelsFor(provider: Provider, effort: Effort): Promise<readonly Model[]> {
    const said = config.providers.get(provider.id);
    const builtIn = await builtInFacts(provider);
    const mayAsk = provider.discovery && (await deps.hasKeyFor(provider));
    const known = mayAsk ? await toldBy(provider, builtIn, effort) : builtIn;
    const facts = configuredFacts(known, said);
    const models = facts.map((one) => modelFrom(provider, one, environment));
    return withPromotionTargets(await withSecrets(models, deps.secrets));
  }

  async function toldBy(provider: Provider, builtIn: readonly ModelFacts[], effort: Effort) {
    const told = await (await (asked ??= askServers())).of(provider, builtIn, effort);
    if (told === builtIn) return builtIn;
    return (await import("./vendor-facts.ts")).withVendorFacts(told, builtIn, rules);
  }

  const loadAll = (from: readonly Provider[], effort: Effort) =>
    Promise.all(from.map((provider) => load(provider, effort))).then((lists) => lists.flat());
  const isUsable = async (provider: Provider) =>
    isKeyless(provider) || (await deps.hasKeyFor(provider));
  const usable = () => whereTrue(providers, isUsable);
  const canonicalOf = (model: Model) => canonicalIdOf(model, rules);

  /** Nobody's own server is asked for a name that vendors gave: what it had last time will do. */
  async function variantsAmong(from: readonly Provider[], id: string): Promise<readonly Model[]> {
    const lists = from.map((provider) => load(provider, isLocal(provider) ? "cached" : "fresh"));
    const models = (await Promise.all(lists)).flat().filter((model) => canonicalOf(model) === id);
    return inProviderOrder(models, deps.providerOrder);
  }

  return {
    providers,
    get problems() {
      return [...config.problems, ...failures.values()];
    },
    async modelsOf(providerId) {
      const provider = providers.find(({ id }) => id === providerId);
      return provider ? load(provider, "fresh") : [];
    },
    async modelNamed(provider, id) {
      const facts = isSettled(provider, id, config) ? await defaultFactsOf(provider.id) : undefined;
      if (facts?.id !== id) return (await load(provider, "fresh")).find((model) => model.id === id);
      return (await withSecrets([modelFrom(provider, facts, environment)], deps.secrets))[0];
    },
    all: () => loadAll(providers, "fresh"),
    available: async () => loadAll(await usable(), "fresh"),
    canonicalOf,
    isUsable,
    isOfficial: (id) => rules.official.has(id),
    async variantsOf(canonicalId) {
      const callable = await variantsAmong(await usable(), canonicalId);
      // Without a key anywhere, whoever asked should hear which key is missing.
      return callable.length > 0 ? callable : variantsAmong(providers, canonicalId);
    },
    async refresh() {
      failures.clear();
      await loadAll(providers.filter(hasServer), "patient");
    },
    close: async () => (await asked)?.close(),
  };
}

async function whereTrue<Item>(
  items: readonly Item[],
  check: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  const checks = await Promise.all(items.map(check));
  return items.filter((_, index) => checks[index]);
}

function hasServer({ discovery }: Provider): boolean {
  return discovery !== undefined;
}

function unlisted({ id, baseUrl }: Provider, reason: string): ModelProblem {
  return { place: baseUrl, message: `the models of ${id} could not be listed: ${reason}` };
}

/** Nothing but the catalogue has a say in this model: no file, no server, no other model of the provider. */
function isSettled(provider: Provider, id: string, { providers: said }: ModelsConfig): boolean {
  const { discovery, chosenApi } = provider;
  return !said.has(provider.id) && !discovery && !chosenApi && !hasPromotionLink(id);
}

/** A provider's own list gives the order; the catalogue knows more about each model. */
async function builtInFacts({ id, models, chosenApi }: Provider): Promise<readonly ModelFacts[]> {
  const listed = await catalogOf(id);
  const catalog = chosenApi ? listed.map((facts) => over(chosenApi, facts)) : listed;
  if (models.length === 0) return catalog;
  const known = new Map(catalog.map((facts) => [facts.id, facts]));
  return mergeFacts(
    models.map((facts) => known.get(facts.id) ?? facts),
    catalog,
  );
}

/** A model over another protocol than the catalogue's: how it is told to think belongs to the wire. */
function over(api: Provider["api"], facts: ModelFacts): ModelFacts {
  if (facts.api === api) return facts;
  const { baseUrl: _baseUrl, thinking: _thinking, compat: _compat, ...rest } = facts;
  return { ...rest, api };
}

async function headersFor(
  provider: Provider,
  { keyFor, secrets }: ModelRegistryDeps,
): Promise<Readonly<Record<string, string>>> {
  const own = literal(
    (secrets && (await secrets.headers(provider.headers ?? {}))) ?? provider.headers ?? {},
  );
  const key = await keyFor(provider);
  return key === undefined ? own : { authorization: `Bearer ${key}`, ...own };
}

async function withSecrets(
  models: readonly Model[],
  secrets: SecretResolver | undefined,
): Promise<readonly Model[]> {
  if (!models.some(({ headers }) => headers && hasCommand(headers))) return models;
  return Promise.all(
    models.map(async (model) => {
      if (!model.headers || !hasCommand(model.headers)) return model;
      const headers = secrets ? await secrets.headers(model.headers) : literal(model.headers);
      return { ...model, headers };
    }),
  );
}

function hasCommand(headers: Readonly<Record<string, string>>): boolean {
  return Object.values(headers).some((value) => value.startsWith("!"));
}

function literal(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => !value.startsWith("!")));
}
