/** Flags that ask about omp itself. */

import type { Flag } from "../flag.ts";

export const otherFlags: readonly Flag[] = [
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
