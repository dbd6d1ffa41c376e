/** NanoGPT: many vendors behind one key. */

import type { Provider } from "./provider.ts";

export const nanogpt: Provider = {
  id: "nanogpt",
  name: "NanoGPT",
  api: "openai-completions",
  baseUrl: "https://nano-gpt.com/api/v1",
  keyEnv: ["NANO_GPT_API_KEY"],
  defaultModel: "zai-org/glm-4.7",
  discovery: "openai-models-list",
  models: [],
};
