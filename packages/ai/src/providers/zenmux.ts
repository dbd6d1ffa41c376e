/** ZenMux: many vendors behind one key, over both of the large wires. */

import type { Provider } from "./provider.ts";

export const zenmux: Provider = {
  id: "zenmux",
  name: "ZenMux",
  api: "openai-completions",
  baseUrl: "https://zenmux.ai/api/v1",
  baseUrls: { "anthropic-messages": "https://zenmux.ai/api/anthropic" },
  apiByPrefix: { "anthropic/": "anthropic-messages" },
  keyEnv: ["ZENMUX_API_KEY"],
  defaultModel: "anthropic/claude-sonnet-4.5",
  discovery: "openai-models-list",
  models: [],
};
