/** Opens the session that was asked for: a new one, the last one, a named one, or a copy of one. */

import { SessionLog } from "@omp/session";
import { dirname } from "node:path";
import type { OpenLogParts } from "./open-stored.ts";

export type { SessionChoice } from "./open-stored.ts";

export async function openLog(parts: OpenLogParts): Promise<SessionLog> {
  const { cwd, choice, folders, terminal, doors } = parts;
  if (choice.kind === "in-memory") return SessionLog.create({ cwd, folder: undefined, ...doors });
  const stored = choice.kind === "new" ? undefined : await storedLog(parts);
  const log = stored ?? SessionLog.create({ cwd, folder: folders.folderOf(cwd), ...doors });
  const { path } = log;
  if (path !== undefined) {
    await folders.note(dirname(path));
    await terminal.remember({ cwd, sessionFile: path, isFresh: false });
  }
  return log;
}

async function storedLog(parts: OpenLogParts): Promise<SessionLog | undefined> {
  return (await import("./open-stored.ts")).storedLog(parts);
}
