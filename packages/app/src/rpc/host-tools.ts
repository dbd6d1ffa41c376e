/** Tools that run in the client: calls go out, progress and results come back by their id. */

import { ToolFailure, type HostToolCall, type HostToolPort } from "@omp/engine/protocol";
import type { OutFrame, RpcToolOutput } from "@omp/rpc-client/wire";
import { toolOutput } from "./fields.ts";

export interface WireHostTools {
  readonly port: HostToolPort;
  /** Of a `host_tool_update`. One for a call that is unknown or over is ignored, as is a result. */
  update(fields: Readonly<Record<string, unknown>>): void;
  result(fields: Readonly<Record<string, unknown>>): void;
  /** The client is gone: every call has failed. */
  close(): void;
}

interface Pending extends PromiseWithResolvers<RpcToolOutput> {
  readonly call: HostToolCall;
}

export function createWireHostTools(send: (frame: OutFrame) => void): WireHostTools {
  const pending = new Map<string, Pending>();
  let calls = 0;
  let cancels = 0;
  let isClosed = false;
  const pendingOf = ({ id }: Readonly<Record<string, unknown>>) =>
    typeof id === "string" ? pending.get(id) : undefined;

  async function call(call: HostToolCall): Promise<RpcToolOutput> {
    call.signal.throwIfAborted();
    if (isClosed) throw gone(call);
    const { toolCallId, toolName, arguments: given, signal } = call;
    const id = `host_${++calls}`;
    const result = { ...Promise.withResolvers<RpcToolOutput>(), call };
    const cancel = () => {
      send({ type: "host_tool_cancel", id: `host_cancel_${++cancels}`, targetId: id });
      result.reject(signal.reason);
    };
    pending.set(id, result);
    signal.addEventListener("abort", cancel);
    send({ type: "host_tool_call", id, toolCallId, toolName, arguments: given });
    try {
      return await result.promise;
    } finally {
      pending.delete(id);
      signal.removeEventListener("abort", cancel);
    }
  }

  return {
    port: { call },
    update(fields) {
      const partial = toolOutput(fields["partialResult"]);
      if (partial) pendingOf(fields)?.call.update(partial);
    },
    result(fields) {
      const one = pendingOf(fields);
      if (!one) return;
      const output = toolOutput(fields["result"]);
      if (!output)
        one.reject(new ToolFailure(`The host answered ${one.call.toolName} without content.`));
      else if (fields["isError"] === true)
        one.reject(new ToolFailure(textOf(output), output.details));
      else one.resolve(output);
    },
    close() {
      isClosed = true;
      for (const { call, reject } of pending.values()) reject(gone(call));
    },
  };
}

function gone({ toolName }: HostToolCall): ToolFailure {
  return new ToolFailure(`The host of ${toolName} went away before it answered.`);
}

function textOf({ content }: RpcToolOutput): string {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return text === "" ? "The tool failed without saying why." : text;
}
