/** The loop: ask the model, run the tools it calls, and again, until it rests, fails or is aborted. */

import type {
  AssistantMessage,
  FinalEvent,
  Message,
  ModelStream,
  ProviderFault,
  ToolCallBlock,
  ToolResultMessage,
} from "@omp/ai/schema";
import { runToolCall, skippedResult, type ToolRunDeps } from "./tool-run.ts";

export interface LoopDeps<Hosts> extends ToolRunDeps<Hosts> {
  /** One turn of the model over these messages. */
  stream(messages: readonly Message[], signal: AbortSignal): ModelStream;
}

/** How the loop ended. `fault` says why the last turn failed, for whoever decides on a retry. */
export interface LoopEnd {
  readonly message: AssistantMessage;
  readonly fault?: ProviderFault;
}

/**
 * Runs turns over `messages`, to which finished messages are added as they are made.
 * A failed or aborted answer is announced but not added: it is no part of what the model sees.
 */
export async function runLoop<Hosts>(
  messages: Message[],
  deps: LoopDeps<Hosts>,
  signal: AbortSignal,
): Promise<LoopEnd> {
  for (;;) {
    await deps.emit({ type: "turn_start" });
    const final = await streamTurn(messages, deps, signal);
    const { message } = final;
    if (final.type === "error") {
      await deps.emit({ type: "turn_end", message, toolResults: [] });
      return final.fault ? { message, fault: final.fault } : { message };
    }
    messages.push(message);
    const calls = message.content.filter((block) => block.type === "toolCall");
    const toolResults = await runCalls(calls, messages, deps, signal);
    await deps.emit({ type: "turn_end", message, toolResults });
    if (calls.length === 0 || signal.aborted) return { message };
  }
}

async function streamTurn<Hosts>(
  messages: readonly Message[],
  deps: LoopDeps<Hosts>,
  signal: AbortSignal,
): Promise<FinalEvent> {
  const stream = deps.stream(messages, signal);
  let isAnnounced = false;
  for await (const event of stream) {
    switch (event.type) {
      case "start":
        isAnnounced = true;
        await deps.emit({ type: "message_start", message: event.partial });
        break;
      case "done":
      case "error":
        break;
      default:
        await deps.emit({
          type: "message_update",
          message: event.partial,
          assistantMessageEvent: event,
        });
    }
  }
  const final = await stream.result;
  // A request that failed before the first byte has no `start`; its message is announced all the same.
  if (!isAnnounced) await deps.emit({ type: "message_start", message: final.message });
  await deps.emit({ type: "message_end", message: final.message });
  return final;
}

/**
 * Runs the calls of one answer. Neighbouring shared calls run side by side, an exclusive one alone.
 * Every call gets a result, also after an abort, because no provider accepts a call without one.
 */
async function runCalls<Hosts>(
  calls: readonly ToolCallBlock[],
  messages: Message[],
  deps: LoopDeps<Hosts>,
  signal: AbortSignal,
): Promise<ToolResultMessage[]> {
  const results: ToolResultMessage[] = [];
  const finish = async (result: ToolResultMessage) => {
    results.push(result);
    messages.push(result);
    await deps.emit({ type: "message_start", message: result });
    await deps.emit({ type: "message_end", message: result });
  };
  for (const group of concurrentGroups(calls, deps)) {
    await Promise.all(
      group.map(async (call) =>
        finish(
          signal.aborted ? skippedResult(call, deps.clock) : await runToolCall(call, deps, signal),
        ),
      ),
    );
  }
  return results;
}

function concurrentGroups<Hosts>(
  calls: readonly ToolCallBlock[],
  deps: LoopDeps<Hosts>,
): ToolCallBlock[][] {
  const groups: ToolCallBlock[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const isShared = deps.tools.get(call.name)?.concurrency !== "exclusive";
    if (isShared && isOpen) groups.at(-1)!.push(call);
    else groups.push([call]);
    isOpen = isShared;
  }
  return groups;
}
