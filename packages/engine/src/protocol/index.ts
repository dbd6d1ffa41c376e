/** The only door of the engine: commands down, events up, snapshots on request. */

import type { CommandOf, CommandType, ResultOf } from "./command.ts";
import type { EngineEvent } from "./event.ts";
import type { Snapshot } from "./snapshot.ts";

export type {
  Command,
  CommandOf,
  CommandType,
  Handlers,
  PromptResult,
  ResultOf,
} from "./command.ts";
export type { EngineEvent } from "./event.ts";
export type { Snapshot } from "./snapshot.ts";
export type { UiNotice, UiPort, UiReply, UiRequest } from "@omp/agent";

export interface Engine extends AsyncDisposable {
  dispatch<Type extends CommandType>(command: CommandOf<Type>): Promise<ResultOf<Type>>;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: EngineEvent) => void): () => void;
  snapshot(): Snapshot;
}
