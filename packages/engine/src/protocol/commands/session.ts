/** Commands about the session: which one is open, where in it we are, what it is called. */

import type { SessionEntry, SessionSummary, TreeNode } from "@omp/session";
import type { Asks } from "../asks.ts";

/** A hook may stop a change of session; then everything is as it was. */
export interface SwitchResult {
  readonly cancelled: boolean;
}

export interface BranchResult extends SwitchResult {
  /** What the person wrote there, to be put back into the editor. */
  readonly text: string;
}

export interface TreeMoveResult extends SwitchResult {
  /** "Already at this point": nothing was done. */
  readonly isHere: boolean;
  /** Of a message of the person: its text, for the editor. */
  readonly editorText?: string;
  readonly summaryEntryId?: string;
}

export interface SessionStats {
  readonly sessionFile?: string;
  readonly sessionId: string;
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  readonly totalMessages: number;
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly total: number;
  };
  readonly cost: number;
}

export interface SessionCommands {
  new_session: Asks<{ readonly parentSession?: string }, SwitchResult>;
  switch_session: Asks<{ readonly path: string }, SwitchResult>;
  /** A copy of the whole session becomes the active one. */
  fork_session: Asks<object, SwitchResult>;
  /** A new session that ends just before this message of the person. */
  branch_session: Asks<{ readonly entryId: string }, BranchResult>;
  /** Moves the leaf inside the session. */
  move_leaf: Asks<
    { readonly entryId: string; readonly summarizes?: boolean; readonly instructions?: string },
    TreeMoveResult
  >;
  abort_summary: Asks<object>;
  /** An empty label takes it away. */
  set_label: Asks<{ readonly entryId: string; readonly label: string }>;
  rename_session: Asks<{ readonly title: string }>;
  /** Takes the session to another working directory. */
  move_session: Asks<{ readonly cwd: string }>;
  session_tree: Asks<
    object,
    { readonly roots: readonly TreeNode[]; readonly leafId: string | null }
  >;
  /** The messages of the person on the active branch that can be branched from. */
  branch_points: Asks<object, readonly { readonly entryId: string; readonly text: string }[]>;
  session_entries: Asks<object, readonly SessionEntry[]>;
  session_stats: Asks<object, SessionStats>;
  /** Sessions of this folder, or of all, newest first. */
  list_sessions: Asks<{ readonly scope: "folder" | "all" }, readonly SessionSummary[]>;
}
