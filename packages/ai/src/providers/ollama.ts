/** Ollama on this machine. */

import type { Provider } from "./provider.ts";

export const ollama: Provider = {
  id: "ollama",
  name: "Ollama",
  api: "openai-responses",
  baseUrl: "http://127.0.0.1:11434",
  baseUrlEnv: "OLLAMA_BASE_URL",
  keyEnv: ["OLLAMA_API_KEY"],
  isKeyOptional: true,
  discovery: "ollama",
  models: [],
};
