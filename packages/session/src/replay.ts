/** Which messages can be sent again: every provider refuses a call without its result, or the reverse. Pure. */

import type { AssistantBlock, AssistantMessage, Message, ToolResultMessage } from "@omp/ai/schema";

/** An answer whose tool calls wait for their results, and what was said in the meantime. */
interface OpenAnswer {
  readonly message: AssistantMessage;
  readonly calls: readonly string[];
  readonly results: Map<string, ToolResultMessage>;
  readonly meantime: Message[];
}

/**
 * Failed and aborted answers are left out together with their results. Calls that never got a result
 * are taken out of their answer, results without a call are dropped, and results directly follow the
 * answer they belong to. Ids are matched answer by answer, since some providers use them again;
 * within one answer the second call of an id goes.
 */
export function replayable(messages: readonly Message[]): Message[] {
  const replay: Message[] = [];
  let open: OpenAnswer | undefined;
  for (const message of messages) {
    switch (message.role) {
      case "assistant":
        if (open) replay.push(...settled(open));
        open = hasFailed(message) ? undefined : opened(message);
        break;
      case "toolResult":
        if (open?.calls.includes(message.toolCallId) && !open.results.has(message.toolCallId))
          open.results.set(message.toolCallId, message);
        break;
      case "user":
      case "developer":
        (open?.meantime ?? replay).push(message);
        break;
    }
  }
  if (open) replay.push(...settled(open));
  return replay;
}

function hasFailed({ stopReason }: AssistantMessage): boolean {
  return stopReason === "error" || stopReason === "aborted";
}

function opened(message: AssistantMessage): OpenAnswer {
  const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  return { message, calls, results: new Map(), meantime: [] };
}

function settled({ message, calls, results, meantime }: OpenAnswer): Message[] {
  const answer = results.size === calls.length ? message : withAnswered(message, results);
  if (!answer.content.some(saysSomething)) return meantime;
  return [answer, ...results.values(), ...meantime];
}

function withAnswered(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
): AssistantMessage {
  const answered = new Set(results.keys());
  const content = message.content.filter(
    (block) => block.type !== "toolCall" || answered.delete(block.id),
  );
  // A thought that led to a removed call would now be last, and no answer may end with a thought.
  while (content.at(-1)?.type === "thinking") content.pop();
  return { ...message, content, stopReason: results.size > 0 ? message.stopReason : "stop" };
}

/** Thoughts and white space alone are not an answer that a provider takes back. */
function saysSomething(block: AssistantBlock): boolean {
  switch (block.type) {
    case "toolCall":
      return true;
    case "text":
      return block.text.trim() !== "";
    case "thinking":
      return false;
  }
}
