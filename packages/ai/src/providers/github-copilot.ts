/** GitHub Copilot. Its catalogue names the wire of each model. */

import type { Provider } from "./provider.ts";

export const githubCopilot: Provider = {
  id: "github-copilot",
  name: "GitHub Copilot",
  api: "openai-completions",
  baseUrl: "https://api.githubcopilot.com",
  baseUrls: { "anthropic-messages": "https://api.githubcopilot.com" },
  keyEnv: ["COPILOT_GITHUB_TOKEN"],
  defaultModel: "gpt-5-mini",
  compat: { sendsInitiator: true },
  models: [],
};
