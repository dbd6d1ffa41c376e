/** A LiteLLM proxy of one's own. */

import type { Provider } from "./provider.ts";

export const litellm: Provider = {
  id: "litellm",
  name: "LiteLLM",
  api: "openai-completions",
  baseUrl: "http://localhost:4000/v1",
  keyEnv: ["LITELLM_API_KEY"],
  discovery: "openai-models-list",
  models: [],
};
