/** Moves the leaf inside the session, with a summary of what is left behind if that is wanted. */

import type { SessionLog } from "@omp/session";
import { UserError } from "@omp/std";
import type { CommandOf } from "../protocol/command.ts";
import type { TreeMoveResult } from "../protocol/commands/session.ts";
import { askTree, type GivenSummary } from "./ask-hooks.ts";
import type { SessionRoom } from "./room.ts";
import { abandonedBy, targetOf, type TreeTarget } from "./tree-target.ts";

/** Until the leaf moves nothing has changed, so that an abort or a failure costs nothing. */
export async function moveLeaf(
  room: SessionRoom,
  wish: CommandOf<"move_leaf">,
  signal: AbortSignal,
): Promise<TreeMoveResult> {
  const { conversation } = room;
  const { log } = conversation;
  const { leafId: oldLeafId } = log;
  const entry = log.entry(wish.entryId);
  if (!entry) throw new UserError("bad-input", `There is no entry ${wish.entryId} here.`);
  if (entry.id === oldLeafId) return { cancelled: false, isHere: true };
  if (conversation.isRunning) throw busy();
  const target = targetOf(entry);
  const abandoned = abandonedBy(log.branch(), log.branch(target.leafId));
  const summary = await summaryFor(room, wish, { oldLeafId, abandoned }, signal);
  if (summary === "cancelled") return { cancelled: true, isHere: false };
  // A prompt or another command may have come while the summary was made.
  if (conversation.isRunning || conversation.log !== log || log.leafId !== oldLeafId) throw busy();
  const summaryEntryId = move(log, target, summary);
  conversation.reload();
  const written = summaryEntryId === undefined ? {} : { summaryEntryId };
  room.hub.publish({ type: "session_tree", newLeafId: log.leafId, oldLeafId, ...written });
  const { editorText } = target;
  return {
    cancelled: false,
    isHere: false,
    ...(editorText === undefined ? {} : { editorText }),
    ...written,
  };
}

interface Left {
  readonly oldLeafId: string | null;
  readonly abandoned: ReturnType<typeof abandonedBy>;
}

interface Summary extends GivenSummary {
  readonly fromExtension?: true;
}

async function summaryFor(
  { hooks, summarize }: SessionRoom,
  { entryId, summarizes = false, instructions }: CommandOf<"move_leaf">,
  { oldLeafId, abandoned }: Left,
  signal: AbortSignal,
): Promise<Summary | "cancelled" | undefined> {
  const event = { targetId: entryId, oldLeafId, abandoned, wantsSummary: summarizes };
  const { isCancelled, given } = await askTree(hooks, event, signal);
  if (isCancelled || signal.aborted) return "cancelled";
  if (!summarizes) return undefined;
  if (given) return { ...given, fromExtension: true };
  const summary = await summarize({ abandoned, instructions }, signal);
  if (signal.aborted) return "cancelled";
  return summary === undefined ? undefined : { summary };
}

/** @returns the id of the summary's entry */
function move(
  log: SessionLog,
  { leafId }: TreeTarget,
  summary: Summary | undefined,
): string | undefined {
  const { leafId: oldLeafId } = log;
  if (!summary) {
    log.moveLeaf(leafId);
    return undefined;
  }
  try {
    return log.appendBranchSummary({ fromId: leafId, ...summary }).id;
  } catch (error) {
    log.moveLeaf(oldLeafId);
    throw error;
  }
}

function busy(): UserError {
  return new UserError("busy", "Wait for the run to end, or abort it, before moving in the tree.");
}
