/** NVIDIA's catalogue of hosted models. */

import type { Provider } from "./provider.ts";

export const nvidia: Provider = {
  id: "nvidia",
  name: "NVIDIA",
  api: "openai-completions",
  baseUrl: "https://integrate.api.nvidia.com/v1",
  keyEnv: ["NVIDIA_API_KEY"],
  defaultModel: "z-ai/glm-5.3",
  models: [],
};
