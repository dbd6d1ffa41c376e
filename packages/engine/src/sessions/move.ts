/** Takes the session to another working directory. */

import fs from "node:fs";
import { codeOf, messageOf, UserError } from "@omp/std";
import type { SessionRoom } from "./room.ts";

/** The file goes first, and fails as a whole; the tools follow when it is there. */
export async function moveSession(room: SessionRoom, wanted: string): Promise<void> {
  const { conversation, workplace, folderOf } = room;
  if (conversation.isRunning) {
    throw new UserError("busy", "Wait for the run to end, or abort it, before moving the session.");
  }
  const cwd = await existingFolder(workplace.resolve(wanted));
  if (cwd === workplace.cwd && cwd === conversation.log.header.cwd) return;
  await conversation.settle();
  await conversation.log.moveTo({ cwd, folder: folderOf(cwd) });
  workplace.moveTo(cwd);
  await room.remember(conversation.log);
}

async function existingFolder(path: string): Promise<string> {
  try {
    if ((await fs.promises.stat(path)).isDirectory()) return path;
  } catch (error) {
    const isAbsent = codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
    const reason = isAbsent ? "there is no such directory" : messageOf(error);
    throw new UserError("bad-input", `Cannot move to ${path}: ${reason}.`, { cause: error });
  }
  throw new UserError("bad-input", `Cannot move to ${path}: it is not a directory.`);
}
