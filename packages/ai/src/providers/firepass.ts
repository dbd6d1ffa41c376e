/** Fireworks for a flat rate: tokens cost nothing. */

import type { Provider } from "./provider.ts";

export const firepass: Provider = {
  id: "firepass",
  name: "Fire Pass",
  api: "openai-completions",
  baseUrl: "https://api.fireworks.ai/inference/v1",
  keyEnv: ["FIREPASS_API_KEY"],
  models: [
    {
      id: "kimi-k3-fast",
      name: "Kimi K3 Fast",
      wireId: "accounts/fireworks/routers/kimi-k3-fast",
      contextWindow: 1_048_576,
      maxTokens: 131_072,
      reasoning: true,
      input: ["text", "image"],
      prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    },
  ],
};
