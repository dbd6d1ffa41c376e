/** Groq: open models on its own hardware. */

import type { Provider } from "./provider.ts";

export const groq: Provider = {
  id: "groq",
  name: "Groq",
  api: "openai-completions",
  baseUrl: "https://api.groq.com/openai/v1",
  keyEnv: ["GROQ_API_KEY"],
  defaultModel: "openai/gpt-oss-120b",
  models: [],
};
