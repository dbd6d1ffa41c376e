/** Where sessions are kept, and which there are. */

import {
  noteOutsideFolder,
  projectFolders,
  sessionFolder,
  sessionFolders,
  type SessionScope,
  type SessionSummary,
} from "@omp/session";
import { dirname, join } from "node:path";
import type { Paths } from "../paths.ts";

export interface SessionFolders {
  /** The folder for the sessions of a working directory. */
  folderOf(cwd: string): string;
  list(scope: "folder" | "all", cwd: string): Promise<readonly SessionSummary[]>;
  foldersIn(scope: "folder" | "all", cwd: string): readonly string[];
  /** Where a session of this working directory is looked for, and where then. */
  scopeOf(cwd: string): SessionScope;
  /** Remembers a folder that is not among ours, for whoever cleans up. */
  note(folder: string): Promise<void>;
}

/** @param only takes the place of the folders of all projects */
export function createFolders(paths: Paths, only: string | undefined): SessionFolders {
  const placeOf = (cwd: string) => ({
    agentDir: paths.agent,
    cwd,
    home: paths.home,
    tmp: paths.temp,
  });
  const foldersIn = (scope: "folder" | "all", cwd: string) => {
    if (only !== undefined) return [only];
    return scope === "all"
      ? projectFolders(join(paths.agent, "sessions"))
      : sessionFolders(placeOf(cwd));
  };
  return {
    folderOf: (cwd) => only ?? sessionFolder(placeOf(cwd)),
    async list(scope, cwd) {
      const { listSessions } = await import("./listing.ts");
      return listSessions(foldersIn(scope, cwd), join(paths.agent, "sessions.db"));
    },
    foldersIn,
    scopeOf: (cwd) => ({
      cwd,
      folders: foldersIn("folder", cwd),
      elsewhere: only === undefined ? foldersIn("all", cwd) : [],
    }),
    async note(folder) {
      if (dirname(folder) === join(paths.agent, "sessions")) return;
      await noteOutsideFolder(join(paths.agent, "session-folders"), folder);
    },
  };
}
