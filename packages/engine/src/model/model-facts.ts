/** The facts of one provider's models: what is built in, what models.yml changes and adds, what servers tell. Pure. */

import { mergeCompat, UNKNOWN, type ModelFacts } from "@omp/ai";
import type { ThinkingSupport } from "@omp/ai/schema";
import type { ModelConfig, ModelOverride, ProviderConfig } from "./models-config.ts";

/**
 * What models.yml makes of the models that are built in and that servers told: its own models replace those of
 * the same id, the others come after; what it says of single models holds for all of them.
 */
export function configuredFacts(
  known: readonly ModelFacts[],
  said: ProviderConfig | undefined,
): readonly ModelFacts[] {
  if (!said) return known;
  const own = new Map((said.models ?? []).map((model) => [model.id, factsFrom(model)]));
  const kept = known.map((facts) => {
    const elsewhere = said.baseUrl === undefined ? facts : withoutAddress(facts);
    return own.get(facts.id) ?? elsewhere;
  });
  const added = own.values().filter(({ id }) => !known.some((facts) => facts.id === id));
  return withOverrides([...kept, ...added], said);
}

/** The first list, and what only the second one has. */
export function mergeFacts(
  first: readonly ModelFacts[],
  second: readonly ModelFacts[],
): readonly ModelFacts[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !known.has(id))];
}

/** What the file says of single models, and of all models of the provider. */
function withOverrides(models: readonly ModelFacts[], said: ProviderConfig): readonly ModelFacts[] {
  const { modelOverrides = {}, disableStrictTools, authHeader } = said;
  return models.map((facts) => ({
    ...overridden(facts, modelOverrides[facts.id]),
    ...(disableStrictTools !== undefined && { disableStrictTools }),
    ...(authHeader !== undefined && { authHeader }),
  }));
}

function overridden(facts: ModelFacts, said: ModelOverride | undefined): ModelFacts {
  if (!said) return facts;
  const { cost, thinking, headers, compat, ...plain } = said;
  const merged = mergeCompat(facts.compat, compat);
  return {
    ...facts,
    ...plain,
    ...(cost && { prices: { ...facts.prices, ...cost } }),
    ...(thinking && { thinking: { ...(facts.thinking ?? USUAL), ...thinking } }),
    ...(headers && { headers: { ...facts.headers, ...headers } }),
    ...(merged && { compat: merged }),
  };
}

const USUAL: ThinkingSupport = { mode: "effort", levels: ["minimal", "low", "medium", "high"] };

function factsFrom({ id, api, ...said }: ModelConfig): ModelFacts {
  const bare = { ...UNKNOWN, id, name: id, ...(api && { api }) };
  // Who says how a model thinks need not say that it does.
  const reasoning = said.reasoning ?? said.thinking !== undefined;
  return { ...overridden(bare, said), reasoning };
}

function withoutAddress({ baseUrl: _baseUrl, ...facts }: ModelFacts): ModelFacts {
  return facts;
}
