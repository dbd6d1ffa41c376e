/** The loop: ask the model, run the tools it calls, and again, until it rests, fails or is aborted. */

import type {
  AssistantBlock,
  AssistantMessage,
  FinalEvent,
  Message,
  ModelStream,
  ProviderFault,
  ToolCallBlock,
  ToolResultMessage,
} from "@omp/ai/schema";
import type { Inbox } from "./queue.ts";
import { runToolCall, skippedResult, type ToolRunDeps } from "./tool-run.ts";

export interface LoopDeps<Hosts> extends ToolRunDeps<Hosts> {
  /** What was said during the run. */
  readonly inbox?: Inbox;
  /** A tool has brought the run to its end: the model is not asked again. */
  readonly hasFinished?: () => boolean;
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
    const calls = message.content.filter((block) => block.type === "toolCall");
    if (final.type === "error") {
      const toolResults = await refuseCalls(calls, deps);
      await deps.emit({ type: "turn_end", message, toolResults });
      return final.fault ? { message, fault: final.fault } : { message };
    }
    messages.push(message);
    const toolResults = await runCalls(calls, messages, deps, signal);
    await deps.emit({ type: "turn_end", message, toolResults });
    if (signal.aborted || deps.hasFinished?.() || !goesOn(message, deps.inbox)) return { message };
  }
}

/** Whether there is something for another turn: results, or what a person said in the meantime. */
function goesOn(message: AssistantMessage, inbox: Inbox | undefined): boolean {
  // Whoever retries decides about an answer that says nothing.
  if (!isVisible(message)) return false;
  if (inbox?.deliver("steer")) return true;
  return message.content.some(isCall) || inbox?.deliver("followUp") === true;
}

/** Whether a person has seen something of it, or a tool was called. */
export function isVisible({ content }: AssistantMessage): boolean {
  return content.some(
    (block) => isCall(block) || (block.type === "text" && block.text.trim() !== ""),
  );
}

function isCall({ type }: AssistantBlock): boolean {
  return type === "toolCall";
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

const ABORTED = "the run was aborted before this call started.";
const INTERRUPTED = "the user said something first. Read it, then decide again.";
const ANSWER_FAILED = "the answer that called it was not completed.";

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
    await announce(result, deps);
  };
  let finished = Promise.resolve();
  for (const group of concurrentGroups(calls, deps)) {
    const notRun = signal.aborted ? ABORTED : deps.inbox?.interrupts ? INTERRUPTED : undefined;
    for (const call of group) {
      const running =
        notRun === undefined
          ? runToolCall(call, deps, signal)
          : skippedResult(call, notRun, deps.clock);
      // Results stand in the order of their calls, whichever was first.
      finished = finished.then(async () => finish(await running));
    }
    await finished;
  }
  return results;
}

/** A failed answer is no part of what the model sees; its calls have their end all the same. */
async function refuseCalls<Hosts>(
  calls: readonly ToolCallBlock[],
  deps: LoopDeps<Hosts>,
): Promise<ToolResultMessage[]> {
  const results = calls.map((call) => skippedResult(call, ANSWER_FAILED, deps.clock));
  for (const result of results) await announce(result, deps);
  return results;
}

async function announce<Hosts>(message: ToolResultMessage, deps: LoopDeps<Hosts>): Promise<void> {
  await deps.emit({ type: "message_start", message });
  await deps.emit({ type: "message_end", message });
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
