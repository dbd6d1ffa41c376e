/** OpenCode Zen: chosen models of many vendors, each over its own wire. */

import type { Provider } from "./provider.ts";

export const opencodeZen: Provider = {
  id: "opencode-zen",
  name: "OpenCode Zen",
  api: "openai-completions",
  baseUrl: "https://opencode.ai/zen/v1",
  baseUrls: { "anthropic-messages": "https://opencode.ai/zen" },
  keyEnv: ["OPENCODE_API_KEY"],
  defaultModel: "claude-sonnet-5",
  models: [],
};
