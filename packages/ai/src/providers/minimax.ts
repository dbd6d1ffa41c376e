/** MiniMax's own API. */

import type { Provider } from "./provider.ts";

export const minimax: Provider = {
  id: "minimax",
  name: "MiniMax",
  api: "anthropic-messages",
  baseUrl: "https://api.minimax.io/anthropic",
  keyEnv: ["MINIMAX_API_KEY"],
  defaultModel: "MiniMax-M3",
  models: [],
};
