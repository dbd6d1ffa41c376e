/** LM Studio on this machine, or any local server like it. */

import type { Provider } from "./provider.ts";

export const lmStudio: Provider = {
  id: "lm-studio",
  name: "LM Studio",
  api: "openai-completions",
  baseUrl: "http://127.0.0.1:1234/v1",
  baseUrlEnv: "LM_STUDIO_BASE_URL",
  keyEnv: ["LM_STUDIO_API_KEY"],
  isKeyOptional: true,
  discovery: "lm-studio",
  models: [],
};
