/** AIML API: many vendors behind one key. */

import type { Provider } from "./provider.ts";

export const aimlapi: Provider = {
  id: "aimlapi",
  name: "AIML API",
  api: "openai-completions",
  baseUrl: "https://api.aimlapi.com/v1",
  keyEnv: ["AIMLAPI_API_KEY"],
  defaultModel: "gpt-4o",
  discovery: "openai-models-list",
  models: [],
};
