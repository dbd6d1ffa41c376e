/** Anthropic's own API. Prices in US dollars for a million tokens, cache writes for five minutes. */

import type { Provider } from "./provider.ts";

const SMALL = { contextWindow: 200_000, maxTokens: 64_000 } as const;
const LARGE = { contextWindow: 1_000_000, maxTokens: 128_000 } as const;
const SEES_AND_THINKS = { reasoning: true, input: ["text", "image"] } as const;

export const anthropic: Provider = {
  id: "anthropic",
  name: "Anthropic",
  api: "anthropic-messages",
  baseUrl: "https://api.anthropic.com",
  baseUrlEnv: "ANTHROPIC_BASE_URL",
  keyEnv: ["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"],
  gateway: {
    switchEnv: "CLAUDE_CODE_USE_FOUNDRY",
    baseUrlEnv: "FOUNDRY_BASE_URL",
    keyEnv: "ANTHROPIC_FOUNDRY_API_KEY",
    headersEnv: "ANTHROPIC_CUSTOM_HEADERS",
    tls: {
      extraCaEnv: "NODE_EXTRA_CA_CERTS",
      clientCertificateEnv: "CLAUDE_CODE_CLIENT_CERT",
      clientKeyEnv: "CLAUDE_CODE_CLIENT_KEY",
    },
  },
  models: [
    {
      id: "claude-sonnet-4-5",
      name: "Claude Sonnet 4.5",
      ...SMALL,
      ...SEES_AND_THINKS,
      prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    },
    {
      id: "claude-opus-4-5",
      name: "Claude Opus 4.5",
      ...SMALL,
      ...SEES_AND_THINKS,
      prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    },
    {
      id: "claude-haiku-4-5",
      name: "Claude Haiku 4.5",
      ...SMALL,
      ...SEES_AND_THINKS,
      prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    },
    {
      id: "claude-sonnet-5-5",
      name: "Claude Sonnet 5.5",
      ...LARGE,
      ...SEES_AND_THINKS,
      prices: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    },
    {
      id: "claude-opus-5-5",
      name: "Claude Opus 5.5",
      ...LARGE,
      ...SEES_AND_THINKS,
      prices: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
    },
  ],
};
