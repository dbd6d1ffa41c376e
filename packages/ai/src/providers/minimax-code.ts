/** MiniMax's plan for coding; how its wire differs is in the table of hosts. */

import type { Provider } from "./provider.ts";

export const minimaxCode: Provider = {
  id: "minimax-code",
  name: "MiniMax Code",
  api: "openai-completions",
  baseUrl: "https://api.minimax.io/v1",
  keyEnv: ["MINIMAX_CODE_API_KEY"],
  defaultModel: "MiniMax-M3",
  models: [],
};
