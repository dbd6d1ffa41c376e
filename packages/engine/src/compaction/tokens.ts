/** How many tokens a conversation takes: what the provider measured, and an estimate of the rest. Pure. */

import type { AssistantBlock, ImageBlock, Message, TextBlock } from "@omp/ai/schema";
import { imageTokens } from "../images/tokens.ts";

const CHARACTERS_PER_TOKEN = 4;
/** What a vendor adds around each message. */
const TOKENS_PER_MESSAGE = 4;
/** Pictures are made to fit such a square before they are sent; to look into each would cost more than it tells. */
const PICTURE = { width: 1024, height: 1024 };
const PICTURE_CHARACTERS =
  CHARACTERS_PER_TOKEN * imageTokens(PICTURE, { api: "anthropic-messages", id: "" });

export function textTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function messageTokens({ content }: Pick<Message, "content">): number {
  return TOKENS_PER_MESSAGE + contentTokens(content);
}

type Block = TextBlock | ImageBlock | AssistantBlock;

export function contentTokens(content: string | readonly Block[]): number {
  if (typeof content === "string") return textTokens(content);
  let characters = 0;
  for (const block of content) characters += charactersOf(block);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** A block from a file may have any shape: what has none of ours is not sent. */
function charactersOf(block: Block): number {
  switch (block.type) {
    case "text":
      return block.text?.length ?? 0;
    case "thinking":
      return block.thinking?.length ?? 0;
    case "image":
      return PICTURE_CHARACTERS;
    case "toolCall":
      return (block.name?.length ?? 0) + (JSON.stringify(block.arguments)?.length ?? 0);
    default:
      return 0;
  }
}

export interface ContextSize {
  readonly tokens: number;
  /** How many real tokens an estimated one stands for. */
  readonly ratio: number;
}

export interface SizeFacts {
  /** By our estimate: all up to the latest measured answer, as it was then, with system prompt and tools. */
  readonly until: number;
  /** By our estimate: all that came after it, less what has gone since. */
  readonly later: number;
  /** What the provider told with that answer. */
  readonly measured: number | undefined;
}

/** The latest measured answer counts with all that stood before it; what came later is estimated. */
export function contextSize({ until, later, measured }: SizeFacts): ContextSize {
  if (measured === undefined || until <= 0) return { tokens: until + later, ratio: 1 };
  const ratio = measured / until;
  return { tokens: Math.ceil(measured + ratio * later), ratio };
}
