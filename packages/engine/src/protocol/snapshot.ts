/** The state of the engine as one plain object. */

import type { Message, Model, ThinkingLevel, ToolSchema } from "@omp/ai/schema";
import type { SessionHeader } from "@omp/session";
import type { InterruptMode, QueueMode, Said } from "./commands/run.ts";

export interface Snapshot {
  readonly cwd: string;
  readonly session: {
    readonly header: SessionHeader;
    /** Absent when the session is kept in memory only. */
    readonly file?: string;
    readonly leafId: string | null;
    /** What the model sees of the active branch. */
    readonly messages: readonly Message[];
  };
  readonly model: Model;
  /** Made to fit the model. */
  readonly thinkingLevel: ThinkingLevel;
  readonly isRunning: boolean;
  readonly queue: { readonly steering: readonly Said[]; readonly followUp: readonly Said[] };
  readonly steeringMode: QueueMode;
  readonly followUpMode: QueueMode;
  readonly interruptMode: InterruptMode;
  readonly isAutoRetryEnabled: boolean;
  readonly isCompacting: boolean;
  readonly isAutoCompactionEnabled: boolean;
  readonly systemPrompt: string;
  readonly tools: readonly ToolSchema[];
}
