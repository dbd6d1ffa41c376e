/** Kimi's plan for coding, over both of the large wires. */

import type { Provider } from "./provider.ts";

export const kimiCode: Provider = {
  id: "kimi-code",
  name: "Kimi Code",
  api: "openai-completions",
  baseUrl: "https://api.kimi.com/coding/v1",
  baseUrls: { "anthropic-messages": "https://api.kimi.com/coding" },
  keyEnv: ["KIMI_API_KEY"],
  defaultModel: "kimi-for-coding",
  models: [],
};
