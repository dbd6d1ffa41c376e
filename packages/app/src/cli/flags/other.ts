/** Flags about where omp works, its settings and itself. */

import type { Flag } from "../flag.ts";

export const otherFlags: readonly Flag[] = [
  {
    name: "add-dir",
    value: "<folder>",
    category: "Session",
    help: "A folder that belongs to the session besides the current one; may be repeated",
    apply: (invocation, value) => void invocation.addedFolders.push(value),
  },
  {
    name: "allow-home",
    category: "Session",
    help: "Work in the home folder when started there, instead of in a temporary one",
    apply: (invocation) => void (invocation.isHomeAllowed = true),
  },
  {
    name: "config",
    value: "<file>",
    category: "Other",
    help: "Settings for this run, above those of config.yml; may be repeated, the last one wins",
    apply: (invocation, value) => void invocation.configFiles.push(value),
  },
  {
    name: "strict-config",
    category: "Other",
    help: "Do not start with unknown settings, wrong values or files that cannot be read",
    apply: (invocation) => void (invocation.isConfigStrict = true),
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
