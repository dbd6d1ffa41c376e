/** Qwen's portal, with the token of a login or with a key. */

import type { Provider } from "./provider.ts";

const PLAN = {
  contextWindow: 131_072,
  maxTokens: 8_192,
  reasoning: false,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
} as const;

export const qwenPortal: Provider = {
  id: "qwen-portal",
  name: "Qwen Portal",
  api: "openai-completions",
  baseUrl: "https://portal.qwen.ai/v1",
  keyEnv: ["QWEN_OAUTH_TOKEN", "QWEN_PORTAL_API_KEY"],
  models: [
    { id: "coder-model", name: "Qwen Coder", input: ["text"], ...PLAN },
    { id: "vision-model", name: "Qwen Vision", input: ["text", "image"], ...PLAN },
  ],
};
