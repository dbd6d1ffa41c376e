/** `omp context`: what the model knows before the first word. */

import type { CliCommand } from "../command.ts";

export const context: CliCommand = {
  name: "context",
  summary: "Show what the model is told before the first word, and where it comes from",
  usage: "omp context [--json]",
  flags: [{ name: "json", help: "Print one JSON document" }],
  load: async () => (await import("../../context/run.ts")).runContext,
};
