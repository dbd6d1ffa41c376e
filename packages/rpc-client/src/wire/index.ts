/** The vocabulary of RPC mode: types only. omp and its clients are written against the same words. */

export type { RpcCommandName, RpcCommands, RpcData, RpcFields } from "./commands.ts";
export type {
  CommandFrame,
  ExtensionError,
  HostToolCallFrame,
  HostToolCancelFrame,
  InFrame,
  OutFrame,
  RpcEvent,
  RpcId,
  RpcResponse,
  RpcUpdate,
  UiAnswer,
  UiFrame,
  UiQuestion,
  UiTelling,
} from "./frames.ts";
export type { RpcMessage, RpcModel, RpcState, RpcThinkingLevel } from "./state.ts";
export type { RpcImage, RpcText, RpcTodoPhase, RpcToolOutput, RpcToolSpec } from "./values.ts";
