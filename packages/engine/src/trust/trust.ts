/** Who is trusted. Until a person can be asked and the answer stored, only what omp made itself. */

import type { Trust } from "@omp/agent";
import { relative } from "node:path";

/** Trusts folders inside `ownFolder`, where only omp writes, and refuses everything else. */
export function refusingTrust(ownFolder: string): Trust {
  return {
    isFolderTrusted: (folder) => Promise.resolve(isInside(folder, ownFolder)),
    allowed: () => Promise.resolve([]),
  };
}

function isInside(folder: string, parent: string): boolean {
  const path = relative(parent, folder);
  return path !== "" && !path.startsWith("..") && !path.startsWith("/");
}
