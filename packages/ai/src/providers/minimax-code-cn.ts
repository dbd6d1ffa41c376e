/** MiniMax's plan for coding, in China. */

import type { Provider } from "./provider.ts";

export const minimaxCodeCn: Provider = {
  id: "minimax-code-cn",
  name: "MiniMax Code (China)",
  api: "openai-completions",
  baseUrl: "https://api.minimaxi.com/v1",
  keyEnv: ["MINIMAX_CODE_CN_API_KEY"],
  defaultModel: "MiniMax-M3",
  models: [],
};
