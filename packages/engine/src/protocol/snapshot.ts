/** The state of the engine as one plain object. */

import type { Message } from "@omp/ai/schema";
import type { SessionHeader } from "@omp/session";

export interface Snapshot {
  readonly session: {
    readonly header: SessionHeader;
    /** Absent when the session is kept in memory only. */
    readonly file?: string;
    /** What the model sees of the active branch. */
    readonly messages: readonly Message[];
  };
  readonly model: { readonly provider: string; readonly id: string };
  readonly isRunning: boolean;
}
