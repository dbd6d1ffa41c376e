/** xAI's own API. */

import type { Provider } from "./provider.ts";

export const xai: Provider = {
  id: "xai",
  name: "xAI",
  api: "openai-completions",
  baseUrl: "https://api.x.ai/v1",
  keyEnv: ["XAI_API_KEY"],
  defaultModel: "grok-4.7",
  models: [],
};
