/** OpenRouter: many vendors behind one key. */

import type { Provider } from "./provider.ts";

export const openrouter: Provider = {
  id: "openrouter",
  name: "OpenRouter",
  api: "openai-completions",
  baseUrl: "https://openrouter.ai/api/v1",
  baseUrls: { "anthropic-messages": "https://openrouter.ai/api" },
  keyEnv: ["OPENROUTER_API_KEY"],
  defaultModel: "anthropic/claude-sonnet-5",
  models: [],
};
