/** A new session with everything before a message of the person takes over. */

import { UserError } from "@omp/std";
import type { BranchResult } from "../protocol/commands/session.ts";
import { askBranch } from "./ask-hooks.ts";
import { targetBeside } from "./fork.ts";
import type { SessionRoom } from "./room.ts";
import { changeSession } from "./switch-order.ts";
import { isUserMessage, targetOf } from "./tree-target.ts";

export async function branchSession(room: SessionRoom, entryId: string): Promise<BranchResult> {
  const { log } = room.conversation;
  const entry = log.entry(entryId);
  if (!entry || !isUserMessage(entry)) {
    throw new UserError("bad-input", `There is no message of yours with the id ${entryId}.`);
  }
  let keepsMessages = false;
  const result = await changeSession(room, {
    isCancelled: async () => {
      const say = await askBranch(room.hooks, entryId);
      ({ keepsMessages } = say);
      return say.isCancelled;
    },
    load: () => log.extract(entry.parentId, targetBeside(log, room)),
    event: (previousSessionFile) => ({ type: "session_branch", previousSessionFile }),
    restoresModel: false,
    keepsMessages: () => keepsMessages,
  });
  return { ...result, text: targetOf(entry).editorText ?? "" };
}
