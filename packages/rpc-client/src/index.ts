/** Drives omp from another program, over its RPC mode. */

export { createCalls, type RpcCalls } from "./calls.ts";
export {
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
  type RpcConnection,
} from "./client.ts";
export { RpcError } from "./errors.ts";
export type { CustomTool, CustomToolCall } from "./tools.ts";
export type { UiHandler } from "./ui.ts";
