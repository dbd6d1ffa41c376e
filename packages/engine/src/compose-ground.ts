/** What the rooms stand on: variables, trust, settings, models, the session, and the model it starts with. */

import { providers as builtInProviders } from "@omp/ai";
import type { Processes } from "@omp/host";
import { BlobStore, contextOf } from "@omp/session";
import { log, logFile, systemClock, systemRandom } from "@omp/std";
import type { BootOptions } from "./boot-options.ts";
import { composeModels } from "./compose-models.ts";
import { rolesOf } from "./model/roles.ts";
import { openEnvironment } from "./open-environment.ts";
import { openLog } from "./open-log.ts";
import { openSettings } from "./open-settings.ts";
import { createFolders } from "./sessions/folders.ts";
import { createTerminalMemory } from "./sessions/terminal-memory.ts";
import { modelArea } from "./settings/schema/model.ts";
import { providersArea } from "./settings/schema/providers.ts";
import { sessionArea } from "./settings/schema/session.ts";
import { startModel } from "./start-model.ts";

export type Ground = Awaited<ReturnType<typeof composeGround>>;

export async function composeGround(given: BootOptions, loadProcesses: () => Promise<Processes>) {
  const { timed = (_phase, work) => work() } = given;
  const { cwd, ui, clock = systemClock, random = systemRandom } = given;
  const { environment, paths, trust, isFromProject } = await timed("boot:environment", () =>
    openEnvironment(given),
  );
  const options = { ...given, environment };
  log.open(logFile({ directory: paths.logs, level: environment["PI_DEBUG"] ? "debug" : "info" }));
  const settings = await timed("boot:settings", () => openSettings(options, { paths, trust, ui }));
  const modelSettings = settings.values(modelArea);
  const models = await timed("boot:models", () =>
    composeModels({
      cwd,
      environment,
      paths,
      settings: { ...modelSettings, ...settings.values(providersArea) },
      builtIn: [...builtInProviders, ...(options.extraProviders ?? [])],
      loadProcesses,
      clock,
      fetch,
      apiKey: options.apiKey,
    }),
  );
  const doors = { clock, random, blobs: new BlobStore(paths.blobs) };
  const folders = createFolders(paths, options.sessionFolder);
  const terminal = createTerminalMemory(paths, environment);
  const sessionLog = await timed("boot:session", () =>
    openLog({
      cwd,
      choice: options.session,
      folders,
      terminal,
      ui,
      opensInPlace: settings.values(sessionArea).resumeInPlace,
      doors: { ...doors, additionalDirectories: options.additionalDirectories ?? [] },
    }),
  );
  const active = await timed("boot:model", () =>
    startModel({
      ...models,
      cwd,
      home: paths.home,
      environment,
      settings: modelSettings,
      wishes: options.model ?? {},
      remembered: contextOf(sessionLog.branch()),
      warn: (text) => ui.tell({ level: "warning", text }),
    }),
  );
  const roles = rolesOf(modelSettings.modelRoles, environment, options.model?.roles ?? {});
  return {
    ui,
    clock,
    random,
    options,
    environment,
    paths,
    trust,
    isFromProject,
    settings,
    modelSettings,
    models,
    /** What names of models are resolved with. */
    resolving: { registry: models.registry, environment, roles },
    doors,
    folders,
    terminal,
    sessionLog,
    active,
  };
}
