/** Opens another session file and goes on in it. */

import { SessionLog } from "@omp/session";
import { ignore } from "@omp/std";
import fs from "node:fs";
import type { SwitchResult } from "../protocol/commands/session.ts";
import { cancelsSwitch } from "./ask-hooks.ts";
import { copyOf } from "./fork.ts";
import { openToGoOn } from "./open-to-go-on.ts";
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

async function loadSession(room: SessionRoom, path: string): Promise<SessionLog> {
  const { conversation, doors, tell } = room;
  if (isSameFile(path, conversation.log.path)) return conversation.log;
  return openToGoOn(path, {
    open: () => SessionLog.open({ path, mustExist: true, ...doors }),
    fork: (log) => copyOf(log, room),
    tell,
  });
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
