/** Cloudflare's gateway. Account and gateway are the user's own: models.yml gives the base URL. */

import type { Provider } from "./provider.ts";

export const cloudflareAiGateway: Provider = {
  id: "cloudflare-ai-gateway",
  name: "Cloudflare AI Gateway",
  api: "anthropic-messages",
  baseUrl: "https://gateway.ai.cloudflare.com/v1/<account>/<gateway>/anthropic",
  keyEnv: ["CLOUDFLARE_AI_GATEWAY_API_KEY"],
  keyHeader: "cf-aig-authorization",
  defaultModel: "claude-sonnet-5",
  models: [],
};
