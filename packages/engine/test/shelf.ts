/** A registry of a few made-up providers, with official ids and keys as a test wants them. Data only. */

import { modelFrom, type ModelFacts, type Provider } from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import type { ModelRegistry } from "../src/model/model-registry.ts";
import { withPromotionTargets } from "../src/model/promotion.ts";
import { createVault, type Vault } from "../src/vault/vault.ts";

export function facts(id: string, more: Partial<ModelFacts> = {}): ModelFacts {
  return {
    id,
    name: id,
    contextWindow: 100_000,
    maxTokens: 8000,
    reasoning: true,
    input: ["text", "image"],
    prices: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    ...more,
  };
}

export function vendor(
  id: string,
  models: readonly (string | ModelFacts)[],
  more: Partial<Provider> = {},
): Provider {
  return {
    id,
    name: id.toUpperCase(),
    api: "openai-completions",
    baseUrl: `http://${id}.invalid/v1`,
    keyEnv: [`${id.toUpperCase()}_KEY`],
    models: models.map((model) => (typeof model === "string" ? facts(model) : model)),
    ...more,
  };
}

export interface Shelf {
  readonly registry: ModelRegistry;
  readonly vault: Vault;
  /** Ids of the providers whose models were asked for, in order. */
  readonly loaded: readonly string[];
}

export interface ShelfOptions {
  /** Ids of providers with a key in the environment. */
  readonly keys?: readonly string[];
  /** `provider/id` to the official id it is a variant of. */
  readonly official?: Readonly<Record<string, string>>;
  /** Which provider is tried first. */
  readonly order?: readonly string[];
  readonly apiKeyFlag?: string;
}

export function shelf(providers: readonly Provider[], options: ShelfOptions = {}): Shelf {
  const { keys = [], official = {}, order = [] } = options;
  const environment = Object.fromEntries(
    keys.map((id) => [`${id.toUpperCase()}_KEY`, `key-${id}`]),
  );
  const vault = createVault({
    environment,
    providers,
    apiKeyFlag: options.apiKeyFlag,
    store: { apiKeys: () => Promise.resolve(new Map()) },
    resolveValue: (value) => Promise.resolve(value),
    onSecret: () => {},
  });
  const loaded: string[] = [];
  const list = (provider: Provider): readonly Model[] => {
    loaded.push(provider.id);
    return withPromotionTargets(provider.models.map((model) => modelFrom(provider, model, {})));
  };
  const all = () => providers.flatMap(list);
  const rank = ({ provider }: Model) => order.indexOf(provider) + 1 || order.length + 1;
  const available = async () => {
    const usable = await Promise.all(providers.map((provider) => vault.hasKeyFor(provider)));
    return providers.filter((_, index) => usable[index]).flatMap(list);
  };
  const canonicalOf = ({ provider, id }: Model) => official[`${provider}/${id}`];
  return {
    vault,
    loaded,
    registry: {
      providers,
      problems: [],
      modelsOf: (id) => Promise.resolve(providers.filter((one) => one.id === id).flatMap(list)),
      modelNamed: (provider, id) =>
        Promise.resolve(list(provider).find((model) => model.id === id)),
      all: () => Promise.resolve(all()),
      available,
      canonicalOf,
      async variantsOf(id) {
        const usable = new Set((await available()).map((model) => model.provider));
        const isBehind = (model: Model) => Number(!usable.has(model.provider));
        return all()
          .filter((model) => canonicalOf(model) === id)
          .sort((a, b) => isBehind(a) - isBehind(b) || rank(a) - rank(b));
      },
    },
  };
}
