/** Opens a session that is there: the last one, a named one, or a copy of one. Few starts need this. */

import type { UiPort } from "@omp/agent";
import {
  isSameFolder,
  newestSession,
  resolveSession,
  SessionLog,
  type NewSession,
  type ResolvedSession,
} from "@omp/session";
import { UserError } from "@omp/std";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { SessionFolders } from "./sessions/folders.ts";
import { openToGoOn } from "./sessions/open-to-go-on.ts";
import type { TerminalMemory } from "./sessions/terminal-memory.ts";

/** Which session the engine opens. */
export type SessionChoice =
  | { readonly kind: "new" }
  /** The last one of this terminal or this folder, or a new one. */
  | { readonly kind: "continue" }
  /** A path, an id or the beginning of one. */
  | { readonly kind: "resume"; readonly value: string }
  /** A copy of it, here. */
  | { readonly kind: "fork"; readonly value: string }
  /** Nothing is written. */
  | { readonly kind: "in-memory" };

export interface OpenLogParts {
  readonly cwd: string;
  readonly choice: SessionChoice;
  readonly folders: SessionFolders;
  readonly terminal: TerminalMemory;
  readonly ui: UiPort;
  /** A session of another project is opened as it is, and nobody is asked. */
  readonly opensInPlace: boolean;
  readonly doors: Omit<NewSession, "cwd" | "folder" | "parentSession">;
}

/** Undefined where there is none to go on with. */
export async function storedLog(parts: OpenLogParts): Promise<SessionLog | undefined> {
  const { choice, cwd, folders } = parts;
  switch (choice.kind) {
    case "new":
    case "in-memory":
      return undefined;
    case "continue": {
      const path = pathToContinue(parts);
      return path === undefined ? undefined : openHere(path, parts);
    }
    case "resume":
      return resumed(choice.value, parts);
    case "fork": {
      const { path } = resolveSession(choice.value, folders.scopeOf(cwd));
      if (!existsSync(path)) throw new UserError("session", `Session "${choice.value}" not found.`);
      return forkHere(path, parts);
    }
  }
}

/** This terminal's own session first, then the newest of the folder. Undefined means a new one. */
function pathToContinue({ cwd, folders, terminal }: OpenLogParts): string | undefined {
  const { folders: own, elsewhere } = folders.scopeOf(cwd);
  const isOnly = elsewhere.length === 0;
  const last = terminal.last();
  if (last && isSameFolder(last.cwd, cwd)) {
    const isInReach = !isOnly || own.includes(dirname(last.sessionFile));
    if (isInReach && existsSync(last.sessionFile)) return last.sessionFile;
    if (last.isFresh) return undefined;
  }
  // Two folders can share one name for their sessions: only the header tells whose they are.
  const newest = newestSession(own, (head) => head.cwd === "" || isSameFolder(head.cwd, cwd));
  return newest ?? (isOnly ? newestSession(own, () => true) : undefined);
}

async function resumed(value: string, parts: OpenLogParts): Promise<SessionLog> {
  const { cwd, folders, opensInPlace } = parts;
  const found = resolveSession(value, folders.scopeOf(cwd));
  if (!existsSync(found.path)) {
    const text = `There is no session at ${found.path} yet; a new one starts there.`;
    parts.ui.tell({ level: "info", text });
  }
  if (found.otherProject === undefined || opensInPlace) return openHere(found.path, parts);
  await askToFork(value, found, parts.ui);
  return forkHere(found.path, parts);
}

/** @throws UserError unless the person says yes */
async function askToFork(
  value: string,
  { otherProject }: ResolvedSession,
  ui: UiPort,
): Promise<void> {
  const title = `Session found in different project: ${otherProject}`;
  const message = "Fork into current directory?";
  const reply = await ui.request({ kind: "confirm", title, message }, new AbortController().signal);
  if (reply?.kind === "confirm" && reply.accepted) return;
  const what = `Session "${value}" belongs to ${otherProject} and was not opened.`;
  const how = "Use --fork for a copy here, or --yes to open it where it is.";
  throw new UserError("session", reply ? what : `${title}. ${what} ${how}`);
}

function openHere(path: string, parts: OpenLogParts): Promise<SessionLog> {
  const { cwd, doors, ui } = parts;
  return openToGoOn(path, {
    open: () => SessionLog.open({ path, cwd, ...doors }),
    fork: () => forkHere(path, parts),
    tell: (notice) => ui.tell(notice),
  });
}

function forkHere(path: string, { cwd, folders, doors }: OpenLogParts): Promise<SessionLog> {
  return SessionLog.fork(path, { cwd, folder: folders.folderOf(cwd), ...doors });
}
