/** Together AI: open models. */

import type { Provider } from "./provider.ts";

export const together: Provider = {
  id: "together",
  name: "Together AI",
  api: "openai-completions",
  baseUrl: "https://api.together.xyz/v1",
  keyEnv: ["TOGETHER_API_KEY"],
  defaultModel: "zai-org/GLM-5.3",
  models: [],
};
