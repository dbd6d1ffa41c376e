/** Which official model a provider's model is a variant of. Pure, and careful: in doubt it is none. */

import type { Model } from "@omp/ai/schema";

export interface CanonicalRules {
  /** Official id to its vendor. */
  readonly official: ReadonlyMap<string, string>;
  /** `provider/id` to the official id, by the person's own word. */
  readonly overrides: ReadonlyMap<string, string>;
  /** `provider/id` of models that belong to no group. */
  readonly exclude: ReadonlySet<string>;
}

/** The official id; the model's own where there is none; undefined where it is excluded. */
export function canonicalIdOf(
  { provider, id }: Pick<Model, "provider" | "id">,
  { official, overrides, exclude }: CanonicalRules,
): string | undefined {
  const selector = `${provider}/${id}`;
  if (exclude.has(selector)) return undefined;
  const named = overrides.get(selector);
  if (named !== undefined) return named;
  if (official.has(id)) return id;
  return officialFormOf(id, official) ?? id;
}

/** How gateways spell the names of vendors in front of ids. */
const VENDORS: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  deepseek: "deepseek",
  "deepseek-ai": "deepseek",
  google: "google",
  meta: "meta",
  minimax: "minimax",
  minimaxai: "minimax",
  mistral: "mistral",
  mistralai: "mistral",
  moonshot: "moonshot",
  moonshotai: "moonshot",
  openai: "openai",
  "x-ai": "xai",
  xai: "xai",
  xiaomi: "xiaomi",
  "z-ai": "zai",
  zai: "zai",
  "zai-org": "zai",
};

/** Without the vendor's name before it, and with dashes for the dots of its version: only if that is an official id. */
function officialFormOf(id: string, official: ReadonlyMap<string, string>): string | undefined {
  const [, prefix, rest] = /^([^/]+)\/(.+)$/.exec(id) ?? [];
  const vendor = prefix === undefined ? undefined : VENDORS[prefix.toLowerCase()];
  const bare = vendor === undefined ? id : rest!;
  const isVendors = (form: string) =>
    official.has(form) && (vendor === undefined || official.get(form) === vendor);
  return [bare, bare.replace(/(?<=\d)\.(?=\d)/g, "-")].find(isVendors);
}

/** The order in which the variants of one model are tried: as the person says, then as the registry has them. */
export function inProviderOrder(
  models: readonly Model[],
  providerOrder: readonly string[],
): readonly Model[] {
  const rank = ({ provider }: Model) => {
    const place = providerOrder.indexOf(provider);
    return place < 0 ? providerOrder.length : place;
  };
  return models.toSorted((a, b) => rank(a) - rank(b));
}
