/** Puts the room of the session commands together when the first of them comes. */

import type { UiPort } from "@omp/agent";
import type { HandlersOf } from "../protocol/command.ts";
import type { SessionCommands } from "../protocol/commands/session.ts";
import { restoreModel, type RestoreDeps } from "../model/restore.ts";
import type { Paths } from "../paths.ts";
import type { BranchSummarySettings } from "../settings/schema/branch-summary.ts";
import { createFolders } from "./folders.ts";
import { createSessionHandlers } from "./handlers.ts";
import type { SessionRoom } from "./room.ts";
import { createSummarize, type SummaryDeps } from "./summary.ts";

export interface RoomParts extends Pick<
  SessionRoom,
  "conversation" | "workplace" | "hub" | "hooks" | "doors" | "closing"
> {
  readonly paths: Paths;
  readonly ui: Pick<UiPort, "tell">;
  /** The one folder for all sessions, where the person named one. */
  readonly only: string | undefined;
  readonly model: Omit<RestoreDeps, "tell">;
  readonly branchSummary: BranchSummarySettings;
  readonly timeoutsFor: SummaryDeps["timeoutsFor"];
}

export function openSessionRoom(parts: RoomParts): HandlersOf<SessionCommands> {
  const { conversation, workplace, hub, hooks, doors, closing } = parts;
  const { paths, ui, only, model, branchSummary, timeoutsFor } = parts;
  const { folderOf, list } = createFolders(paths, only);
  const tell: SessionRoom["tell"] = (notice) => ui.tell(notice);
  return createSessionHandlers({
    conversation,
    workplace,
    hub,
    hooks,
    doors,
    closing,
    folderOf,
    listSessions: (scope) => list(scope, workplace.cwd),
    async restoreModel(remembered) {
      const { selector, thinking } = model.active;
      await restoreModel(remembered, { ...model, tell });
      const { current } = model.active;
      if (selector === model.active.selector && thinking === model.active.thinking) return;
      hub.publish({
        type: "model_change",
        model: current.model,
        thinkingLevel: current.thinking,
      });
    },
    summarize: createSummarize({
      active: model.active,
      reserveTokens: branchSummary.reserveTokens,
      clock: doors.clock,
      timeoutsFor,
    }),
    tell,
  });
}
