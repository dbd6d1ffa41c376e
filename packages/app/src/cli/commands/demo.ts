/** `omp demo`: the whole agent on a built-in scripted model. */

import type { CliCommand } from "../command.ts";

export const demo: CliCommand = {
  name: "demo",
  summary: "Watch the agent mend a failing test; needs no key and no network",
  usage: "omp demo",
  load: async () => (await import("../../demo/run.ts")).runDemo,
};
