/** What `get_state` answers. */

import type { InterruptMode, QueueMode, Snapshot } from "@omp/engine/protocol";
import type { RpcTodoPhase } from "./values.ts";

/** Without what may hold a key. */
export type RpcModel = Omit<Snapshot["model"], "headers">;
export type RpcThinkingLevel = Snapshot["thinkingLevel"];
export type RpcMessage = Snapshot["session"]["messages"][number];

export interface RpcState {
  readonly model: RpcModel;
  readonly thinkingLevel: RpcThinkingLevel;
  readonly isStreaming: boolean;
  readonly isCompacting: boolean;
  readonly steeringMode: QueueMode;
  readonly followUpMode: QueueMode;
  readonly interruptMode: InterruptMode;
  /** Absent when the session is kept in memory only. */
  readonly sessionFile?: string;
  readonly sessionId: string;
  /** Absent until the session has one. */
  readonly sessionName?: string;
  readonly autoCompactionEnabled: boolean;
  readonly messageCount: number;
  readonly queuedMessageCount: number;
  readonly todoPhases: readonly RpcTodoPhase[];
  readonly systemPrompt: string;
  readonly dumpTools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: unknown;
  }[];
}
