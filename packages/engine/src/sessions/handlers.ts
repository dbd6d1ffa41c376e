/** The session commands: one operation each, one at a time. */

import { ignore } from "@omp/std";
import type { HandlersOf } from "../protocol/command.ts";
import type { SessionCommands } from "../protocol/commands/session.ts";
import { branchSession } from "./branch.ts";
import { forkSession } from "./fork.ts";
import { setLabel } from "./label.ts";
import { moveSession } from "./move.ts";
import { newSession } from "./new-session.ts";
import { renameSession } from "./rename.ts";
import type { SessionRoom } from "./room.ts";
import { statsOf } from "./stats.ts";
import { switchSession } from "./switch.ts";
import { moveLeaf } from "./tree-move.ts";
import { branchPoints } from "./tree-target.ts";

export function createSessionHandlers(room: SessionRoom): HandlersOf<SessionCommands> {
  const inTurn = createTurns();
  const log = () => room.conversation.log;
  let summary = new AbortController();
  return {
    new_session: ({ parentSession }) => inTurn(() => newSession(room, parentSession)),
    switch_session: ({ path }) => inTurn(() => switchSession(room, path)),
    fork_session: () => inTurn(() => forkSession(room)),
    branch_session: ({ entryId }) => inTurn(() => branchSession(room, entryId)),
    move_leaf: (command) =>
      inTurn(() => {
        summary = new AbortController();
        return moveLeaf(room, command, AbortSignal.any([summary.signal, room.closing]));
      }),
    abort_summary: async () => summary.abort(),
    set_label: async ({ entryId, label }) => setLabel(room, entryId, label),
    rename_session: async ({ title }) => renameSession(room, title),
    move_session: ({ cwd }) => inTurn(() => moveSession(room, cwd)),
    session_tree: async () => ({ roots: log().tree(), leafId: log().leafId }),
    branch_points: async () => branchPoints(log().branch()),
    session_entries: async () => log().entries,
    session_stats: async () => statsOf(log()),
    list_sessions: ({ scope }) => room.listSessions(scope),
  };
}

/** Changes of the session wait for each other; looking at it does not wait. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(change: () => Promise<Result>): Promise<Result> => {
    const result = last.then(change);
    last = result.catch((error) => ignore(error, "whoever asked for the change hears it"));
    return result;
  };
}
