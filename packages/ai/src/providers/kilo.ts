/** Kilo's gateway to many vendors. */

import type { Provider } from "./provider.ts";

export const kilo: Provider = {
  id: "kilo",
  name: "Kilo",
  api: "openai-completions",
  baseUrl: "https://api.kilo.ai/api/gateway",
  keyEnv: ["KILO_API_KEY"],
  defaultModel: "anthropic/claude-sonnet-4.5",
  discovery: "openai-models-list",
  models: [],
};
