/** Who is trusted. Until a person can be asked and the answer stored, nobody is. */

import type { Trust } from "@omp/agent";

/** Trusts nothing: a folder gets the careful approval mode, and nothing of a repository runs. */
export const refusingTrust: Trust = {
  isFolderTrusted: () => Promise.resolve(false),
  allowed: () => Promise.resolve([]),
};
