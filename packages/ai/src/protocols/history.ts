/** What of a conversation may be sent to which model: shared by the protocols that write requests. */

import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../schema/message.ts";
import type { Model } from "../schema/model.ts";

/**
 * Whether the model itself wrote this. Signatures and hidden thoughts mean something to their
 * author only; newer models refuse those of their own siblings.
 */
export function isOwn(message: AssistantMessage, model: Model): boolean {
  const { provider, api, model: id } = message;
  return provider === model.provider && api === model.api && id === model.id;
}

/** Content as blocks, without empty texts (which vendors refuse) and images the model cannot see. */
export function blocksOf(
  content: string | readonly (TextBlock | ImageBlock)[],
  model: Model,
): readonly (TextBlock | ImageBlock)[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return blocks
    .map((block) => (block.type === "image" && !model.input.includes("image") ? UNSEEN : block))
    .filter((block) => block.type === "image" || block.text.trim() !== "");
}

const UNSEEN: TextBlock = {
  type: "text",
  text: "[An image was left out: this model does not take images.]",
};

/**
 * Tool ids as this API accepts them: the same for a call and its result, and different for calls
 * that are different. Ids that the API made itself stay as they are.
 */
export function toolIds(
  messages: readonly Message[],
  model: Model,
  legal: RegExp,
  maxLength: number,
): (id: string) => string {
  const own = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant" || message.provider !== model.provider) continue;
    if (message.api !== model.api) continue;
    for (const block of message.content) if (block.type === "toolCall") own.add(block.id);
  }
  return (id) => (own.has(id) || legal.test(id) ? id : legalised(id, maxLength));
}

function legalised(id: string, maxLength: number): string {
  const hash = Bun.hash(id).toString(36);
  const readable = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxLength - hash.length - 1);
  return `${readable}_${hash}`;
}
