/** Synthetic: open models, over both of the large wires. */

import type { Provider } from "./provider.ts";

export const synthetic: Provider = {
  id: "synthetic",
  name: "Synthetic",
  api: "openai-completions",
  baseUrl: "https://api.synthetic.new/openai/v1",
  baseUrls: { "anthropic-messages": "https://api.synthetic.new/anthropic" },
  keyEnv: ["SYNTHETIC_API_KEY"],
  defaultModel: "hf:zai-org/GLM-4.7",
  discovery: "openai-models-list",
  models: [],
};
