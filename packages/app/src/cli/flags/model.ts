/** Flags that choose the model. */

import { UserError } from "@omp/std";
import type { Flag } from "../flag.ts";
import type { ThinkingWish } from "../invocation.ts";

const THINKING: readonly ThinkingWish[] = ["off", "minimal", "low", "medium", "high", "xhigh"];

export const modelFlags: readonly Flag[] = [
  {
    name: "model",
    value: "<model|role>",
    category: "Model",
    help: "Model to use: provider/id, an id, words of one, or a role; `:high` at the end sets the thinking",
    apply: (invocation, value) => void (invocation.model = value),
  },
  {
    name: "provider",
    value: "<id>",
    category: "Model",
    help: "Provider of the model (older spelling of provider/id); alone, its default model",
    apply: (invocation, value) => void (invocation.provider = value),
  },
  {
    name: "models",
    value: "<a,b,...>",
    category: "Model",
    help: "Models to choose from: ids, words or globs such as openai/*; the first one starts",
    apply: (invocation, value) => {
      invocation.models = value
        .split(",")
        .map((pattern) => pattern.trim())
        .filter((pattern) => pattern !== "");
    },
  },
  roleFlag("smol", "PI_SMOL_MODEL", "Model for small jobs"),
  roleFlag("slow", "PI_SLOW_MODEL", "Model for hard thinking"),
  roleFlag("plan", "PI_PLAN_MODEL", "Model for planning"),
  {
    name: "thinking",
    value: `<${THINKING.join("|")}>`,
    choices: THINKING,
    category: "Model",
    help: "How hard the model thinks; one that does not know the level gets the next lower one",
    apply: (invocation, value) => {
      const level = THINKING.find((known) => known === value);
      if (!level) {
        throw new UserError(
          "usage",
          `--thinking must be one of ${THINKING.join(", ")}, not "${value}"`,
        );
      }
      invocation.thinking = level;
    },
  },
  {
    name: "api-key",
    value: "<key>",
    category: "Model",
    help: "Key for the model's provider, instead of a stored one or its environment variable",
    apply: (invocation, value) => void (invocation.apiKey = value),
  },
  {
    name: "list-models",
    value: "[search]",
    isValueOptional: true,
    category: "Model",
    help: "List the models that can be used, or those with these words; same as omp models",
    apply(invocation, value) {
      invocation.command = "models";
      if (value !== "") invocation.messages.push("find", value);
    },
  },
];

function roleFlag(role: string, variable: string, what: string): Flag {
  return {
    name: role,
    value: "<model>",
    category: "Model",
    help: `${what} (the role ${role}; also ${variable})`,
    apply: (invocation, value) => void (invocation.roles[role] = value),
  };
}
