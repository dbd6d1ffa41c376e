/** Everything the engine tells its front ends. The names are those of the JSON and RPC wires. */

import type { AgentEvent, UiNotice } from "@omp/agent";
import type { Model, ThinkingLevel } from "@omp/ai/schema";
import type { SessionEntry, StoredMessage } from "@omp/session";
import type { CompactionReason, CompactionResult } from "./commands/compaction.ts";
import type { Charge } from "./commands/ledger.ts";
import type { SwitchReason } from "./hooks.ts";

export type EngineEvent =
  | AgentEvent
  /** Also what the person ran by hand or named by `@`, as it is stored. */
  | { readonly type: "message_start" | "message_end"; readonly message: StoredMessage }
  | {
      readonly type: "auto_retry_start";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly errorMessage: string;
    }
  | {
      readonly type: "auto_retry_end";
      readonly success: boolean;
      readonly attempt: number;
      readonly finalError?: string;
    }
  | {
      readonly type: "auto_compaction_start";
      readonly reason: Exclude<CompactionReason, "manual">;
      readonly willRetry: boolean;
    }
  | {
      readonly type: "auto_compaction_end";
      readonly reason: Exclude<CompactionReason, "manual">;
      /** The turn that failed is sent again. */
      readonly willRetry: boolean;
      readonly aborted: boolean;
      readonly result?: Extract<CompactionResult, { cancelled: false }>;
      readonly errorMessage?: string;
    }
  /** A summary stands in for the old part of the conversation now; the snapshot has it. */
  | {
      readonly type: "session_compact";
      readonly compactionEntry: SessionEntry;
      readonly fromExtension: boolean;
    }
  | SessionEvent
  /** A request was settled; `spent` is what the whole program has spent, in US dollars. */
  | { readonly type: "usage"; readonly charge: Charge; readonly spent: number }
  /** The queues of steering and follow-up messages changed; the snapshot has them. */
  | { readonly type: "queue_change" }
  | { readonly type: "model_change"; readonly model: Model; readonly thinkingLevel: ThinkingLevel }
  | ({ readonly type: "notice" } & UiNotice);

/** The active session or the place in it is another one now; the snapshot has it. */
export type SessionEvent =
  | {
      readonly type: "session_switch";
      readonly reason: SwitchReason;
      readonly previousSessionFile: string | undefined;
    }
  | { readonly type: "session_branch"; readonly previousSessionFile: string | undefined }
  | {
      readonly type: "session_tree";
      readonly newLeafId: string | null;
      readonly oldLeafId: string | null;
      readonly summaryEntryId?: string;
    }
  | { readonly type: "session_title"; readonly title: string };
