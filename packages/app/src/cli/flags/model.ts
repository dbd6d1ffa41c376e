/** Flags that choose the model. */

import type { Flag } from "../flag.ts";

export const modelFlags: readonly Flag[] = [
  {
    name: "model",
    value: "<model|role>",
    category: "Model",
    help: "Model to use: provider/id, an id, a part of one, or a role from the settings",
    apply: (invocation, value) => void (invocation.model = value),
  },
  {
    name: "api-key",
    value: "<key>",
    category: "Model",
    help: "Key for the model's provider, instead of its environment variable",
    apply: (invocation, value) => void (invocation.apiKey = value),
  },
];
