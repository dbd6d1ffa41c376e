/** How a Claude is told to think, or not to, and what goes with it: shared by the protocols that reach one. */

import type { Model, ModelRequest, ToolChoice } from "../schema/model.ts";
import type { Sampling } from "../schema/sampling.ts";
import {
  DEFAULT_THINKING_BUDGETS,
  THINKING_LEVELS,
  type ActiveThinkingLevel,
  type ThinkingLevel,
} from "../schema/thinking.ts";

export interface ClaudeThinking {
  readonly fields: {
    readonly thinking?: object;
    readonly output_config?: { readonly effort: string };
  };
  readonly maxTokens: number;
  /** Thinking between tool calls needs the vendor's beta. */
  readonly needsInterleavedBeta: boolean;
  /** What may be asked of the tools while the model thinks like this. */
  readonly toolChoice: ToolChoice;
  /** What it may be told about its choice of words. */
  readonly sampling: Sampling;
}

export const INTERLEAVED_BETA = "interleaved-thinking-2025-05-14";

export function claudeThinking(request: ModelRequest): ClaudeThinking {
  const { model } = request;
  const claude = claudeOf(model.id);
  const toolChoice = legalChoice(claude, request.toolChoice ?? "auto");
  const maxTokens = Math.min(request.maxTokens ?? model.maxTokens, model.maxTokens);
  const sampling = legalSampling(claude, request.sampling);
  const plain = { fields: {}, maxTokens, needsInterleavedBeta: false, toolChoice, sampling };
  if (!model.reasoning) return plain;
  // The vendor refuses thoughts before a call that was forced.
  const isForced = toolChoice !== "auto" && toolChoice !== "none";
  const level = isForced ? "off" : lowered(model, request.thinking ?? "off");
  const isZai = model.compat?.thinkingFormat === "zai";
  if (level === "off") {
    const rest = isZai ? { thinking: { type: "disabled" } } : undefined;
    return { ...plain, fields: rest ?? quiet(claude, request.thinking === "off") };
  }
  // Who thinks takes no word about sampling.
  const thoughtful = { ...plain, sampling: {} };
  if (isZai) return { ...thoughtful, fields: { thinking: { type: "enabled" } } };
  if (!isAdaptive(model, claude)) return budgeted(request, level, plain);
  const effort = effortOf(model, claude, level);
  // Newer models keep the text of their thoughts to themselves unless asked.
  const thinking = { type: "adaptive", display: "summarized" };
  return { ...thoughtful, fields: { thinking, output_config: { effort } } };
}

interface Claude {
  /** Empty where the name is not one of the vendor's scheme. */
  readonly family: string;
  /** 405 for 4.5. */
  readonly version: number;
}

function claudeOf(id: string): Claude {
  const match = /claude-(opus|sonnet|haiku|fable|mythos)(?:-(\d+)(?:[.-](\d{1,2}))?(?!\d))?/.exec(
    id,
  );
  const [, family = "", major = "0", minor = "0"] = match ?? [];
  return { family, version: Number(major) * 100 + Number(minor) };
}

const ALWAYS_THINK: ReadonlySet<string> = new Set(["fable", "mythos"]);

function cannotRest({ family, version }: Claude): boolean {
  return ALWAYS_THINK.has(family) || (family === "opus" && version >= 505);
}

/** At rest it still writes short notes between its tool calls. */
function takesNotes({ family, version }: Claude): boolean {
  return family === "sonnet" && version >= 505;
}

/** Budgets are refused from 4.7 on, whatever a configuration says; 4.6 takes both. */
function isAdaptive({ thinking }: Model, { family, version }: Claude): boolean {
  if (ALWAYS_THINK.has(family) || version >= 407) return true;
  return thinking ? thinking.mode !== "budget" : version === 406;
}

/** Each generation has its own word for not thinking; the last ones have none. */
function quiet(claude: Claude, isWanted: boolean): ClaudeThinking["fields"] {
  if (cannotRest(claude)) return isWanted ? { output_config: { effort: "low" } } : {};
  if (claude.version < 500) return {};
  return { thinking: { type: takesNotes(claude) ? "between_tools" : "disabled" } };
}

/** A model that thinks in any case refuses to be forced to a tool. */
function legalChoice(claude: Claude, choice: ToolChoice): ToolChoice {
  const refuses = cannotRest(claude) || takesNotes(claude);
  return refuses && choice !== "none" ? "auto" : choice;
}

/** The newest models take nothing; those since 4.1 take one of the first two, and the temperature counts. */
function legalSampling({ family, version }: Claude, sampling: Sampling = {}): Sampling {
  if (ALWAYS_THINK.has(family) || version >= 407) return {};
  const { topP: _topP, ...others } = sampling;
  return version >= 401 && sampling.temperature !== undefined ? others : sampling;
}

const SMALLEST_BUDGET = 1024;

function budgeted(
  request: ModelRequest,
  level: ActiveThinkingLevel,
  plain: ClaudeThinking,
): ClaudeThinking {
  const { model, thinkingBudgets = DEFAULT_THINKING_BUDGETS, interleavedThinking = true } = request;
  const budget = Math.max(thinkingBudgets[level], SMALLEST_BUDGET);
  // In the older mode the thoughts would take their tokens from the answer.
  const maxTokens = interleavedThinking
    ? plain.maxTokens
    : Math.min(plain.maxTokens + budget, model.maxTokens);
  const budget_tokens = Math.min(budget, maxTokens - 1);
  if (budget_tokens < SMALLEST_BUDGET) return plain;
  return {
    ...plain,
    sampling: {},
    maxTokens,
    fields: { thinking: { type: "enabled", budget_tokens } },
    needsInterleavedBeta: interleavedThinking,
  };
}

function effortOf(model: Model, claude: Claude, level: ActiveThinkingLevel): string {
  const word = model.compat?.reasoningEffortMap?.[level];
  if (word !== undefined) return word;
  if (level === "minimal") return "low";
  // The first adaptive models go from high to max directly.
  return level === "xhigh" && claude.version === 406 ? "max" : level;
}

/** The level itself, else the next lower one the model knows, else its lowest. */
function lowered({ thinking }: Model, level: ThinkingLevel): ThinkingLevel {
  if (level === "off" || !thinking || thinking.levels.length === 0) return level;
  const rank = THINKING_LEVELS.indexOf(level);
  const fitting = thinking.levels.findLast((known) => THINKING_LEVELS.indexOf(known) <= rank);
  return fitting ?? thinking.levels[0] ?? level;
}
