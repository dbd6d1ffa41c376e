/** What may have a say before a session changes. Extensions will be one of these; an embedder can be another. */

import type { SessionEntry } from "@omp/session";

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
}
