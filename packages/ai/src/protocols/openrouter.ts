/** What OpenRouter takes beside OpenAI's own fields, the same on both of OpenAI's wires. Pure. */

import type { Compat } from "../schema/compat.ts";
import type { Model } from "../schema/model.ts";
import { isAt } from "./compat.ts";

export function isOpenRouter(model: Model): boolean {
  return model.provider === "openrouter" || isAt(model, "openrouter.ai");
}

/** The id with the variant that is set, unless it names one itself. */
export function withVariant({ id, wireId = id }: Model, compat: Compat): string {
  const { openRouterVariant: variant } = compat;
  return variant && !wireId.includes(":") ? `${wireId}:${variant}` : wireId;
}

/** Which vendors to use; other servers would refuse the field. */
export function routingFields(model: Model, { openRouterRouting }: Compat): object {
  return openRouterRouting && isAt(model, "openrouter.ai") ? { provider: openRouterRouting } : {};
}
