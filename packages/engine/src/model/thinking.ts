/** How hard the model thinks: what was asked for, made to fit the model. Pure. */

import { THINKING_LEVELS, type Model, type ThinkingLevel } from "@omp/ai/schema";

export function thinkingLevelOf(text: string | null | undefined): ThinkingLevel | undefined {
  return THINKING_LEVELS.find((level) => level === text);
}

/** `gpt-5:high` is `gpt-5` at `high`; a colon before any other word belongs to the id. */
export function splitThinking(selector: string): {
  readonly base: string;
  readonly thinking?: ThinkingLevel;
} {
  const colon = selector.lastIndexOf(":");
  const thinking = colon > 0 ? thinkingLevelOf(selector.slice(colon + 1)) : undefined;
  return thinking ? { base: selector.slice(0, colon), thinking } : { base: selector };
}

/** The level this model can be told: the wanted one, else the next lower one, else its lowest. */
export function clampThinking(
  { reasoning, thinking }: Pick<Model, "reasoning" | "thinking">,
  wanted: ThinkingLevel,
): ThinkingLevel {
  if (!reasoning || wanted === "off") return "off";
  if (!thinking || thinking.levels.length === 0) return wanted;
  const rank = THINKING_LEVELS.indexOf(wanted);
  const fitting = thinking.levels.filter((level) => THINKING_LEVELS.indexOf(level) <= rank);
  return fitting.at(-1) ?? thinking.levels[0]!;
}
