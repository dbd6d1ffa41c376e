/** OpenCode Go: open models for a flat rate. */

import type { Provider } from "./provider.ts";

export const opencodeGo: Provider = {
  id: "opencode-go",
  name: "OpenCode Go",
  api: "openai-completions",
  baseUrl: "https://opencode.ai/zen/go/v1",
  baseUrls: { "anthropic-messages": "https://opencode.ai/zen/go" },
  keyEnv: ["OPENCODE_API_KEY"],
  defaultModel: "glm-5.3",
  models: [],
};
