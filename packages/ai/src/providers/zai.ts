/** Z.ai's own API. Its catalogue names the wire of each model. */

import type { Provider } from "./provider.ts";

export const zai: Provider = {
  id: "zai",
  name: "Z.ai",
  api: "anthropic-messages",
  baseUrl: "https://api.z.ai/api/anthropic",
  baseUrls: { "openai-completions": "https://api.z.ai/api/coding/paas/v4" },
  keyEnv: ["ZAI_API_KEY"],
  defaultModel: "glm-5.3",
  idleTimeoutMs: 600_000,
  models: [],
};
