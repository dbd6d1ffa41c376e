/** Which model takes over when a conversation outgrows the window of its own. Pure. */

import type { Model } from "@omp/ai/schema";

/**
 * The models to try, best first: the one the model itself names, then the same provider's models of the
 * same protocol with a larger window, the smallest of them first.
 */
export function promotionTargets(model: Model, known: readonly Model[]): readonly Model[] {
  const named = namedTarget(model, known);
  const larger = known
    .filter(({ provider, api }) => provider === model.provider && api === model.api)
    .filter(({ contextWindow }) => contextWindow > model.contextWindow)
    .sort((a, b) => a.contextWindow - b.contextWindow);
  return named ? [named, ...larger.filter((candidate) => candidate !== named)] : larger;
}

/** `provider/id`, or an id of the same provider; ids may have slashes of their own. */
function namedTarget(model: Model, known: readonly Model[]): Model | undefined {
  const { provider, id, contextPromotionTarget: target } = model;
  if (target === undefined) return undefined;
  const found =
    known.find((candidate) => `${candidate.provider}/${candidate.id}` === target) ??
    known.find((candidate) => candidate.provider === provider && candidate.id === target);
  return found && !(found.provider === provider && found.id === id) ? found : undefined;
}

const LINKS: readonly (readonly [from: RegExp, to: string])[] = [
  [/codex-spark/, "gpt-5.5"],
  [/^gpt-5\.5$/, "gpt-5.4"],
];

/** Gives the models of one provider the targets that are known to suit, where those exist. */
export function withPromotionTargets(models: readonly Model[]): readonly Model[] {
  return models.map((model) => {
    if (model.contextPromotionTarget !== undefined) return model;
    const link = linkFrom(model.id);
    if (link === undefined) return model;
    const target = models.find(({ id, api }) => id === link && api === model.api);
    return target ? { ...model, contextPromotionTarget: target.id } : model;
  });
}

/** Whether other models decide what this one is promoted to. */
export function hasPromotionLink(id: string): boolean {
  return linkFrom(id) !== undefined;
}

function linkFrom(id: string): string | undefined {
  return LINKS.find(([from]) => from.test(id))?.[1];
}
