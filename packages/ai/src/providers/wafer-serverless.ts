/** Wafer, paid by use. */

import type { Provider } from "./provider.ts";

export const waferServerless: Provider = {
  id: "wafer-serverless",
  name: "Wafer Serverless",
  api: "openai-completions",
  baseUrl: "https://pass.wafer.ai/v1",
  keyEnv: ["WAFER_SERVERLESS_API_KEY"],
  discovery: "openai-models-list",
  models: [],
};
