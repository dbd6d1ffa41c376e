/** The rooms of models, put together: providers, keys, the registry. */

import type { FetchLike, Provider } from "@omp/ai";
import type { Processes } from "@omp/host";
import { lazy, log, type Clock } from "@omp/std";
import { listProviders } from "./model/provider-list.ts";
import { readModelsConfig } from "./model/read-models-config.ts";
import { createProofs, type Proofs } from "./model/proofs.ts";
import { createModelRegistry, type LiveModelRegistry } from "./model/registry.ts";
import type { SecretResolver } from "./model/secrets-in-config.ts";
import type { Environment, Paths } from "./paths.ts";
import type { ModelSettings } from "./settings/schema/model.ts";
import type { ProviderSettings } from "./settings/schema/providers.ts";
import { valuesIn } from "./settings/schema/scoped-list.ts";
import { createCredentialStore } from "./vault/credential-store.ts";
import { createVault, type Vault } from "./vault/vault.ts";

export interface ComposeModelsDeps {
  readonly cwd: string;
  readonly paths: Paths;
  readonly environment: Environment;
  readonly settings: Pick<ModelSettings, "disabledProviders" | "modelProviderOrder"> &
    ProviderSettings;
  /** The providers that there are without models.yml. */
  readonly builtIn: readonly Provider[];
  /** Asked for by those who keep commands in models.yml. */
  loadProcesses(): Promise<Processes>;
  readonly clock: Clock;
  readonly fetch: FetchLike;
  /** What `--api-key` says. */
  readonly apiKey: string | undefined;
  /** Nobody will be called: no command is run to see whether there is a key, nor for headers. */
  readonly isListOnly?: boolean;
}

export interface ComposedModels {
  readonly registry: LiveModelRegistry;
  readonly vault: Vault;
  readonly proofs: Proofs;
}

export async function composeModels(deps: ComposeModelsDeps): Promise<ComposedModels> {
  const { cwd, environment, paths, settings, isListOnly = false } = deps;
  const config = await readModelsConfig(paths.models);
  const providers = listProviders({
    builtIn: deps.builtIn,
    config,
    environment,
    settings,
    disabled: valuesIn(cwd, settings.disabledProviders, paths.home),
  });
  const secrets = secretsOf(deps);
  const vault = createVault({
    environment,
    providers,
    apiKeyFlag: deps.apiKey,
    store: createCredentialStore(paths.credentials),
    resolveValue: (value) => secrets.key(value),
    onSecret: (secret) => log.addSecret(secret),
  });
  const registry = createModelRegistry({
    providers,
    config,
    environment,
    providerOrder: settings.modelProviderOrder,
    cacheFile: paths.modelCache,
    fetch: deps.fetch,
    clock: deps.clock,
    hasKeyFor: (provider) =>
      (isListOnly && provider.configKey?.startsWith("!")) || vault.hasKeyFor(provider),
    keyFor: (provider) => vault.keyFor(provider),
    ...(!isListOnly && { secrets }),
  });
  const proofs = createProofs({
    environment,
    clock: deps.clock,
    fetch: deps.fetch,
    run: (command) => secrets.run(command),
  });
  return { registry, vault, proofs };
}

/** Few people keep commands in models.yml; what runs them is loaded for those who do. */
function secretsOf({ environment, cwd, loadProcesses }: ComposeModelsDeps): SecretResolver & {
  run(command: string): Promise<string | undefined>;
} {
  const load = lazy(async () => {
    const room = await import("./model/secrets-in-config.ts");
    const processes = await loadProcesses();
    const run = room.createCommandRunner({ processes, environment, cwd });
    return { ...room.createSecretResolver(environment, run), run };
  });
  return {
    key: async (text) => (await load()).key(text),
    headers: async (texts) => (await load()).headers(texts),
    run: async (command) => (await load()).run(command),
  };
}
