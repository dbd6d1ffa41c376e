/** The fields of models.yml and what each accepts. Data, for `checked-value.ts`. */

import { THINKING_LEVELS } from "@omp/ai/schema";
import type { Rule } from "./checked-value.ts";

const text: Rule = {
  accepts: (value) => typeof value === "string" && value !== "",
  wanted: "a text; put quotes around it if it looks like a number",
  isPrivate: true,
};
const flag: Rule = { accepts: (value) => typeof value === "boolean", wanted: "true or false" };
const positive: Rule = {
  accepts: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
  wanted: "a number greater than zero",
};
const amount: Rule = {
  accepts: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
  wanted: "a number, zero or more",
};
const address: Rule = {
  accepts: (value) =>
    typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value),
  wanted: "an http or https address",
};
const anything: Rule = { accepts: () => true, wanted: "anything" };
const texts: Rule = { list: text };
const oneOf = (...words: readonly string[]): Rule => ({
  accepts: (value) => typeof value === "string" && words.includes(value),
  wanted: `one of ${words.join(", ")}`,
});

const levels = THINKING_LEVELS.filter((level) => level !== "off");
const routing: Rule = { fields: { only: texts, order: texts } };

const api = oneOf(
  "openai-completions",
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "google-generative-ai",
  "google-vertex",
);

const compat: Rule = {
  fields: {
    supportsStore: flag,
    supportsDeveloperRole: flag,
    supportsMultipleSystemMessages: flag,
    supportsUsageInStreaming: flag,
    maxTokensField: oneOf("max_completion_tokens", "max_tokens"),
    supportsToolChoice: flag,
    disableReasoningOnForcedToolChoice: flag,
    disableReasoningOnToolChoice: flag,
    extraBody: { map: anything },
    supportsReasoningEffort: flag,
    reasoningEffortMap: { fields: Object.fromEntries(levels.map((level) => [level, text])) },
    thinkingFormat: oneOf("openai", "openrouter", "zai", "qwen", "qwen-chat-template"),
    reasoningContentField: oneOf("reasoning_content", "reasoning", "reasoning_text"),
    requiresReasoningContentForToolCalls: flag,
    allowsSyntheticReasoningContentForToolCalls: flag,
    requiresAssistantContentForToolCalls: flag,
    requiresToolResultName: flag,
    requiresAssistantAfterToolResult: flag,
    requiresThinkingAsText: flag,
    requiresMistralToolIds: flag,
    supportsStrictMode: flag,
    toolStrictMode: oneOf("all_strict", "none"),
    openRouterRouting: routing,
    vercelGatewayRouting: routing,
  },
};

const overridable = {
  name: text,
  reasoning: flag,
  thinking: {
    fields: { mode: oneOf("effort", "budget", "adaptive"), levels: { list: oneOf(...levels) } },
  },
  input: { list: oneOf("text", "image") },
  cost: { fields: { input: amount, output: amount, cacheRead: amount, cacheWrite: amount } },
  premiumMultiplier: amount,
  contextWindow: positive,
  maxTokens: positive,
  headers: { map: text },
  compat,
  contextPromotionTarget: text,
} satisfies Record<string, Rule>;

export const providerRule: Rule = {
  fields: {
    baseUrl: address,
    apiKey: text,
    api,
    headers: { map: text },
    authHeader: flag,
    auth: oneOf("apiKey", "none", "oauth"),
    disableStrictTools: flag,
    discovery: {
      fields: { type: oneOf("ollama", "llama.cpp", "lm-studio", "openai-models-list", "proxy") },
      required: ["type"],
    },
    modelOverrides: { map: { fields: overridable } },
    models: { list: { fields: { id: text, api, ...overridable }, required: ["id"] } },
    compat,
    transport: oneOf("pi-native"),
  },
};

export const fileRule: Rule = {
  fields: {
    providers: { map: anything },
    equivalence: { fields: { overrides: { map: text }, exclude: texts } },
  },
};
