/** A vLLM server on this machine; any value of its variable says that there is one. */

import type { Provider } from "./provider.ts";

export const vllm: Provider = {
  id: "vllm",
  name: "vLLM",
  api: "openai-completions",
  baseUrl: "http://127.0.0.1:8000/v1",
  keyEnv: ["VLLM_API_KEY"],
  discovery: "openai-models-list",
  models: [],
};
