/** A registry of nothing but what providers list themselves: no catalogue, no files, no network. */

import { modelOf, type Provider } from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import type { Environment } from "../paths.ts";
import type { ModelRegistry } from "./model-registry.ts";
import { withPromotionTargets } from "./promotion.ts";

export interface StaticRegistryDeps {
  readonly providers: readonly Provider[];
  readonly environment: Environment;
  hasKeyFor(provider: Provider): boolean | Promise<boolean>;
}

export function createStaticRegistry(deps: StaticRegistryDeps): ModelRegistry {
  const { providers, environment } = deps;
  const byProvider = new Map<string, readonly Model[]>();

  const listed = (provider: Provider): readonly Model[] => {
    const known = byProvider.get(provider.id);
    if (known) return known;
    const models = withPromotionTargets(
      provider.models.map(({ id }) => modelOf(provider, id, environment)),
    );
    byProvider.set(provider.id, models);
    return models;
  };
  const all = () => providers.flatMap(listed);
  const available = async () => {
    const usable = await Promise.all(providers.map((provider) => deps.hasKeyFor(provider)));
    return providers.filter((_, index) => usable[index]).flatMap(listed);
  };

  return {
    providers,
    problems: [],
    modelsOf: (providerId) =>
      Promise.resolve(providers.filter(({ id }) => id === providerId).flatMap(listed)),
    all: () => Promise.resolve(all()),
    available,
    canonicalOf: ({ id }) => id,
    async variantsOf(canonicalId) {
      const usable = new Set(await available());
      const variants = all().filter(({ id }) => id === canonicalId);
      return [
        ...variants.filter((model) => usable.has(model)),
        ...variants.filter((model) => !usable.has(model)),
      ];
    },
  };
}
