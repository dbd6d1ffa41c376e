/** Google's Gemini API. */

import type { Provider } from "./provider.ts";

export const google: Provider = {
  id: "google",
  name: "Google",
  api: "google-generative-ai",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  keyEnv: ["GEMINI_API_KEY"],
  defaultModel: "gemini-3.8-flash",
  models: [],
};
