/** Alibaba's plan for coding. Its key may be JSON with the address of a company. */

import type { Provider } from "./provider.ts";

export const alibabaCodingPlan: Provider = {
  id: "alibaba-coding-plan",
  name: "Alibaba Coding Plan",
  api: "openai-completions",
  baseUrl: "https://coding-intl.dashscope.aliyuncs.com/v1",
  keyEnv: ["ALIBABA_CODING_PLAN_API_KEY"],
  defaultModel: "qwen3-coder-plus",
  discovery: "openai-models-list",
  models: [],
};
