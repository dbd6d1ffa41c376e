/** `omp config`: the settings, looked at and changed. */

import type { CliCommand } from "../command.ts";

export const config: CliCommand = {
  name: "config",
  summary: "Look at settings and change them",
  usage: "omp config <list | get <name> | set <name> <value> | reset <name> | path> [--json]",
  forms: [
    ["list", "Every setting with its value and where it comes from"],
    ["get <name>", "One value"],
    ["set <name> <value>", "Write a value to config.yml; lists and maps as YAML"],
    ["reset <name>", "Take a value out of config.yml"],
    ["path", "Where config.yml is"],
  ],
  flags: [{ name: "json", help: "Print one JSON document" }],
  maxWords: 3,
  load: async () => (await import("../../config/run.ts")).runConfig,
};
