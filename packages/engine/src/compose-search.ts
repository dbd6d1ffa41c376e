/** Builds what finds and searches files. */

import {
  createRipgrep,
  createScans,
  createSearch,
  ripgrepProgram,
  type Processes,
  type Scans,
  type Search,
} from "@omp/host";
import type { Clock } from "@omp/std";
import { join } from "node:path";
import type { Environment, Paths } from "./paths.ts";
import { grepArea } from "./settings/schema/search.ts";
import type { SettingsStore } from "./settings/store.ts";

export interface SearchDeps {
  readonly settings: SettingsStore;
  readonly processes: Processes;
  readonly environment: Environment;
  readonly paths: Paths;
  readonly clock: Clock;
  readonly version: string;
}

export function composeSearch(deps: SearchDeps): {
  readonly scans: Scans;
  readonly search: Search;
} {
  const { settings, processes, environment, paths, clock, version } = deps;
  const configHome = environment["XDG_CONFIG_HOME"];
  const variables = { HOME: paths.home, ...(configHome && { XDG_CONFIG_HOME: configHome }) };
  const cache = environment["XDG_CACHE_HOME"] || join(paths.home, ".cache");
  const program = ripgrepProgram({ folder: join(cache, "omp", version) });
  return {
    scans: createScans({ clock, git: { home: paths.home, configHome }, environment }),
    search: createSearch(createRipgrep({ processes, environment: variables, program }), {
      get before() {
        return settings.values(grepArea).contextBefore;
      },
      get after() {
        return settings.values(grepArea).contextAfter;
      },
    }),
  };
}
