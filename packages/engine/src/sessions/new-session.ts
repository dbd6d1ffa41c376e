/** A new session takes over. It has no file before its first prompt. */

import { SessionLog } from "@omp/session";
import type { SwitchResult } from "../protocol/commands/session.ts";
import { cancelsSwitch } from "./ask-hooks.ts";
import type { SessionRoom } from "./room.ts";
import { changeSession } from "./switch-order.ts";

export function newSession(room: SessionRoom, parentSession?: string): Promise<SwitchResult> {
  return changeSession(room, {
    isCancelled: () => cancelsSwitch(room.hooks, { reason: "new" }),
    load: () => Promise.resolve(emptyLog(room, parentSession)),
    event: (previousSessionFile) => ({
      type: "session_switch",
      reason: "new",
      previousSessionFile,
    }),
    restoresModel: false,
  });
}

/** In memory if the one before was. */
function emptyLog(
  { conversation, workplace, doors, folderOf }: SessionRoom,
  parentSession: string | undefined,
): SessionLog {
  const { cwd } = workplace;
  return SessionLog.create({
    cwd,
    folder: conversation.log.path === undefined ? undefined : folderOf(cwd),
    ...(parentSession === undefined ? {} : { parentSession }),
    ...doors,
  });
}
