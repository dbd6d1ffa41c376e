/** Venice; how its wire differs is in the table of hosts. */

import type { Provider } from "./provider.ts";

export const venice: Provider = {
  id: "venice",
  name: "Venice",
  api: "openai-completions",
  baseUrl: "https://api.venice.ai/api/v1",
  keyEnv: ["VENICE_API_KEY"],
  defaultModel: "zai-org-glm-5-1",
  discovery: "openai-models-list",
  models: [],
};
