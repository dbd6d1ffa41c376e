/** Flags about the folders of a run. */

import type { Flag } from "../flag.ts";

export const folderFlags: readonly Flag[] = [
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
];
