/** A copy of the whole session takes over; the original stays as it is. */

import { SessionLog } from "@omp/session";
import { UserError } from "@omp/std";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { SwitchResult } from "../protocol/commands/session.ts";
import { cancelsSwitch } from "./ask-hooks.ts";
import type { SessionRoom } from "./room.ts";
import { changeSession } from "./switch-order.ts";

export function forkSession(room: SessionRoom): Promise<SwitchResult> {
  const { conversation, hooks } = room;
  if (conversation.isRunning) {
    throw new UserError("busy", "Wait for the run to end, or abort it, before forking.");
  }
  return changeSession(room, {
    isCancelled: () => cancelsSwitch(hooks, { reason: "fork" }),
    load: async () => {
      const { log } = conversation;
      await conversation.settle();
      if (log.path === undefined || !existsSync(log.path)) throw notPersisted();
      return copyOf(log, log.header.cwd, room);
    },
    event: (previousSessionFile) => ({
      type: "session_switch",
      reason: "fork",
      previousSessionFile,
    }),
    restoresModel: false,
  });
}

/** Where the original cannot be written to, its folder is not for us either. */
export function copyOf(log: SessionLog, cwd: string, room: SessionRoom): Promise<SessionLog> {
  const { doors, folderOf } = room;
  const isOurs = log.path !== undefined && log.access.kind === "write";
  const folder = isOurs ? dirname(log.path) : folderOf(cwd);
  return SessionLog.fork(log, { cwd, folder, ...doors });
}

function notPersisted(): UserError {
  return new UserError("session", "Fork failed (session not persisted or cancelled)");
}
