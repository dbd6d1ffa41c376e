/** What session operations work with. */

import type { UiNotice } from "@omp/agent";
import type { BranchContext, NewSession, SessionLog, SessionSummary } from "@omp/session";
import type { EventHub } from "../engine.ts";
import type { SessionHooks } from "../protocol/hooks.ts";
import type { Summarize } from "./summary.ts";
import type { Workplace } from "./workplace.ts";

export interface SessionRoom {
  readonly conversation: OpenConversation;
  readonly workplace: Workplace;
  readonly hooks: readonly SessionHooks[];
  readonly hub: Pick<EventHub, "publish" | "hold">;
  readonly doors: LogDoors;
  /** Aborted when the engine goes down. */
  readonly closing: AbortSignal;
  /** The folder for the sessions of a working directory. */
  folderOf(cwd: string): string;
  listSessions(scope: "folder" | "all"): Promise<readonly SessionSummary[]>;
  /** The next run in this terminal can go on with the session. */
  remember(log: SessionLog): Promise<void>;
  /** Goes back to what the session used last, where that can be had. */
  restoreModel(context: BranchContext): Promise<void>;
  readonly summarize: Summarize;
  tell(notice: UiNotice): void;
}

/** What a log takes its times and ids from, and keeps its large parts in. */
export type LogDoors = Omit<NewSession, "cwd" | "folder" | "parentSession">;

/** What session operations ask of the conversation. */
export interface OpenConversation {
  readonly log: SessionLog;
  readonly isRunning: boolean;
  /** Ends the run in progress and brings everything to the disk. */
  settle(): Promise<void>;
  /** Drops the messages that wait to be said. */
  clearQueue(): void;
  open(log: SessionLog, options?: { readonly keepsMessages?: boolean }): Promise<void>;
  /** Reads the active branch again. */
  reload(): void;
}
