/** Mistral's own API; how its wire differs is in the table of hosts. */

import type { Provider } from "./provider.ts";

export const mistral: Provider = {
  id: "mistral",
  name: "Mistral",
  api: "openai-completions",
  baseUrl: "https://api.mistral.ai/v1",
  keyEnv: ["MISTRAL_API_KEY"],
  defaultModel: "devstral-latest",
  models: [],
};
