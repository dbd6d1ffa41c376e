/** `omp config`: the settings, looked at and changed. */

import type { CliCommand } from "../command.ts";

export const config: CliCommand = {
  name: "config",
  summary: "Look at settings and change them",
  usage:
    "omp config <list | get <name> | set <name> <value> | reset <name> | why [name] | path | schema> [--json]",
  forms: [
    ["list", "Every setting with its value and where it comes from"],
    ["get <name>", "One value"],
    ["set <name> <value>", "Write a value to config.yml; lists and maps as YAML"],
    ["reset <name>", "Take a value out of config.yml (also: unset)"],
    [
      "why [name|kind:name]",
      "Which file, variable or flag decides, and what it hides; also of a rule:name, skill:name, slash-command:name ...",
    ],
    ["path", "Where config.yml is"],
    ["schema", "JSON Schema of config.yml, for editors"],
  ],
  flags: [{ name: "json", help: "Print one JSON document" }],
  // A text may be several words.
  maxWords: 100,
  load: async () => (await import("../../config/run.ts")).runConfig,
};
