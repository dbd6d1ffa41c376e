/** Settings of the choice of a model. */

import {
  DEFAULT_THINKING_BUDGETS,
  THINKING_LEVELS,
  type ActiveThinkingLevel,
} from "@omp/ai/schema";
import { setting, settingArea, stringMap, Type, type Values } from "@omp/std";
import { scopedList } from "./scoped-list.ts";

export const modelArea = settingArea("", {
  modelRoles: setting(
    stringMap(),
    {},
    {
      label: "Model roles",
      help: "Role name to model, e.g. `default: anthropic/claude-sonnet-4-5`",
    },
  ),
  defaultThinkingLevel: setting(Type.Enum([...THINKING_LEVELS]), "high", {
    label: "Thinking level",
    help: "How hard models think that can; each gets the nearest level it knows",
  }),
  enabledModels: setting(scopedList("models"), [], {
    label: "Enabled models",
    help: "Models to choose from: patterns, or `{ path, models }` for the folders below a path",
  }),
  disabledProviders: setting(scopedList("providers"), [], {
    label: "Disabled providers",
    help: "Ids of providers not to use, or `{ path, providers }` for the folders below a path",
  }),
  modelProviderOrder: setting(Type.Array(Type.String()), [], {
    label: "Order of providers",
    help: "Which provider is asked first for a model that several have",
  }),
});

export type ModelSettings = Values<typeof modelArea>;

function thinkingBudget(level: ActiveThinkingLevel) {
  return setting(Type.Integer({ minimum: 0 }), DEFAULT_THINKING_BUDGETS[level], {
    label: `Tokens to think: ${level}`,
    help: `Tokens for thinking at level ${level}, for models that take a number`,
  });
}

export const thinkingBudgetsArea = settingArea("thinkingBudgets", {
  minimal: thinkingBudget("minimal"),
  low: thinkingBudget("low"),
  medium: thinkingBudget("medium"),
  high: thinkingBudget("high"),
  xhigh: thinkingBudget("xhigh"),
});

export const contextPromotionArea = settingArea("contextPromotion", {
  enabled: setting(Type.Boolean(), true, {
    label: "Context promotion",
    help: "Go on with a model of a larger window when the context does not fit",
  }),
});
