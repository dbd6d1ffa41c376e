/** Xiaomi's own API; how its wire differs is in the table of hosts. */

import type { Provider } from "./provider.ts";

export const xiaomi: Provider = {
  id: "xiaomi",
  name: "Xiaomi MiMo",
  api: "openai-completions",
  baseUrl: "https://api.xiaomimimo.com/v1",
  keyEnv: ["XIAOMI_API_KEY"],
  defaultModel: "mimo-v2.6-pro",
  models: [],
};
