/** Hugging Face's router to hosts of open models. */

import type { Provider } from "./provider.ts";

export const huggingface: Provider = {
  id: "huggingface",
  name: "Hugging Face",
  api: "openai-completions",
  baseUrl: "https://router.huggingface.co/v1",
  keyEnv: ["HUGGINGFACE_HUB_TOKEN", "HF_TOKEN"],
  defaultModel: "openai/gpt-oss-120b",
  models: [],
};
