/** Ollama's own servers, over the native wire. */

import type { Provider } from "./provider.ts";

export const ollamaCloud: Provider = {
  id: "ollama-cloud",
  name: "Ollama Cloud",
  api: "ollama-chat",
  baseUrl: "https://ollama.com",
  keyEnv: ["OLLAMA_CLOUD_API_KEY"],
  discovery: "ollama",
  defaultModel: "gpt-oss:120b",
  models: [],
};
