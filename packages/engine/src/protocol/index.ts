/** The only door of the engine: commands down, events up, snapshots on request. */

import type { CommandOf, CommandType, ResultOf } from "./command.ts";
import type { EngineEvent } from "./event.ts";
import type { Snapshot } from "./snapshot.ts";

export type { Command, CommandMap, CommandOf, CommandType, ResultOf } from "./command.ts";
export type {
  ExecutionResult,
  PromptResult,
  QueueMode,
  InterruptMode,
  Said,
} from "./commands/run.ts";
export type { Charge, UsageReport } from "./commands/ledger.ts";
export type { HostToolSpec, SlashCommandInfo } from "./commands/tools.ts";
export type { SessionStats, TreeMoveResult } from "./commands/session.ts";
export type {
  CompactionPart,
  CompactionReason,
  CompactionReport,
  CompactionResult,
  Pin,
} from "./commands/compaction.ts";
export type { ShareResult } from "./commands/export.ts";
export type { EngineEvent } from "./event.ts";
export type { SessionHooks } from "./hooks.ts";
export type { HostToolCall, HostToolPort } from "./host-tool.ts";
export type { Snapshot } from "./snapshot.ts";
export { routeTyped, type Typed } from "./typed.ts";
export type { UiNotice, UiPart, UiPort, UiReply, UiRequest } from "@omp/agent";
export { ToolFailure } from "@omp/agent";

export interface Engine extends AsyncDisposable {
  dispatch<Type extends CommandType>(command: CommandOf<Type>): Promise<ResultOf<Type>>;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: EngineEvent) => void): () => void;
  snapshot(): Snapshot;
}
