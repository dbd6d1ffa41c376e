/** OpenAI's own API, over Chat Completions. Prices in US dollars for a million tokens; cache writes are free. */

import type { Provider } from "./provider.ts";

const GPT_5 = {
  contextWindow: 400_000,
  maxTokens: 128_000,
  reasoning: true,
  input: ["text", "image"],
} as const;
const GPT_4_1 = {
  contextWindow: 1_047_576,
  maxTokens: 32_768,
  reasoning: false,
  input: ["text", "image"],
} as const;

export const openai: Provider = {
  id: "openai",
  name: "OpenAI",
  api: "openai-responses",
  baseUrl: "https://api.openai.com/v1",
  baseUrlEnv: "OPENAI_BASE_URL",
  keyEnv: ["OPENAI_API_KEY"],
  models: [
    {
      id: "gpt-5",
      name: "GPT-5",
      ...GPT_5,
      prices: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
    },
    {
      id: "gpt-5.1",
      name: "GPT-5.1",
      ...GPT_5,
      prices: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
    },
    {
      id: "gpt-5-mini",
      name: "GPT-5 mini",
      ...GPT_5,
      prices: { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
    },
    {
      id: "gpt-4.1",
      name: "GPT-4.1",
      ...GPT_4_1,
      prices: { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 0 },
    },
    {
      id: "gpt-4.1-mini",
      name: "GPT-4.1 mini",
      ...GPT_4_1,
      prices: { input: 0.4, output: 1.6, cacheRead: 0.1, cacheWrite: 0 },
    },
  ],
};
