/** A llama.cpp server on this machine. */

import type { Provider } from "./provider.ts";

export const llamaCpp: Provider = {
  id: "llama.cpp",
  name: "llama.cpp",
  api: "openai-responses",
  baseUrl: "http://127.0.0.1:8080",
  baseUrlEnv: "LLAMA_CPP_BASE_URL",
  keyEnv: ["LLAMA_CPP_API_KEY"],
  isKeyOptional: true,
  discovery: "llama.cpp",
  models: [],
};
