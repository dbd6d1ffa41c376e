/** Vercel's gateway to many vendors, over both of the large wires. */

import type { Provider } from "./provider.ts";

export const vercelAiGateway: Provider = {
  id: "vercel-ai-gateway",
  name: "Vercel AI Gateway",
  api: "anthropic-messages",
  baseUrl: "https://ai-gateway.vercel.sh",
  baseUrls: { "openai-completions": "https://ai-gateway.vercel.sh/v1" },
  keyEnv: ["AI_GATEWAY_API_KEY"],
  defaultModel: "anthropic/claude-sonnet-5",
  models: [],
};
