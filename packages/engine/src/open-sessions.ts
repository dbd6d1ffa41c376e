/** The stored sessions alone, to look at and to tidy up: no model, no tools, no conversation. */

import {
  checkSession,
  deleteSession,
  describeSession,
  findWaste,
  openSessionIndex,
  outsideFolders,
  projectFolders,
  removeWaste,
  repairSession,
  resolveSession,
  type Collection,
  type FileCheck,
  type FileRepair,
  type SearchHit,
  type SessionDescription,
  type SessionSummary,
  type Waste,
} from "@omp/session";
import { log, logFile, shortId, systemClock, systemRandom } from "@omp/std";
import { join } from "node:path";
import { pathsOf, type Environment } from "./paths.ts";
import { createFolders } from "./sessions/folders.ts";

export type {
  Collection,
  FileCheck,
  FileRepair,
  LineProblem,
  SearchHit,
  SessionDescription,
  SessionSummary,
  Waste,
} from "@omp/session";

export interface OpenSessionsOptions {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Environment;
  /** Takes the place of the folders of all projects. */
  readonly sessionFolder?: string | undefined;
}

/** Sessions of the working directory, or of all projects. */
export type SessionsOf = "folder" | "all";

export interface Sessions extends Disposable {
  /** Newest first. */
  list(which: SessionsOf): Promise<readonly SessionSummary[]>;
  search(words: string, which: SessionsOf): Promise<readonly SearchHit[]>;
  /** The path of the session that an id, its beginning or a path means. @throws UserError */
  pathOf(value: string): string;
  describe(path: string): Promise<SessionDescription>;
  check(path: string): Promise<FileCheck>;
  /** Undefined when there is nothing to mend. */
  repair(path: string): Promise<FileRepair | undefined>;
  findWaste(): Collection;
  /** @returns what was removed */
  removeWaste(waste: readonly Waste[]): readonly Waste[];
  /** With its artifacts. @throws UserError while somebody writes it */
  delete(paths: readonly string[]): void;
}

export async function openSessions(options: OpenSessionsOptions): Promise<Sessions> {
  const { cwd, environment, home, sessionFolder } = options;
  const paths = pathsOf(environment, home);
  log.open(logFile({ directory: paths.logs, level: environment["PI_DEBUG"] ? "debug" : "info" }));
  const doors = { clock: systemClock, random: systemRandom };
  const folders = createFolders(paths, sessionFolder);
  const index = await openSessionIndex(join(paths.agent, "sessions.db"));
  const store = () => ({
    folders: storeFolders(paths.agent, sessionFolder),
    blobs: paths.blobs,
    now: systemClock.now(),
  });
  return {
    list: (which) => index.list(folders.foldersIn(which, cwd)),
    search: (words, which) => index.search(words, folders.foldersIn(which, cwd)),
    pathOf: (value) => resolveSession(value, folders.scopeOf(cwd)).path,
    describe: (path) => describeSession(path, doors),
    check: checkSession,
    repair: (path) =>
      repairSession(
        path,
        shortId(systemRandom, () => false),
      ),
    findWaste: () => findWaste(store()),
    removeWaste: (waste) => removeWaste(waste, store()),
    delete(those) {
      for (const path of those) deleteSession(path);
      index.forget();
    },
    [Symbol.dispose]: () => index[Symbol.dispose](),
  };
}

/** Wherever sessions were ever kept: a blob is needed as long as one of them names it. */
function storeFolders(agent: string, only: string | undefined): string[] {
  const projects = projectFolders(join(agent, "sessions"));
  const outside = outsideFolders(join(agent, "session-folders"));
  return [...new Set([...projects, ...outside, ...(only === undefined ? [] : [only])])];
}
