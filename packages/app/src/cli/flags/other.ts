/** Flags about omp itself. */

import type { Flag } from "../flag.ts";

export const otherFlags: readonly Flag[] = [
  {
    name: "config",
    value: "<file>",
    category: "Other",
    help: "Settings for this run, above those of config.yml; may be repeated, the last one wins",
    apply: (invocation, value) => void invocation.configFiles.push(value),
  },
  {
    name: "help",
    short: "h",
    category: "Other",
    help: "Print this help",
    apply: (invocation) => void (invocation.isHelp = true),
  },
  {
    name: "version",
    short: "v",
    category: "Other",
    help: "Print the version",
    apply: (invocation) => void (invocation.isVersion = true),
  },
];
