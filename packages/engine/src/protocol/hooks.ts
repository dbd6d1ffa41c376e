/** What may have a say before a session changes. Extensions will be one of these; an embedder can be another. */

import type { SessionEntry } from "@omp/session";
import type { CompactionReason } from "./commands/compaction.ts";

export type SwitchReason = "new" | "fork" | "resume";

export interface BeforeSwitch {
  readonly reason: SwitchReason;
  readonly targetSessionFile?: string;
}

export interface BeforeTree {
  readonly targetId: string;
  readonly oldLeafId: string | null;
  /** What would be left behind: from the old leaf up to the common ancestor. */
  readonly abandoned: readonly SessionEntry[];
  readonly wantsSummary: boolean;
}

/** What would be summarized, and why. */
export interface BeforeCompact {
  readonly reason: CompactionReason;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  /** Oldest first. */
  readonly summarized: readonly SessionEntry[];
  readonly instructions?: string;
}

/** A summary that somebody else made. */
export interface GivenCompaction {
  readonly summary: string;
  readonly shortSummary?: string;
  /** Ours where it is absent. */
  readonly firstKeptEntryId?: string;
  readonly details?: unknown;
}

/** What changes the summary that we make. */
export interface CompactingChange {
  /** In place of our instructions. */
  readonly prompt?: string;
  /** Lines for the additional context. */
  readonly context?: readonly string[];
  /** Kept with the entry. */
  readonly preserveData?: Readonly<Record<string, unknown>>;
}

interface MayCancel {
  readonly cancel?: boolean;
}

export interface SessionHooks {
  beforeSwitch?(event: BeforeSwitch): Promise<MayCancel | undefined>;
  beforeBranch?(event: {
    readonly entryId: string;
  }): Promise<(MayCancel & { readonly skipConversationRestore?: boolean }) | undefined>;
  beforeTree?(
    event: BeforeTree,
    signal: AbortSignal,
  ): Promise<
    | (MayCancel & { readonly summary?: { readonly summary: string; readonly details?: unknown } })
    | undefined
  >;
  beforeCompact?(
    event: BeforeCompact,
    signal: AbortSignal,
  ): Promise<(MayCancel & { readonly compaction?: GivenCompaction }) | undefined>;
  compacting?(event: BeforeCompact, signal: AbortSignal): Promise<CompactingChange | undefined>;
  /** It is stored by now. */
  compacted?(event: {
    readonly compactionEntry: SessionEntry;
    readonly fromExtension: boolean;
  }): Promise<void>;
}
