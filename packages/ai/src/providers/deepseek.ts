/** DeepSeek's own API; how its wire differs is in the table of hosts. */

import type { Provider } from "./provider.ts";

export const deepseek: Provider = {
  id: "deepseek",
  name: "DeepSeek",
  api: "openai-completions",
  baseUrl: "https://api.deepseek.com/v1",
  keyEnv: ["DEEPSEEK_API_KEY"],
  defaultModel: "deepseek-flash",
  models: [],
};
