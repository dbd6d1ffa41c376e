/** The models without the rest of the engine, for those who only look at them. */

import { providers as builtIn, type Provider } from "@omp/ai";
import { createProcesses } from "@omp/host";
import { log, logFile, systemClock, type Clock } from "@omp/std";
import { composeModels } from "./compose-models.ts";
import type { ModelProblem } from "./model/model-registry.ts";
import type { LiveModelRegistry } from "./model/registry.ts";
import { lookAtSettings } from "./open-settings.ts";
import { pathsOf, type Environment } from "./paths.ts";
import { modelArea } from "./settings/schema/model.ts";
import { providersArea } from "./settings/schema/providers.ts";

export interface OpenModelsOptions {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
  /** Settings given on the command line, by full name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Files of settings for this run, above config.yml. */
  readonly configFiles?: readonly string[];
  readonly extraProviders?: readonly Provider[];
  readonly clock?: Clock;
}

export interface OpenModels extends AsyncDisposable {
  readonly registry: LiveModelRegistry;
  /** What was not used of files and servers. */
  readonly problems: readonly ModelProblem[];
}

export async function openModels(options: OpenModelsOptions): Promise<OpenModels> {
  const { cwd, home, environment, clock = systemClock } = options;
  const paths = pathsOf(environment, home);
  log.open(logFile({ directory: paths.logs, level: environment["PI_DEBUG"] ? "debug" : "info" }));
  const settings = await lookAtSettings(options);
  const processes = createProcesses({ clock });
  const { registry } = await composeModels({
    cwd,
    environment,
    paths,
    settings: { ...settings.values(modelArea), ...settings.values(providersArea) },
    builtIn: [...builtIn, ...(options.extraProviders ?? [])],
    loadProcesses: () => Promise.resolve(processes),
    clock,
    fetch,
    apiKey: undefined,
    isListOnly: true,
  });
  return {
    registry,
    get problems() {
      return [...settings.problems, ...registry.problems];
    },
    async [Symbol.asyncDispose]() {
      await registry.close();
      await processes[Symbol.asyncDispose]();
    },
  };
}
