/** How requests prove who is asking where a key does not, and the networks that want more than a key. */

import {
  gatewayFetch,
  proxyFetch,
  signerFor,
  type FetchLike,
  type Provider,
  type Signer,
} from "@omp/ai";
import type { Clock } from "@omp/std";
import type { Environment } from "../paths.ts";

export interface Proofs {
  /** Kept for each provider: it holds credentials until they expire. */
  signerOf(provider: Provider): Signer | undefined;
  /** What answers in place of the plain network. */
  fetchOf(provider: Provider): Promise<FetchLike | undefined>;
}

export interface ProofsDeps {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly fetch: FetchLike;
  /** Runs a command line of the person's own configuration; undefined where it failed. */
  run(command: string): Promise<string | undefined>;
}

export function createProofs({ environment, clock, fetch, run }: ProofsDeps): Proofs {
  const signers = new Map<string, Signer | undefined>();
  const ports = {
    environment,
    clock,
    fetch,
    readFile,
    run: async (command: string) => {
      const stdout = await run(command);
      return { exitCode: stdout === undefined ? 1 : 0, stdout: stdout ?? "" };
    },
  };
  return {
    signerOf(provider) {
      if (!signers.has(provider.id)) signers.set(provider.id, signerFor(provider, ports));
      return signers.get(provider.id);
    },
    fetchOf: async (provider) =>
      (await provider.fetch?.()) ??
      (await gatewayFetch(provider, ports)) ??
      proxyFetch(provider, ports),
  };
}

async function readFile(path: string): Promise<string | undefined> {
  const file = Bun.file(path);
  return (await file.exists()) ? file.text() : undefined;
}
