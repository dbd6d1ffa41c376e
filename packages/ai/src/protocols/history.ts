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

/**
 * A conversation is sent whole on every turn, and all but its end was written the same way before. What
 * `write` makes of a message is kept as long as the message; it must not be changed afterwards.
 */
export function writtenOnce<Source extends Message, Wire>(
  write: (message: Source, model: Model, wireId: (id: string) => string) => Wire,
): typeof write {
  const written = new WeakMap<Source, { readonly model: Model; readonly wire: Wire }>();
  return (message, model, wireId) => {
    const known = written.get(message);
    if (known?.model === model) return known.wire;
    const wire = write(message, model, wireId);
    written.set(message, { model, wire });
    return wire;
  };
}

/** Content as blocks, without empty texts (which vendors refuse) and images the model cannot see. */
export function blocksOf(
  content: string | readonly (TextBlock | ImageBlock)[],
  model: Model,
): readonly (TextBlock | ImageBlock)[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  const seesImages = model.input.includes("image");
  const isFine = (block: TextBlock | ImageBlock) =>
    block.type === "image" ? seesImages : block.text.trim() !== "";
  // Nearly all content passes as it is; every message is looked at again on every turn.
  if (blocks.every(isFine)) return blocks;
  return blocks
    .map((block) => (block.type === "image" && !seesImages ? UNSEEN : block))
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
  let own: ReadonlySet<string> | undefined;
  return (id) => {
    if (legal.test(id)) return id;
    own ??= ownIds(messages, model);
    return own.has(id) ? id : legalised(id, maxLength);
  };
}

function ownIds(messages: readonly Message[], model: Model): ReadonlySet<string> {
  const own = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant" || message.provider !== model.provider) continue;
    if (message.api !== model.api) continue;
    for (const block of message.content) if (block.type === "toolCall") own.add(block.id);
  }
  return own;
}

function legalised(id: string, maxLength: number): string {
  const hash = Bun.hash(id).toString(36);
  const readable = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxLength - hash.length - 1);
  return `${readable}_${hash}`;
}
