/** A conversation as text for a summary, cut to a budget from its old end. Pure. */

import type { AssistantBlock, Message } from "@omp/ai/schema";
import { boundedText } from "@omp/std";
import { textOf } from "./tree-target.ts";

/** A rough figure that is on the safe side for prose and code. */
export const BYTES_PER_TOKEN = 3;
/** What a tool said is rarely worth more to a summary. */
const MAX_RESULT_BYTES = 2000;
const MAX_CALL_BYTES = 500;

/** The newest messages that fit; of one that is too long by itself, its beginning and end. */
export function transcriptOf(messages: readonly Message[], maxTokens: number): string {
  let room = maxTokens * BYTES_PER_TOKEN;
  const told: string[] = [];
  for (const message of messages.toReversed()) {
    const text = tell(message);
    const bytes = Buffer.byteLength(text) + SEPARATOR.length;
    if (bytes > room) {
      if (told.length === 0) told.push(bounded(text, Math.max(0, room)));
      break;
    }
    room -= bytes;
    told.push(text);
  }
  return told.reverse().join(SEPARATOR);
}

const SEPARATOR = "\n\n";

/** One message as a summary is told of it. */
export function tell(message: Message): string {
  switch (message.role) {
    case "user":
      return `Person: ${textOf(message.content)}`;
    case "developer":
      return `Program: ${textOf(message.content)}`;
    case "assistant":
      return `Assistant: ${message.content.map(tellBlock).join("\n")}`;
    case "toolResult":
      return `Result of ${message.toolName}: ${bounded(textOf(message.content), MAX_RESULT_BYTES)}`;
  }
}

/** Thoughts are not told: what came of them is in the answer. */
function tellBlock(block: AssistantBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return "";
    case "toolCall":
      return `[calls ${block.name} ${bounded(JSON.stringify(block.arguments), MAX_CALL_BYTES)}]`;
  }
}

function bounded(text: string, maxBytes: number): string {
  return boundedText(text, { maxBytes, keep: "both" }).text;
}
