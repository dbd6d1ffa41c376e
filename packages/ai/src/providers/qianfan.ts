/** Baidu Qianfan. */

import type { Provider } from "./provider.ts";

export const qianfan: Provider = {
  id: "qianfan",
  name: "Qianfan",
  api: "openai-completions",
  baseUrl: "https://qianfan.baidubce.com/v2",
  keyEnv: ["QIANFAN_API_KEY"],
  defaultModel: "ernie-4.5-turbo-128k",
  discovery: "openai-models-list",
  models: [],
};
