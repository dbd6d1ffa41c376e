/** A copy of the whole session takes over; the original stays as it is. */

import { SessionLog, type SessionTarget } from "@omp/session";
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
      return copyOf(log, room);
    },
    event: (previousSessionFile) => ({
      type: "session_switch",
      reason: "fork",
      previousSessionFile,
    }),
    restoresModel: false,
  });
}

/** A copy of the file, at the place in the tree where the original is. */
export async function copyOf(log: SessionLog, room: SessionRoom): Promise<SessionLog> {
  const copy = await SessionLog.fork(log, targetBeside(log, room));
  copy.moveLeaf(log.leafId);
  return copy;
}

/** Where the original cannot be written to, its folder is not for us either. */
export function targetBeside(log: SessionLog, { doors, folderOf }: SessionRoom): SessionTarget {
  const { cwd } = log.header;
  if (log.path === undefined) return { cwd, folder: undefined, ...doors };
  const folder = log.access.kind === "write" ? dirname(log.path) : folderOf(cwd);
  return { cwd, folder, ...doors };
}

function notPersisted(): UserError {
  return new UserError("session", "Fork failed (session not persisted or cancelled)");
}
