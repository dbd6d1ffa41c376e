/** Zhipu's plan for coding. */

import type { Provider } from "./provider.ts";

export const zhipuCodingPlan: Provider = {
  id: "zhipu-coding-plan",
  name: "Zhipu Coding Plan",
  api: "openai-completions",
  baseUrl: "https://open.bigmodel.cn/api/coding/paas/v4",
  keyEnv: ["ZHIPU_API_KEY"],
  defaultModel: "glm-5.3",
  idleTimeoutMs: 600_000,
  models: [],
};
