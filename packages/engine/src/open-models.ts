/** The models without the rest of the engine, for those who only look at them. */

import { providers as builtIn, type Provider } from "@omp/ai";
import { createProcesses } from "@omp/host";
import { lazy, log, logFile, systemClock, type Clock } from "@omp/std";
import { readModelsConfig } from "./model/models-config.ts";
import type { ModelProblem } from "./model/model-registry.ts";
import { listProviders } from "./model/provider-list.ts";
import { createModelRegistry, type LiveModelRegistry } from "./model/registry.ts";
import { pathsOf, type Environment } from "./paths.ts";
import { modelArea } from "./settings/schema/model.ts";
import { valuesIn } from "./settings/schema/scoped-list.ts";
import { loadSettings } from "./settings/store.ts";
import { createCredentialStore } from "./vault/credential-store.ts";
import { createVault } from "./vault/vault.ts";

export interface OpenModelsOptions {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
  /** Settings given on the command line, by full name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly extraProviders?: readonly Provider[];
  readonly clock?: Clock;
}

export interface OpenModels extends AsyncDisposable {
  readonly registry: LiveModelRegistry;
  /** Whether the provider can be called. A key that a command tells counts: it is not run for a list. */
  hasKeyFor(provider: Provider): Promise<boolean>;
  /** What was not used of files and servers. */
  readonly problems: readonly ModelProblem[];
}

export async function openModels(options: OpenModelsOptions): Promise<OpenModels> {
  const { cwd, home, environment, clock = systemClock } = options;
  const paths = pathsOf(environment, home);
  log.open(logFile({ directory: paths.logs, level: environment["PI_DEBUG"] ? "debug" : "info" }));
  const [settings, config] = await Promise.all([
    loadSettings({
      areas: [modelArea],
      configFile: paths.config,
      environment,
      flags: options.settings ?? {},
    }),
    readModelsConfig(paths.models),
  ]);
  const { disabledProviders, modelProviderOrder } = settings.values(modelArea);
  const providers = listProviders({
    builtIn: [...builtIn, ...(options.extraProviders ?? [])],
    config,
    environment,
    disabled: valuesIn(cwd, disabledProviders, home),
  });
  const processes = createProcesses({ clock });
  const secrets = lazy(async () => {
    const room = await import("./model/secrets-in-config.ts");
    const run = room.createCommandRunner({ processes, environment, cwd });
    return room.createSecretResolver(environment, run);
  });
  const vault = createVault({
    environment,
    providers,
    apiKeyFlag: undefined,
    store: createCredentialStore(paths.credentials),
    resolveValue: async (value) => (await secrets()).key(value),
    onSecret: (secret) => log.addSecret(secret),
  });
  const hasKeyFor = async (provider: Provider) =>
    provider.configKey?.startsWith("!") || vault.hasKeyFor(provider);
  const registry = createModelRegistry({
    providers,
    config,
    environment,
    providerOrder: modelProviderOrder,
    cacheFile: paths.modelCache,
    fetch,
    clock,
    hasKeyFor,
    keyFor: (provider) => vault.keyFor(provider),
  });
  return {
    registry,
    hasKeyFor,
    get problems() {
      return [...settings.problems, ...registry.problems];
    },
    async [Symbol.asyncDispose]() {
      await registry.close();
      await processes[Symbol.asyncDispose]();
    },
  };
}
