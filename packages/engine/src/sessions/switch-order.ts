/** The order in which one session takes the place of another; the same for every way to do it. */

import { contextOf, type SessionLog } from "@omp/session";
import { log, messageOf } from "@omp/std";
import type { SwitchResult } from "../protocol/commands/session.ts";
import type { SessionEvent } from "../protocol/event.ts";
import type { SessionRoom } from "./room.ts";

export interface Change {
  /** Asks the hooks. @returns whether one of them cancelled */
  isCancelled(): Promise<boolean>;
  /** The session that takes over. What can go wrong goes wrong here, before anything was stopped. */
  load(): Promise<SessionLog>;
  event(previousSessionFile: string | undefined): SessionEvent;
  /** Whether the model and the thinking level become those of the session. */
  readonly restoresModel: boolean;
  /** What the model sees stays as it is. */
  readonly keepsMessages?: () => boolean;
}

/**
 * A cancelled or failed change leaves the old session as it is, a run in progress included. The
 * event comes when the snapshot is that of the new session; what the change itself caused (a notice,
 * another model) is told after it.
 */
export async function changeSession(room: SessionRoom, change: Change): Promise<SwitchResult> {
  const { conversation } = room;
  if (await change.isCancelled()) return { cancelled: true };
  const next = await change.load();
  try {
    await conversation.settle();
    await exchange(room, change, next);
  } catch (error) {
    if (conversation.log !== next) await next.close();
    throw error;
  }
  return { cancelled: false };
}

async function exchange(room: SessionRoom, change: Change, next: SessionLog): Promise<void> {
  const { conversation, hub } = room;
  const previousSessionFile = conversation.log.path;
  const keepsMessages = change.keepsMessages?.() ?? false;
  const release = hub.hold();
  let event: SessionEvent | undefined;
  try {
    conversation.clearQueue();
    await conversation.open(next, { keepsMessages });
    if (change.restoresModel) await restore(room, next);
    await room.remember(next);
    event = change.event(previousSessionFile);
  } finally {
    release(event);
  }
}

/** The session is open by now: a model that cannot be had must not make the change fail. */
async function restore({ restoreModel, tell }: SessionRoom, next: SessionLog): Promise<void> {
  try {
    await restoreModel(contextOf(next.branch()));
  } catch (error) {
    log.error("restore-model-failed", { error: messageOf(error) });
    tell({ level: "warning", text: `The session's model is not available: ${messageOf(error)}` });
  }
}
