/** The variables of a run and who is trusted in it: a repository's variables count only where it is trusted. */

import type { Trust, UiPort } from "@omp/agent";
import { ignore, log, systemClock, type Clock } from "@omp/std";
import { loadEnvironment, type LoadedEnvironment } from "./environment/load.ts";
import { pathsOf, type Environment, type Paths } from "./paths.ts";
import { openTrustDoor, type TrustWishes } from "./trust/open-door.ts";

export interface EnvironmentOptions extends TrustWishes {
  readonly cwd: string;
  readonly home: string;
  /** Of the process. */
  readonly environment: Environment;
  readonly ui: UiPort;
  readonly clock?: Clock | undefined;
  /** Takes the place of what the person's file says. */
  readonly trust?: Trust | undefined;
}

export interface OpenedEnvironment extends LoadedEnvironment {
  readonly paths: Paths;
  readonly trust: Trust;
}

export async function openEnvironment(options: EnvironmentOptions): Promise<OpenedEnvironment> {
  const { cwd, home, ui, clock = systemClock } = options;
  // The places are known before any file is read: no file can move them.
  const paths = pathsOf(options.environment, home);
  const door = openTrustDoor(options, { cwd, paths, ui, clock });
  const trust = options.trust ?? door;
  if (options.asksTrust) await door.askFolder(cwd, new AbortController().signal);
  const loaded = await loadEnvironment({
    environment: options.environment,
    cwd,
    paths,
    isFolderTrusted: () => trust.isFolderTrusted(cwd),
    onSecret: (value) => log.addSecret(value),
  });
  for (const text of loaded.problems) ui.tell({ level: "warning", text });
  return { ...loaded, paths, trust };
}

/** For what is opened without an engine: the same options with the variables of the files. */
export async function withEnvironment<Options extends Omit<EnvironmentOptions, "ui">>(
  options: Options,
): Promise<Options> {
  const { environment } = await openEnvironment({ ...options, ui: silentUi });
  return { ...options, environment };
}

export const silentUi: UiPort = {
  request: () => Promise.resolve(undefined),
  tell: ({ text }) => ignore(text, "an engine would tell it"),
};
