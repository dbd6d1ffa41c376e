/** From what a person wrote to a model. Pure: knows the providers' lists, not the network. */

import { modelOf, type Provider } from "@omp/ai";
import type { Model } from "@omp/ai/schema";
import { nearest, UserError } from "@omp/std";
import type { Environment } from "../paths.ts";

/** `provider/id` (any id of a known provider), a listed id, or a part of exactly one listed id. */
export function resolveModel(
  pattern: string,
  providers: readonly Provider[],
  environment: Environment,
): Model {
  const slash = pattern.indexOf("/");
  const provider = providers.find(({ id }) => id === pattern.slice(0, slash));
  if (provider) return modelOf(provider, pattern.slice(slash + 1), environment);
  const listed = providers.flatMap((owner) =>
    owner.models.map((model) => ({ owner, id: model.id, selector: `${owner.id}/${model.id}` })),
  );
  const exact = listed.find(({ id }) => id === pattern);
  if (exact) return modelOf(exact.owner, exact.id, environment);
  const partial = listed.filter(({ selector }) => selector.includes(pattern.toLowerCase()));
  const [only] = partial;
  if (only && partial.length === 1) return modelOf(only.owner, only.id, environment);
  throw new UserError("no-model", unknownModel(pattern, listed, partial));
}

interface Listed {
  readonly id: string;
  readonly selector: string;
}

function unknownModel(
  pattern: string,
  listed: readonly Listed[],
  partial: readonly Listed[],
): string {
  if (partial.length > 1) {
    return `"${pattern}" fits several models: ${partial.map((one) => one.selector).join(", ")}.`;
  }
  const guess = nearest(
    pattern,
    listed.flatMap(({ id, selector }) => [id, selector]),
  );
  const hint = guess
    ? ` Did you mean ${guess}?`
    : ` Known: ${listed.map((one) => one.selector).join(", ")}.`;
  return `No model matches "${pattern}".${hint}`;
}
