/** The demo's model as a provider: data here, the script of the model behind an import. */

import type { Provider } from "@omp/engine/boot";

export const demoProvider: Provider = {
  id: "demo",
  name: "Demo",
  api: "openai-completions",
  baseUrl: "http://demo.invalid/v1",
  keyEnv: [],
  models: [],
  fetch: async () => (await import("./model.ts")).answerAsModel,
};
