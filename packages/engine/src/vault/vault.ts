/** Keys of model providers: where they come from, and which variables must not reach child processes. */

import type { Provider } from "@omp/ai";
import { UserError } from "@omp/std";
import type { Environment } from "../paths.ts";

export interface Vault {
  /** The key for a provider, or undefined where it needs none. Throws a UserError where it is missing. */
  keyFor(provider: Provider): string | undefined;
  hasKeyFor(provider: Provider): boolean;
  /** Every secret there is, for the log's redactor. */
  readonly secrets: readonly string[];
  /** Whether a variable holds a provider's key. */
  isSecretName(name: string): boolean;
}

export function createVault(
  environment: Environment,
  providers: readonly Provider[],
  apiKeyFlag: string | undefined,
): Vault {
  const names = new Set(providers.flatMap((provider) => provider.keyEnv));
  const find = (provider: Provider) =>
    apiKeyFlag ?? provider.keyEnv.map((name) => environment[name]).find((value) => value);
  return {
    hasKeyFor: (provider) => provider.keyEnv.length === 0 || find(provider) !== undefined,
    keyFor(provider) {
      const key = find(provider);
      if (key !== undefined || provider.keyEnv.length === 0) return key;
      throw new UserError(
        "no-key",
        `No API key for ${provider.name}. Set ${provider.keyEnv.join(" or ")}, or pass --api-key.`,
      );
    },
    secrets: [apiKeyFlag, ...[...names].map((name) => environment[name])].filter(
      (value) => value !== undefined,
    ),
    isSecretName: (name) => names.has(name),
  };
}
