/** Fireworks: open models. Ids on its wire are paths; these are the short names people use. */

import type { Provider } from "./provider.ts";

const GLM = { contextWindow: 1_000_000, maxTokens: 131_072, reasoning: true } as const;
const KIMI = { contextWindow: 262_144, maxTokens: 131_072, reasoning: true } as const;

export const fireworks: Provider = {
  id: "fireworks",
  name: "Fireworks",
  api: "openai-completions",
  baseUrl: "https://api.fireworks.ai/inference/v1",
  baseUrls: { "anthropic-messages": "https://api.fireworks.ai/inference" },
  keyEnv: ["FIREWORKS_API_KEY"],
  defaultModel: "glm-5.3",
  models: [],
};
