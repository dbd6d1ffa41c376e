/** Moonshot's own API; how its wire differs is in the table of hosts. */

import type { Provider } from "./provider.ts";

export const moonshot: Provider = {
  id: "moonshot",
  name: "Moonshot",
  api: "openai-completions",
  baseUrl: "https://api.moonshot.ai/v1",
  keyEnv: ["MOONSHOT_API_KEY", "KIMI_API_KEY"],
  defaultModel: "kimi-k3",
  models: [],
};
