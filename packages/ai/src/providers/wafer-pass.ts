/** Wafer for a flat rate. */

import type { Provider } from "./provider.ts";

export const waferPass: Provider = {
  id: "wafer-pass",
  name: "Wafer Pass",
  api: "openai-completions",
  baseUrl: "https://pass.wafer.ai/v1",
  keyEnv: ["WAFER_PASS_API_KEY"],
  discovery: "openai-models-list",
  models: [],
};
