/** Puts the room of the session commands together when the first of them comes. */

import type { UiPort } from "@omp/agent";
import { ignore } from "@omp/std";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { HandlersOf } from "../protocol/command.ts";
import type { SessionCommands } from "../protocol/commands/session.ts";
import { restoreModel, type RestoreDeps } from "../model/restore.ts";
import type { BranchSummarySettings } from "../settings/schema/branch-summary.ts";
import type { SessionFolders } from "./folders.ts";
import { createSessionHandlers } from "./handlers.ts";
import type { SessionRoom } from "./room.ts";
import type { TerminalMemory } from "./terminal-memory.ts";
import { createSummarize, type SummaryDeps } from "./summary.ts";

export interface RoomParts extends Pick<
  SessionRoom,
  "conversation" | "workplace" | "hub" | "hooks" | "doors" | "closing"
> {
  readonly folders: SessionFolders;
  readonly terminal: TerminalMemory;
  readonly ui: Pick<UiPort, "tell">;
  readonly model: Omit<RestoreDeps, "tell">;
  readonly branchSummary: BranchSummarySettings;
  readonly timeoutsFor: SummaryDeps["timeoutsFor"];
  readonly ask: SummaryDeps["ask"];
}

export function openSessionRoom(parts: RoomParts): HandlersOf<SessionCommands> {
  const { conversation, workplace, hub, hooks, doors, closing } = parts;
  const { folders, terminal, ui, model, branchSummary, timeoutsFor, ask } = parts;
  const tell: SessionRoom["tell"] = (notice) => ui.tell(notice);
  return createSessionHandlers({
    conversation,
    workplace,
    hub,
    hooks,
    doors,
    closing,
    folderOf: (cwd) => folders.folderOf(cwd),
    listSessions: (scope) => folders.list(scope, workplace.cwd),
    async remember({ path }) {
      if (path === undefined) return;
      const crumb = { cwd: workplace.cwd, sessionFile: path, isFresh: !existsSync(path) };
      try {
        await folders.note(dirname(path));
        await terminal.remember(crumb);
      } catch (error) {
        ignore(error, "what is found again more easily is open all the same");
      }
    },
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
      ask,
      active: model.active,
      reserveTokens: branchSummary.reserveTokens,
      clock: doors.clock,
      timeoutsFor,
    }),
    tell,
  });
}
