/** xAI with the token of a subscription, or with a key. */

import type { Provider } from "./provider.ts";

export const xaiOauth: Provider = {
  id: "xai-oauth",
  name: "xAI (subscription)",
  api: "openai-completions",
  baseUrl: "https://api.x.ai/v1",
  keyEnv: ["XAI_OAUTH_TOKEN", "XAI_API_KEY"],
  defaultModel: "grok-4.7",
  models: [],
};
