/** Everything the engine tells its front ends. The names are those of the JSON and RPC wires. */

import type { AgentEvent, UiNotice } from "@omp/agent";

export type EngineEvent =
  | AgentEvent
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
  | ({ readonly type: "notice" } & UiNotice);
