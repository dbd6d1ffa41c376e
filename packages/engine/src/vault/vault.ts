/** Keys of model providers: where they come from, in which order, and which variables must not reach child processes. */

import { canSign, isKeyless, keyEnvOf, type Provider } from "@omp/ai";
import { lazy, UserError } from "@omp/std";
import type { Environment } from "../paths.ts";
import type { CredentialStore } from "./credential-store.ts";

/** What the search for a key came to. */
export type KeyLookup =
  | { readonly kind: "key"; readonly value: string; readonly origin: KeyOrigin }
  /** The provider works without one. */
  | { readonly kind: "no-auth" }
  | { readonly kind: "missing" };

export type KeyOrigin = "flag" | "config" | "stored" | "oauth" | "environment" | "fallback";

export interface Vault {
  lookUp(provider: Provider): Promise<KeyLookup>;
  /** The key for a provider, or undefined where it needs none. Throws a UserError where it is missing. */
  keyFor(provider: Provider): Promise<string | undefined>;
  /** Whether the provider can be called: it needs no key, or there is one. */
  hasKeyFor(provider: Provider): Promise<boolean>;
  hasOwnKey(provider: Provider): Promise<boolean>;
  /** From now on the key of the command line is this provider's: no other vendor may ever see it. */
  giveFlagKeyTo(providerId: string): void;
  /** Keys of `models.yml`: a variable's name, a literal, or `!command`. */
  setConfigApiKey(providerId: string, value: string): void;
  removeConfigApiKey(providerId: string): void;
  clearConfigApiKeys(): void;
  /** Whether a variable holds a provider's key. */
  isSecretName(name: string): boolean;
}

export interface VaultDeps {
  readonly environment: Environment;
  readonly providers: readonly Provider[];
  /** What `--api-key` says. */
  readonly apiKeyFlag: string | undefined;
  readonly store: Pick<CredentialStore, "apiKeys">;
  /** What a configured key stands for. */
  resolveValue(value: string): Promise<string | undefined>;
  /** Hears of every secret as soon as it is known, so that none reaches a log. */
  onSecret(value: string): void;
  /** The door of stored logins: a token that is good now, refreshed if need be. */
  oauthTokenFor?(providerId: string): Promise<string | undefined>;
  /** The last resort: keys of extensions and of providers that were discovered. */
  fallbackKeyFor?(providerId: string): Promise<string | undefined>;
}

/** Secrets that are no keys: they may reach commands, which need them too, but never a log. */
const PROOFS = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "CLAUDE_CODE_CLIENT_KEY"];

export function createVault(deps: VaultDeps): Vault {
  const { environment, apiKeyFlag } = deps;
  const names = new Set(
    deps.providers.flatMap((provider) => [
      ...keyEnvOf(provider, environment),
      provider.configKey ?? "",
    ]),
  );
  const configured = new Map<string, string>();
  const stored = lazy(() => deps.store.apiKeys());
  let flagOwner: string | undefined;

  for (const value of [apiKeyFlag, ...[...names, ...PROOFS].map((name) => environment[name])]) {
    if (value) deps.onSecret(value);
  }

  /** The strongest first. */
  const ladder: readonly (readonly [KeyOrigin, (provider: Provider) => Found])[] = [
    ["flag", ({ id }) => ((flagOwner ?? id) === id ? apiKeyFlag : undefined)],
    [
      "config",
      ({ id, configKey }) => {
        const value = configured.get(id) ?? configKey;
        return value === undefined ? undefined : deps.resolveValue(value);
      },
    ],
    ["stored", async ({ id }) => (await stored()).get(id)],
    ["oauth", ({ id }) => deps.oauthTokenFor?.(id)],
    [
      "environment",
      (provider) =>
        keyEnvOf(provider, environment)
          .map((name) => environment[name])
          .find(Boolean),
    ],
    ["fallback", ({ id }) => deps.fallbackKeyFor?.(id)],
  ];

  const worksWithoutKey = (provider: Provider) =>
    isKeyless(provider) || canSign(provider, environment);

  const lookUp = async (provider: Provider): Promise<KeyLookup> => {
    for (const [origin, find] of ladder) {
      const value = await find(provider);
      if (!value) continue;
      deps.onSecret(value);
      return { kind: "key", value, origin };
    }
    return worksWithoutKey(provider) ? { kind: "no-auth" } : { kind: "missing" };
  };

  const hasOwnKey = async (provider: Provider): Promise<boolean> => {
    const { id, configKey } = provider;
    // A command that tells a key may ask the person for a password: it is not run to see whether it would.
    if ((configured.get(id) ?? configKey)?.startsWith("!")) return true;
    return (await lookUp(provider)).kind === "key";
  };

  return {
    lookUp,
    async keyFor(provider) {
      const found = await lookUp(provider);
      if (found.kind === "missing") throw new UserError("no-key", missingKey(provider));
      return found.kind === "key" ? found.value : undefined;
    },
    hasKeyFor: async (provider) => worksWithoutKey(provider) || hasOwnKey(provider),
    hasOwnKey,
    giveFlagKeyTo: (providerId) => void (flagOwner = providerId),
    setConfigApiKey(providerId, value) {
      configured.set(providerId, value);
      if (environment[value]) names.add(value);
    },
    removeConfigApiKey: (providerId) => void configured.delete(providerId),
    clearConfigApiKeys: () => configured.clear(),
    isSecretName: (name) => names.has(name),
  };
}

type Found = string | undefined | Promise<string | undefined>;

function missingKey({ name, keyEnv }: Provider): string {
  const variables = keyEnv.length > 0 ? `Set ${keyEnv.join(" or ")}, or pass` : "Pass";
  return `No API key for ${name}. ${variables} --api-key.`;
}
