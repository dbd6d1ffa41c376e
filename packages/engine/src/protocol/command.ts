/** Every request a front end can make of the engine, with the type of its answer. */

import type { StopReason } from "@omp/ai/schema";

export type Command =
  /** Sends what a person typed and runs until the model rests. */
  | { readonly type: "prompt"; readonly text: string; readonly files?: readonly string[] }
  /** Ends the run in progress, if there is one; resolves when it has ended. */
  | { readonly type: "abort" }
  /** Ends the wait before a retry, if there is one: the run ends with the failure it has. */
  | { readonly type: "abort_retry" };

/** How a run ended. `text` is the model's last answer. */
export interface PromptResult {
  readonly stopReason: StopReason;
  readonly text: string;
  readonly thinking: string;
  readonly errorMessage?: string;
}

export interface CommandResults {
  prompt: PromptResult;
  abort: void;
  abort_retry: void;
}

export type CommandType = Command["type"];
export type CommandOf<Type extends CommandType> = Extract<Command, { type: Type }>;
export type ResultOf<Type extends CommandType> = CommandResults[Type];

/** One handler for each command: a missing one does not compile. */
export type Handlers = {
  readonly [Type in CommandType]: (command: CommandOf<Type>) => Promise<ResultOf<Type>>;
};
