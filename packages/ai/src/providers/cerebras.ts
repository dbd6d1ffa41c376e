/** Cerebras: open models on its own hardware. */

import type { Provider } from "./provider.ts";

export const cerebras: Provider = {
  id: "cerebras",
  name: "Cerebras",
  api: "openai-completions",
  baseUrl: "https://api.cerebras.ai/v1",
  keyEnv: ["CEREBRAS_API_KEY"],
  defaultModel: "gpt-oss-120b",
  models: [],
};
