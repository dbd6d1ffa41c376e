/** What vendors say of their own models, for servers that only list ids. */

import { catalogOf, UNKNOWN, type ModelFacts } from "@omp/ai";
import { canonicalIdOf, type CanonicalRules } from "./canonical.ts";

/**
 * A proxy that lists `claude-opus-4-6` has that model, with its window and its eyes. What it costs there is
 * not known. Models that are built in, and those of other names, stay as they are.
 */
export async function withVendorFacts(
  models: readonly ModelFacts[],
  builtIn: readonly ModelFacts[],
  rules: CanonicalRules,
): Promise<readonly ModelFacts[]> {
  const known = new Set(builtIn.map(({ id }) => id));
  return Promise.all(
    models.map(async (facts) => {
      if (known.has(facts.id)) return facts;
      const official = canonicalIdOf({ provider: "", id: facts.id }, rules)!;
      const vendor = rules.official.get(official);
      const list = vendor === undefined ? [] : await catalogOf(vendor);
      const own = list.find(({ id }) => id === official);
      return own ? completed(facts, own) : facts;
    }),
  );
}

function completed(facts: ModelFacts, own: ModelFacts): ModelFacts {
  const { contextWindow, maxTokens, reasoning, input, name, thinking } = own;
  // How a model is told to think belongs to the protocol.
  const isSameWire = facts.api === own.api;
  return {
    ...facts,
    name,
    contextWindow:
      facts.contextWindow === UNKNOWN.contextWindow ? contextWindow : facts.contextWindow,
    maxTokens,
    reasoning,
    input,
    ...(isSameWire && thinking && { thinking }),
  };
}
