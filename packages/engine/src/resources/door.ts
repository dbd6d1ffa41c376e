/** Internal URLs for tools. Whether something is one is known at once; what it stands for is looked up by the router. */

import type { Resources } from "@omp/agent";
import { lazy } from "@omp/std";
import { schemeIn } from "./names.ts";
import type { SchemeDeps } from "./registry.ts";

export function createResourceDoor(deps: SchemeDeps): Resources {
  const router = lazy(async () => (await import("./router.ts")).createRouter(deps));
  return {
    isInternal: (url) => schemeIn(url) !== undefined,
    find: async (url, signal) => (await router()).find(url, signal),
    writable: async (url) => (await router()).writable(url),
  };
}
