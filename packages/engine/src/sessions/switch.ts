/** Opens another session file and goes on in it. */

import { readOnlyError, SessionLog } from "@omp/session";
import { ignore } from "@omp/std";
import fs from "node:fs";
import type { SwitchResult } from "../protocol/commands/session.ts";
import { cancelsSwitch } from "./ask-hooks.ts";
import { copyOf } from "./fork.ts";
import type { SessionRoom } from "./room.ts";
import { changeSession } from "./switch-order.ts";

export function switchSession(room: SessionRoom, wanted: string): Promise<SwitchResult> {
  const path = room.workplace.resolve(wanted);
  return changeSession(room, {
    isCancelled: () => cancelsSwitch(room.hooks, { reason: "resume", targetSessionFile: path }),
    load: () => loadSession(room, path),
    event: (previousSessionFile) => ({
      type: "session_switch",
      reason: "resume",
      previousSessionFile,
    }),
    restoresModel: true,
  });
}

/**
 * Who resumes wants to go on working, so a session that another process writes is copied: to refuse
 * would leave the person with nothing, to write would mix two conversations.
 */
async function loadSession(room: SessionRoom, path: string): Promise<SessionLog> {
  const { conversation, doors, tell } = room;
  if (isSameFile(path, conversation.log.path)) return conversation.log;
  const log = await SessionLog.open({ path, mustExist: true, ...doors });
  if (log.access.kind === "write") return log;
  if (log.access.because !== "locked") {
    tell({ level: "warning", text: readOnlyError(path, log.access).message });
    return log;
  }
  try {
    const copy = await copyOf(log, room);
    const text = `Another process writes ${path}; this is a fork of it: ${copy.path}`;
    tell({ level: "warning", text });
    return copy;
  } finally {
    await log.close();
  }
}

function isSameFile(path: string, other: string | undefined): boolean {
  if (path === other) return true;
  try {
    return other !== undefined && fs.realpathSync(path) === fs.realpathSync(other);
  } catch (error) {
    ignore(error, "what is not there is told by whoever opens it");
    return false;
  }
}
