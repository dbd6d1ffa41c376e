/** Fireworks: open models. Its own ids are paths, which the catalogue has; these are the names people use. */

import type { Provider } from "./provider.ts";

const THINKS = { reasoning: true, compat: { reasoningEffortMap: { xhigh: "max" } } } as const;

export const fireworks: Provider = {
  id: "fireworks",
  name: "Fireworks",
  api: "openai-completions",
  baseUrl: "https://api.fireworks.ai/inference/v1",
  baseUrls: { "anthropic-messages": "https://api.fireworks.ai/inference" },
  keyEnv: ["FIREWORKS_API_KEY"],
  defaultModel: "glm-5.3",
  models: [
    {
      id: "glm-5.3",
      name: "GLM 5.3",
      wireId: "accounts/fireworks/models/glm-5p3",
      contextWindow: 1_048_573,
      maxTokens: 262_144,
      input: ["text"],
      prices: { input: 1.4, output: 4.4, cacheRead: 0.26, cacheWrite: 0 },
      ...THINKS,
    },
    {
      id: "kimi-k3",
      name: "Kimi K3",
      wireId: "accounts/fireworks/models/kimi-k3",
      contextWindow: 1_048_576,
      maxTokens: 131_072,
      input: ["text", "image"],
      prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 0 },
      ...THINKS,
    },
  ],
};
