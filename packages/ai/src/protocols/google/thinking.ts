/** How a Gemini model is told to think: newer ones by a word, older ones by a number of tokens. */

import type { Model, ModelRequest } from "../../schema/model.ts";
import {
  DEFAULT_THINKING_BUDGETS,
  THINKING_LEVELS,
  type ActiveThinkingLevel,
} from "../../schema/thinking.ts";

/** Undefined leaves it to the vendor's default. */
export function thinkingConfig(request: ModelRequest): object | undefined {
  const { model, thinking } = request;
  if (!model.reasoning) return undefined;
  if (takesWords(model)) return byWord(model, thinking);
  const isOff = thinking === undefined || thinking === "off";
  if (!isOff && model.thinking?.mode === "adaptive") return { includeThoughts: true };
  return byBudget(request);
}

/** From the third generation on, models want the signatures of their calls back, and see images in results. */
export function isGemini3({ id, wireId = id }: Model): boolean {
  return /\bgemini-(?:[3-9]|\d\d|\w+(?:-lite)?-latest)/.test(wireId);
}

function takesWords(model: Model): boolean {
  return model.thinking ? model.thinking.mode === "effort" : isGemini3(model);
}

function byWord(model: Model, level: ModelRequest["thinking"]): object | undefined {
  // They cannot be kept from thinking: their least is the nearest thing.
  if (level === undefined) return undefined;
  const levels = model.thinking?.levels ?? (/pro/.test(model.id) ? PRO_LEVELS : FLASH_LEVELS);
  const wanted = THINKING_LEVELS.indexOf(level);
  const fitting = levels.findLast((candidate) => THINKING_LEVELS.indexOf(candidate) <= wanted);
  const thinkingLevel = WORD[fitting ?? levels[0] ?? "low"];
  return level === "off" ? { thinkingLevel } : { includeThoughts: true, thinkingLevel };
}

const PRO_LEVELS = ["low", "high"] as const;
const FLASH_LEVELS = ["minimal", "low", "medium", "high"] as const;

const WORD: Readonly<Record<ActiveThinkingLevel, string>> = {
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
};

function byBudget({ model, thinking, thinkingBudgets }: ModelRequest): object | undefined {
  const { least, most, canRest } = LIMITS.find(({ id }) => id.test(model.id)) ?? ANY_LIMITS;
  if (thinking === undefined && !canRest) return undefined;
  if (thinking === undefined || thinking === "off") return { thinkingBudget: canRest ? 0 : least };
  const wanted = (thinkingBudgets ?? DEFAULT_THINKING_BUDGETS)[thinking];
  return { includeThoughts: true, thinkingBudget: Math.min(most, Math.max(least, wanted)) };
}

/** What the vendor's table of thinking budgets says; any other number is refused. */
const LIMITS = [
  { id: /flash-lite/, least: 512, most: 24_576, canRest: true },
  { id: /flash/, least: 1, most: 24_576, canRest: true },
  { id: /pro/, least: 128, most: 32_768, canRest: false },
] as const;
const ANY_LIMITS = { least: 1, most: 32_768, canRest: true };
