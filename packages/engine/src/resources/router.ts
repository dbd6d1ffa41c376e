/** Finds what an internal URL stands for: one router for all tools. */

import { ToolFailure, type Resources } from "@omp/agent";
import { addressOf, type Address } from "./address.ts";
import { SCHEME_NAMES, schemeIn } from "./names.ts";
import { schemes, type SchemeDeps } from "./registry.ts";
import type { Scheme } from "./scheme.ts";

interface Route {
  readonly scheme: Scheme;
  readonly address: Address;
}

export function createRouter(deps: SchemeDeps): Pick<Resources, "find" | "writable"> {
  const byName = schemes(deps);

  const route = (url: string): Route => {
    const name = schemeIn(url);
    if (name !== undefined) return { scheme: byName[name], address: addressOf(url) };
    const known = SCHEME_NAMES.map((scheme) => `${scheme}://`).join(", ");
    throw new ToolFailure(`${url} is no internal URL. Schemes: ${known}`);
  };

  return {
    async find(url, signal) {
      const { scheme, address } = route(url);
      return scheme.find(address, signal);
    },
    async writable(url) {
      const { scheme, address } = route(url);
      if (scheme.writable) return scheme.writable(address);
      throw new ToolFailure(`${url} cannot be written`);
    },
  };
}
