/** What tools work with, built when the first of them is called. */

import { childEnvironment, createFiles, createProcesses, createShell } from "@omp/host";
import type { Processes } from "@omp/host";
import { ArtifactStore, type SessionLog } from "@omp/session";
import type { Clock } from "@omp/std";
import { createNoOps, createSnapshots, type Editing, type Hosts } from "@omp/tools";
import { composeReading } from "./compose-reading.ts";
import { composeSearch } from "./compose-search.ts";
import { dialectOf } from "./compose-tools.ts";
import type { OfferedTools } from "./conversation/offered-tools.ts";
import type { Discovery } from "./discovery/discovery.ts";
import type { ActiveModel } from "./model/active-model.ts";
import type { Environment, Paths } from "./paths.ts";
import { createResourceDoor } from "./resources/door.ts";
import { editArea } from "./settings/schema/edit.ts";
import { shellArea } from "./settings/schema/shell.ts";
import { outputLimits, toolsArea } from "./settings/schema/tools.ts";
import type { SettingsStore } from "./settings/store.ts";

export interface HostsDeps {
  readonly settings: SettingsStore;
  readonly environment: Environment;
  readonly paths: Paths;
  readonly clock: Clock;
  /** Of omp. */
  readonly version: string;
  readonly active: Pick<ActiveModel, "current">;
  readonly discovery: Discovery;
  readonly tools: OfferedTools<Hosts>;
  /** Whether no child process gets the variable. */
  isWithheld(name: string): boolean;
  /** The session that is open now. */
  log(): SessionLog;
}

export interface ComposedHosts {
  readonly hosts: Hosts;
  readonly artifacts: ArtifactStore;
  /** The variables of child processes. */
  readonly variables: Readonly<Record<string, string>>;
}

export { createProcesses };

export function composeHosts(processes: Processes, deps: HostsDeps): ComposedHosts {
  const { settings, environment, paths, clock, active, discovery, log } = deps;
  const { scans, search } = composeSearch({ ...deps, processes });
  const files = createFiles({ home: paths.home, afterChange: (path) => scans.forget(path) });
  const variables = childEnvironment(environment, { withhold: deps.isWithheld });
  const shell = createShell({
    processes,
    environment: variables,
    afterRun: () => scans.forget(),
    ...shellChoice(settings, environment),
    ...(!isAnySet(environment, NO_LOGIN) && { login: { withhold: deps.isWithheld } }),
  });
  const artifacts = new ArtifactStore(() => log().path);
  const reading = composeReading({ settings, processes, clock, active });
  const conflict = { conflicts: reading.conflicts, files };
  const hosts: Hosts = {
    scans,
    search,
    files,
    shell,
    artifacts,
    resources: createResourceDoor({ artifacts, discovery, log, conflict }),
    snapshots: createSnapshots(),
    editing: editingOf(deps),
    ...reading,
  };
  return { hosts, artifacts, variables };
}

const NO_LOGIN = ["PI_BASH_NO_LOGIN", "CLAUDE_BASH_NO_LOGIN"];

function isAnySet(environment: Environment, names: readonly string[]): boolean {
  return names.some((name) => environment[name]);
}

function shellChoice(settings: SettingsStore, environment: Environment) {
  const { shellPath } = settings.values(shellArea);
  const { maxTimeout } = settings.values(toolsArea);
  const prefix = environment["PI_SHELL_PREFIX"] || environment["CLAUDE_CODE_SHELL_PREFIX"];
  const forcesSixel = environment["PI_FORCE_IMAGE_PROTOCOL"] === "sixel";
  return {
    ...(shellPath === "" ? {} : { shellPath }),
    ...(prefix && { prefix }),
    ...(maxTimeout > 0 && { maxTimeoutMs: maxTimeout * 1000 }),
    limits: outputLimits(settings.values(toolsArea)),
    passesSixel: forcesSixel && Boolean(environment["PI_ALLOW_SIXEL_PASSTHROUGH"]),
  };
}

function editingOf({ settings, environment, tools }: HostsDeps): Editing {
  const edit = settings.values(editArea);
  return {
    ...edit,
    ...dialectOf(settings, environment),
    get showsAnchors() {
      return edit.mode === "hashline" && tools.byName.has("edit");
    },
    noOps: createNoOps(),
  };
}
