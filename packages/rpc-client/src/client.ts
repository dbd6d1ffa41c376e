/** A program's own omp: starts it in RPC mode, asks it by methods, hears its events. */

import { createCalls, type RpcCalls } from "./calls.ts";
import { startChild, type Child } from "./child.ts";
import { RpcError } from "./errors.ts";
import { createIdleWatch } from "./idle.ts";
import { createListeners, type Subscriptions } from "./listeners.ts";
import { createRequests } from "./requests.ts";
import { createCustomTools, type CustomTool } from "./tools.ts";
import { createUi, type UiHandler } from "./ui.ts";
import type { InFrame, OutFrame } from "./wire/index.ts";

export interface RpcClientOptions {
  /** The program and what it needs before `--mode rpc`. Default: `omp` of the PATH. */
  readonly command?: readonly string[];
  /** More flags: `--model`, `--no-session`, ... */
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The whole environment of omp; that of this process unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Without one every question gets "no answer". */
  readonly ui?: UiHandler;
}

export interface RpcConnection extends Subscriptions {
  /** Resolves when omp is ready. @throws RpcError with what omp said */
  start(): Promise<void>;
  /** Ends omp, which records what was done. Requests without an answer fail. */
  stop(): Promise<void>;
  /** Replaces the tools that this program runs for the model; resolves with their names. */
  setCustomTools(tools: readonly CustomTool[]): Promise<readonly string[]>;
  /** Resolves when no run is in progress. @throws RpcError when a prompt could not start, or omp is gone */
  waitForIdle(): Promise<void>;
  /** What omp said to people so far. */
  stderr(): string;
}

export type RpcClient = RpcConnection & RpcCalls;

export function createRpcClient(options: RpcClientOptions = {}): RpcClient {
  const { command = ["omp"], args = [], cwd, env, ui = {} } = options;
  const { tell, ...subscriptions } = createListeners();
  const requests = createRequests((frame) => send(frame));
  const idle = createIdleWatch();
  const ready = Promise.withResolvers<void>();
  let child: Child | undefined;

  const send = (frame: InFrame) => {
    if (!child) throw new RpcError(undefined, "omp is not started");
    child.write(`${JSON.stringify(frame)}\n`);
  };
  const tools = createCustomTools(send);
  const hearUi = createUi(ui, send);

  function hear(frame: OutFrame): void {
    switch (frame.type) {
      case "ready":
        return ready.resolve();
      case "response":
        idle.hearResponse(frame);
        return requests.settle(frame);
      case "extension_ui_request":
        return hearUi(frame);
      case "host_tool_call":
      case "host_tool_cancel":
        return tools.hear(frame);
      case "extension_error":
        return;
      default:
        tell(frame);
        idle.hearEvent(frame);
    }
  }

  function onEnd(because: string): void {
    const error = new RpcError(undefined, because);
    child = undefined;
    ready.reject(error);
    requests.failAll(error);
    idle.fail(error);
  }

  let said = () => "";
  const connection: RpcConnection = {
    start() {
      const started = startChild({
        command: [...command, "--mode", "rpc", ...args],
        cwd,
        env,
        onLine: (line) => hear(JSON.parse(line) as OutFrame),
        onEnd,
      });
      child = started;
      said = () => started.stderr;
      return ready.promise;
    },
    stop: async () => child?.stop(),
    ...subscriptions,
    async setCustomTools(offered) {
      const specs = offered.map(({ name, label, description, parameters }) => ({
        name,
        label,
        description,
        parameters,
      }));
      const { toolNames } = await requests.ask("set_host_tools", { tools: specs });
      tools.offer(offered);
      return toolNames;
    },
    waitForIdle: () => idle.wait(),
    stderr: () => said(),
  };
  return { ...connection, ...createCalls(requests.ask) };
}
