/** Commands about compaction: a summary takes the place of the old part of the conversation. */

import type { Asks } from "../asks.ts";

export type CompactionReason = "manual" | "overflow" | "incomplete" | "threshold" | "idle";

/** How the summary was made; an extension may bring its own. */
export type CompactionWay = "model" | "remote" | "outline" | "extension";

/** Entries of the session by id, oldest first, and what they take. */
export interface CompactionPart {
  readonly entries: readonly string[];
  readonly tokens: number;
}

/** What became of the entries that the model saw before. */
export interface CompactionReport {
  readonly entryId: string;
  readonly reason: CompactionReason;
  readonly way: CompactionWay;
  /** `provider/id` of the model that wrote the summary. */
  readonly model?: string;
  /** Why there is only an outline, where a model was wanted. */
  readonly because?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Word for word as before. */
  readonly kept: CompactionPart;
  /** The summary was made from these. */
  readonly summarized: CompactionPart;
  /** Nothing of these is in the summary; each can be read again at `history://<id>`. */
  readonly dropped: CompactionPart;
  /** Word for word behind the summary. */
  readonly pinned: CompactionPart;
}

export interface Pin {
  /** Of the message whose text is pinned. */
  readonly entryId: string;
  readonly text: string;
}

/** Cancelled: a hook or the person stopped it, and everything is as it was. */
export type CompactionResult =
  | { readonly cancelled: true }
  | {
      readonly cancelled: false;
      readonly summary: string;
      readonly shortSummary?: string;
      readonly firstKeptEntryId: string;
      readonly tokensBefore: number;
      readonly report: CompactionReport;
    };

export interface CompactionCommands {
  /** Aborts the run in progress, then compacts. @throws UserError when there is nothing to summarize */
  compact: Asks<
    { readonly instructions?: string; readonly strategy?: "context-full" | "outline" },
    CompactionResult
  >;
  /** Ends the compaction or handoff in progress, whoever began it; everything is as it was. */
  abort_compaction: Asks<object>;
  set_auto_compaction: Asks<{ readonly enabled: boolean }>;
  /** Goes on in a new session that begins with a document about this one. */
  handoff: Asks<{ readonly instructions?: string }, { readonly cancelled: boolean }>;
  /** Goes back to before the latest compaction, which with all after it stays in the tree. */
  revert_compaction: Asks<object, { readonly entryId: string }>;
  /** A text of its own, or that of an entry, survives each compaction word for word. */
  pin: Asks<{ readonly text?: string; readonly entryId?: string }, Pin>;
  unpin: Asks<{ readonly entryId: string }>;
  list_pins: Asks<object, readonly Pin[]>;
  /** Of the latest compaction on the active branch; undefined without one. */
  compaction_report: Asks<object, CompactionReport | undefined>;
}
