/** The commands of RPC mode by name: what each takes besides `type` and `id`, and the data of its answer. */

import type { CommandOf, QueueMode, InterruptMode, ResultOf } from "@omp/engine/protocol";
import type { RpcMessage, RpcModel, RpcState, RpcThinkingLevel } from "./state.ts";
import type { RpcImage, RpcTodoPhase, RpcToolSpec } from "./values.ts";

interface Takes<Fields, Data = undefined> {
  readonly fields: Fields;
  readonly data: Data;
}

interface Nothing {}

interface Saying {
  readonly message: string;
  readonly images?: readonly RpcImage[] | undefined;
}

interface RunCommands {
  /** Answered at once; `agent_end` tells the end, a second, failing answer that it could not start. */
  prompt: Takes<Saying & { readonly streamingBehavior?: "steer" | "followUp" | undefined }>;
  steer: Takes<Saying>;
  follow_up: Takes<Saying>;
  abort: Takes<Nothing>;
  abort_and_prompt: Takes<Saying>;
  clear_queue: Takes<Nothing, ResultOf<"clear_queue">>;
  set_steering_mode: Takes<{ readonly mode: QueueMode }>;
  set_follow_up_mode: Takes<{ readonly mode: QueueMode }>;
  set_interrupt_mode: Takes<{ readonly mode: InterruptMode }>;
  set_auto_retry: Takes<{ readonly enabled: boolean }>;
  abort_retry: Takes<Nothing>;
  bash: Takes<{ readonly command: string }, ResultOf<"execute">>;
  abort_bash: Takes<Nothing>;
}

interface StateCommands {
  get_state: Takes<Nothing, RpcState>;
  get_messages: Takes<Nothing, { readonly messages: readonly RpcMessage[] }>;
  get_last_assistant_text: Takes<Nothing, { readonly text: string | null }>;
  get_commands: Takes<Nothing, { readonly commands: ResultOf<"list_slash_commands"> }>;
  set_todos: Takes<
    { readonly phases: readonly RpcTodoPhase[] },
    { readonly todoPhases: readonly RpcTodoPhase[] }
  >;
  set_host_tools: Takes<
    { readonly tools: readonly RpcToolSpec[] },
    { readonly toolNames: ResultOf<"set_host_tools"> }
  >;
  compact: Takes<
    { readonly customInstructions?: string | undefined },
    Omit<Extract<ResultOf<"compact">, { cancelled: false }>, "cancelled">
  >;
  set_auto_compaction: Takes<{ readonly enabled: boolean }>;
}

interface ModelCommands {
  set_model: Takes<{ readonly provider: string; readonly modelId: string }, RpcModel>;
  cycle_model: Takes<
    Nothing,
    (Omit<NonNullable<ResultOf<"cycle_model">>, "model"> & { readonly model: RpcModel }) | null
  >;
  get_available_models: Takes<Nothing, { readonly models: readonly RpcModel[] }>;
  set_thinking_level: Takes<
    { readonly level: RpcThinkingLevel },
    { readonly level: RpcThinkingLevel }
  >;
  cycle_thinking_level: Takes<Nothing, { readonly level: RpcThinkingLevel } | null>;
}

interface SessionCommands {
  new_session: Takes<
    { readonly parentSession?: string | undefined },
    { readonly cancelled: boolean }
  >;
  switch_session: Takes<{ readonly sessionPath: string }, { readonly cancelled: boolean }>;
  fork_session: Takes<Nothing, { readonly cancelled: boolean }>;
  branch: Takes<{ readonly entryId: string }, ResultOf<"branch_session">>;
  get_branch_messages: Takes<Nothing, { readonly messages: ResultOf<"branch_points"> }>;
  move_leaf: Takes<Omit<CommandOf<"move_leaf">, "type">, ResultOf<"move_leaf">>;
  get_tree: Takes<Nothing, ResultOf<"session_tree">>;
  get_entries: Takes<Nothing, { readonly entries: ResultOf<"session_entries"> }>;
  set_label: Takes<{ readonly entryId: string; readonly label: string }>;
  set_session_name: Takes<{ readonly name: string }>;
  get_session_stats: Takes<Nothing, ResultOf<"session_stats">>;
  export_html: Takes<{ readonly outputPath?: string | undefined }, { readonly path: string }>;
  export_markdown: Takes<{ readonly outputPath?: string | undefined }, { readonly path: string }>;
}

export interface RpcCommands extends RunCommands, StateCommands, ModelCommands, SessionCommands {}

export type RpcCommandName = keyof RpcCommands;
export type RpcFields<Name extends RpcCommandName> = RpcCommands[Name]["fields"];
export type RpcData<Name extends RpcCommandName> = RpcCommands[Name]["data"];
