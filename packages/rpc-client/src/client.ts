/** A program's own omp: starts it in RPC mode, asks it by methods, hears its events. */

import { createCalls, type Ask, type RpcCalls } from "./calls.ts";
import { startChild, type Child } from "./child.ts";
import { RpcError } from "./errors.ts";
import { createIdleWatch } from "./idle.ts";
import { createCustomTools, type CustomTool } from "./tools.ts";
import { createUi, type UiHandler } from "./ui.ts";
import type { InFrame, OutFrame, RpcEvent, RpcResponse } from "./wire/index.ts";

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

type EventOf<Type extends RpcEvent["type"]> = Extract<RpcEvent, { readonly type: Type }>;

export interface RpcConnection {
  /** Resolves when omp is ready. @throws RpcError with what omp said */
  start(): Promise<void>;
  /** Ends omp, which records what was done. Requests without an answer fail. */
  stop(): Promise<void>;
  /** @returns what ends the subscription */
  onEvent(listener: (event: RpcEvent) => void): () => void;
  on<Type extends RpcEvent["type"]>(
    type: Type,
    listener: (event: EventOf<Type>) => void,
  ): () => void;
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
  const listeners = new Set<(event: RpcEvent) => void>();
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
        for (const listener of listeners) listener(frame);
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

  const onEvent = (listener: (event: RpcEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
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
    onEvent,
    on: (type, listener) =>
      onEvent((event) => {
        // The type is the one asked for; TypeScript cannot follow the pairing.
        if (event.type === type) listener(event as EventOf<typeof type>);
      }),
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

interface Requests {
  readonly ask: Ask;
  settle(response: RpcResponse): void;
  failAll(error: RpcError): void;
}

/** Requests by their id, `req_<n>`, until their answer comes. */
function createRequests(send: (frame: InFrame) => void): Requests {
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  let count = 0;
  const ask = async (type: string, fields: object): Promise<unknown> => {
    const id = `req_${++count}`;
    // A table of commands types the pair of name and fields for the caller.
    send({ id, type, ...fields } as InFrame);
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    return answer.promise;
  };
  return {
    ask: ask as Ask,
    settle(response) {
      if (typeof response.id !== "string") return;
      const answer = waiting.get(response.id);
      // The second answer to a prompt, of a run that could not start, is for those who wait for its end.
      if (!answer) return;
      waiting.delete(response.id);
      if (response.success) answer.resolve(response.data);
      else answer.reject(new RpcError(response.command, response.error));
    },
    failAll(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}
