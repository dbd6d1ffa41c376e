/** How many tokens a conversation takes: what the provider measured, and an estimate of the rest. Pure. */

import type { ImageBlock, Message, TextBlock } from "@omp/ai/schema";
import { imageTokens } from "../images/tokens.ts";

const CHARACTERS_PER_TOKEN = 4;
/** What a vendor adds around each message. */
const TOKENS_PER_MESSAGE = 4;
/** Pictures are made to fit such a square before they are sent; to look into each would cost more than it tells. */
const PICTURE = { width: 1024, height: 1024 };
const PICTURE_TOKENS = imageTokens(PICTURE, { api: "anthropic-messages", id: "" });

export function textTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function messageTokens(message: Message): number {
  if (message.role !== "assistant") return TOKENS_PER_MESSAGE + contentTokens(message.content);
  let characters = 0;
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        characters += block.text.length;
        break;
      case "thinking":
        characters += block.thinking.length;
        break;
      case "toolCall":
        characters += block.name.length + JSON.stringify(block.arguments).length;
        break;
    }
  }
  return TOKENS_PER_MESSAGE + Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

export function contentTokens(content: string | readonly (TextBlock | ImageBlock)[]): number {
  if (typeof content === "string") return textTokens(content);
  let tokens = 0;
  for (const block of content)
    tokens += block.type === "text" ? textTokens(block.text) : PICTURE_TOKENS;
  return tokens;
}

export interface ContextSize {
  readonly tokens: number;
  /** How many real tokens an estimated one stands for. */
  readonly ratio: number;
}

export interface SizeFacts {
  /** Answers from this message on have seen the context as it is now. */
  readonly since: number;
  /** Of the system prompt and the tools, by our estimate. */
  readonly overhead: number;
  /** Of tool results that were pruned after the latest measured answer, by our estimate. */
  readonly pruned?: number;
}

/** The latest measured answer counts with all that stood before it; what came later is estimated. */
export function contextSize(messages: readonly Message[], facts: SizeFacts): ContextSize {
  const { since, overhead, pruned = 0 } = facts;
  const at = messages.findLastIndex((message, index) => index >= since && isMeasured(message));
  const until = sum(messages.slice(0, at + 1)) + overhead;
  const later = sum(messages.slice(at + 1));
  const measured = messages[at];
  if (measured?.role !== "assistant") return { tokens: until + later, ratio: 1 };
  const { totalTokens } = measured.usage;
  const ratio = totalTokens / (until + pruned);
  return { tokens: Math.ceil(totalTokens + ratio * (later - pruned)), ratio };
}

/** Whether the provider has told what this answer and all before it took. */
export function isMeasured(message: Message): boolean {
  if (message.role !== "assistant") return false;
  const { usage, stopReason } = message;
  return usage.totalTokens > 0 && stopReason !== "error" && stopReason !== "aborted";
}

function sum(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) tokens += messageTokens(message);
  return tokens;
}
