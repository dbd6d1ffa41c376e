/** The last look at pictures before a request: none where they are blocked, and never more than a vendor takes. */

import type { ImageBlock, Message, Model, TextBlock } from "@omp/ai/schema";

export type OutgoingImages = (messages: readonly Message[], model: Model) => readonly Message[];

/** Pictures one request may hold, by protocol; others take hundreds. */
const MAX_IMAGES: Readonly<Record<string, number>> = {
  "anthropic-messages": 100,
  "bedrock-converse-stream": 20,
};
const MAX_IMAGES_ELSEWHERE = 250;

const BLOCKED = note("[An image was left out: the settings block images.]");
const TOO_MANY = note("[An image was left out: the conversation has more than the model takes.]");

/** The same message is given back as the same object every time, because requests are cached by it. */
export function createOutgoingImages({
  blockImages,
}: {
  readonly blockImages: boolean;
}): OutgoingImages {
  const changed = new WeakMap<Message, { readonly kept: number; readonly message: Message }>();
  return (messages, { api }) => {
    let left = blockImages ? 0 : (MAX_IMAGES[api] ?? MAX_IMAGES_ELSEWHERE);
    let total = 0;
    for (const message of messages) total += imagesIn(message);
    if (total <= left) return messages;
    const result: Message[] = [];
    // The newest ones are what the conversation is about.
    for (const message of messages.toReversed()) {
      const count = imagesIn(message);
      const kept = Math.min(count, left);
      left -= kept;
      result.push(kept === count ? message : remembered(message, kept));
    }
    return result.reverse();
  };

  function remembered(message: Message, kept: number): Message {
    const known = changed.get(message);
    if (known?.kept === kept) return known.message;
    const made = withLastImages(message, kept, blockImages ? BLOCKED : TOO_MANY);
    changed.set(message, { kept, message: made });
    return made;
  }
}

function imagesIn(message: Message): number {
  if (message.role === "assistant" || typeof message.content === "string") return 0;
  let count = 0;
  for (const block of message.content) if (block.type === "image") count++;
  return count;
}

function withLastImages(message: Message, kept: number, placeholder: TextBlock): Message {
  if (message.role === "assistant" || typeof message.content === "string") return message;
  let surplus = imagesIn(message) - kept;
  const content = message.content.map((block): TextBlock | ImageBlock =>
    block.type === "image" && surplus-- > 0 ? placeholder : block,
  );
  return { ...message, content };
}

function note(text: string): TextBlock {
  return { type: "text", text };
}
