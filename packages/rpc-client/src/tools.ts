/** Tools that live in the client: what omp calls, how they answer. */

import type {
  HostToolCallFrame,
  HostToolCancelFrame,
  InFrame,
  RpcToolOutput,
  RpcToolSpec,
} from "./wire/index.ts";

export interface CustomToolCall {
  readonly toolCallId: string;
  /** Aborts when omp does not want the result any more. */
  readonly signal: AbortSignal;
  /** Shows what there is so far. */
  update(partial: RpcToolOutput): void;
}

export interface CustomTool extends RpcToolSpec {
  /** What it throws becomes a failed result that the model reads. */
  run(input: unknown, call: CustomToolCall): Promise<RpcToolOutput | string>;
}

export interface CustomTools {
  offer(tools: readonly CustomTool[]): void;
  hear(frame: HostToolCallFrame | HostToolCancelFrame): void;
}

export function createCustomTools(send: (frame: InFrame) => void): CustomTools {
  const tools = new Map<string, CustomTool>();
  const running = new Map<string, AbortController>();

  async function run({ id, toolCallId, toolName, arguments: input }: HostToolCallFrame) {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const tool = tools.get(toolName);
      if (!tool) throw new Error(`There is no tool named ${toolName} here.`);
      const call = {
        toolCallId,
        signal: abort.signal,
        update: (partialResult: RpcToolOutput) =>
          send({ type: "host_tool_update", id, partialResult }),
      };
      const result = outputOf(await tool.run(input, call));
      send({ type: "host_tool_result", id, result });
    } catch (error) {
      const result = outputOf(error instanceof Error ? error.message : String(error));
      send({ type: "host_tool_result", id, result, isError: true });
    } finally {
      running.delete(id);
    }
  }

  return {
    offer(offered) {
      tools.clear();
      for (const tool of offered) tools.set(tool.name, tool);
    },
    hear(frame) {
      if (frame.type === "host_tool_call") void run(frame);
      else running.get(frame.targetId)?.abort();
    },
  };
}

function outputOf(output: RpcToolOutput | string): RpcToolOutput {
  return typeof output === "string" ? { content: [{ type: "text", text: output }] } : output;
}
