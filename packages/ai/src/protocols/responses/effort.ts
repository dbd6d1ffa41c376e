/** How hard a model of the Responses family is asked to think, in the vendor's words. Pure. */

import type { Model, ModelRequest } from "../../schema/model.ts";
import { THINKING_LEVELS, type ActiveThinkingLevel } from "../../schema/thinking.ts";

/** Undefined leaves it to the vendor. */
export function effortOf({ model, thinking = "off" }: ModelRequest): string | undefined {
  if (!model.reasoning || model.compat?.supportsReasoningEffort === false) return undefined;
  if (thinking === "off") return canRest(model) ? "none" : undefined;
  const level = lowered(thinking, model.thinking?.levels ?? EVERYWHERE);
  return model.compat?.reasoningEffortMap?.[level] ?? level;
}

/** What every reasoning model of the vendor takes. */
const EVERYWHERE: readonly ActiveThinkingLevel[] = ["low", "medium", "high"];

/** Since 5.1 models can be told not to think, but for those that are made for it. */
function canRest({ id, compat }: Model): boolean {
  if (compat?.alwaysReasons) return false;
  return /(^|\/)gpt-(5\.[1-9]|[6-9])/.test(id) && !/codex|pro|chat/.test(id);
}

function lowered(
  wanted: ActiveThinkingLevel,
  levels: readonly ActiveThinkingLevel[],
): ActiveThinkingLevel {
  const rank = THINKING_LEVELS.indexOf(wanted);
  const fitting = levels.filter((level) => THINKING_LEVELS.indexOf(level) <= rank);
  return fitting.at(-1) ?? levels[0] ?? wanted;
}
