/** Finds what an internal URL stands for: one router for all tools. */

import { ToolFailure, type Resources } from "@omp/agent";
import { addressOf, type Address } from "./address.ts";
import { schemes, type SchemeDeps } from "./registry.ts";
import type { Scheme } from "./scheme.ts";

export function createResources(deps: SchemeDeps): Resources {
  const byName = new Map(schemes(deps).map((scheme) => [scheme.name, scheme]));

  const route = (url: string): { readonly scheme: Scheme; readonly address: Address } => {
    const address = addressOf(url);
    const scheme = byName.get(address?.scheme ?? "");
    if (address && scheme) return { scheme, address };
    const known = [...byName.keys()].map((name) => `${name}://`).join(", ");
    throw new ToolFailure(`${url} is no internal URL. Schemes: ${known}`);
  };

  return {
    isInternal: (url) => byName.has(addressOf(url)?.scheme ?? ""),
    find(url, signal) {
      const { scheme, address } = route(url);
      return scheme.find(address, signal);
    },
    async writable(url) {
      const { scheme, address } = route(url);
      if (scheme.writable) return scheme.writable(address);
      throw new ToolFailure(`${scheme.name}:// cannot be written`);
    },
  };
}
