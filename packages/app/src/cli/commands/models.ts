/** `omp models`: which models there are. */

import type { CliCommand } from "../command.ts";

export const models: CliCommand = {
  name: "models",
  summary: "List the models that can be used",
  usage: "omp models [ls | find <text> | refresh | <provider>] [--all] [--json]",
  forms: [
    ["ls", "Models of providers with a key, and of servers that need none"],
    ["find <text>", "Every known model with these words in its name"],
    ["refresh", "Ask servers again which models they have, then list"],
    ["<provider>", "Every known model of one provider"],
  ],
  flags: [
    { name: "all", help: "Also models of providers without a key" },
    { name: "json", help: "Print one JSON document" },
  ],
  maxWords: Infinity,
  load: async () => (await import("../../models/run.ts")).runModels,
};
