/** How hard a model thinks, and how it is told so. */

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];
export type ActiveThinkingLevel = Exclude<ThinkingLevel, "off">;

/** What a model understands: a word (`effort`), a number of tokens (`budget`), or its own judgement (`adaptive`). */
export interface ThinkingSupport {
  readonly mode: "effort" | "budget" | "adaptive";
  /** In rising order. A level that is not among them is lowered to the next one that is. */
  readonly levels: readonly ActiveThinkingLevel[];
}

/** Tokens for thinking at each level, for models that take a budget. */
export type ThinkingBudgets = Readonly<Record<ActiveThinkingLevel, number>>;

export const DEFAULT_THINKING_BUDGETS: ThinkingBudgets = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
};
