/** Where sessions are kept, and which there are. */

import {
  listSessions,
  projectFolders,
  sessionFolder,
  sessionFolders,
  type SessionSummary,
} from "@omp/session";
import { join } from "node:path";
import type { Paths } from "../paths.ts";

export interface SessionFolders {
  /** The folder for the sessions of a working directory. */
  folderOf(cwd: string): string;
  list(scope: "folder" | "all", cwd: string): Promise<readonly SessionSummary[]>;
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
    list: async (scope, cwd) =>
      listSessions(foldersIn(scope, cwd), join(paths.agent, "sessions.db")),
  };
}
