/** What of a conversation may be sent to which model: shared by the protocols that write requests. */

import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from "../schema/message.ts";
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

/**
 * Every call is followed by its one result, and every result has its call: vendors refuse anything else.
 * Aborted runs, branches and other programs leave such histories behind. Messages that are in order stay
 * the same objects.
 */
export function paired(messages: readonly Message[]): readonly Message[] {
  if (isPaired(messages)) return messages;
  const ordered: Message[] = [];
  for (let at = 0; at < messages.length;) {
    const next = messages.findIndex(({ role }, index) => index > at && role === "assistant");
    const end = next === -1 ? messages.length : next;
    ordered.push(...pairedAnswer(messages.slice(at, end)));
    at = end;
  }
  return ordered;
}

/** The whole conversation is looked at before every turn, so this makes nothing but one set. */
function isPaired(messages: readonly Message[]): boolean {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (!open.delete(message.toolCallId)) return false;
      continue;
    }
    if (open.size > 0) return false;
    if (message.role !== "assistant") continue;
    for (const block of message.content) if (block.type === "toolCall") open.add(block.id);
  }
  return open.size === 0;
}

/** One answer and what came before the next one: its results come first, in the order of its calls. */
function pairedAnswer(messages: readonly Message[]): Message[] {
  const [answer, ...rest] = messages;
  if (!answer) return [];
  const calls = callsOf(answer);
  const results = calls.map((call) => resultOf(call, rest) ?? unanswered(call, answer));
  const others = (answer.role === "assistant" ? rest : messages).flatMap((message) => {
    if (message.role !== "toolResult") return message;
    return calls.some(({ id }) => id === message.toolCallId) ? [] : withoutCall(message);
  });
  return [...(answer.role === "assistant" ? [answer] : []), ...results, ...others];
}

function callsOf(message: Message): readonly ToolCallBlock[] {
  if (message.role !== "assistant") return [];
  return message.content.filter((block) => block.type === "toolCall");
}

function resultOf({ id }: ToolCallBlock, messages: readonly Message[]): Message | undefined {
  return messages.find((message) => message.role === "toolResult" && message.toolCallId === id);
}

function unanswered({ id, name }: ToolCallBlock, { timestamp }: Message): ToolResultMessage {
  const text = "There is no result: the call was interrupted, or its result was lost.";
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text }],
    isError: true,
    timestamp,
  };
}

/** What a tool said stays worth knowing; as the words of nobody but the tool. */
function withoutCall({ toolName, content, timestamp }: ToolResultMessage): UserMessage {
  const text = `Output of the tool ${toolName}, whose call is no longer part of this conversation:`;
  return { role: "user", content: [{ type: "text", text }, ...content], timestamp };
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

/** Letters, digits and lines only, told apart by what they were made from. */
export function legalised(id: string, maxLength: number): string {
  const hash = Bun.hash(id).toString(36);
  const readable = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxLength - hash.length - 1);
  return `${readable}_${hash}`;
}

export type SideMessage<UserBlock> =
  | { readonly role: "user"; content: readonly UserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly object[] };

export interface Sides<UserBlock> {
  answer(message: AssistantMessage): readonly object[];
  user(message: Exclude<Message, AssistantMessage>): readonly UserBlock[];
  isResult(block: UserBlock): boolean;
  /** Says that everything up to here is to be cached. */
  mark(content: readonly UserBlock[]): readonly UserBlock[];
}

/**
 * The conversation for vendors who know two sides that take turns: what is not the model's is one
 * message, in which the results of its calls come before anything else. The last two of the person's
 * side are marked: the mark before the last one finds what the turn before has written.
 */
export function inTwoSides<UserBlock>(
  messages: readonly Message[],
  { answer, user, isResult, mark }: Sides<UserBlock>,
): SideMessage<UserBlock>[] {
  const sides: SideMessage<UserBlock>[] = [];
  const resultsFirst = (content: readonly UserBlock[]) =>
    content.toSorted((a, b) => Number(isResult(b)) - Number(isResult(a)));
  for (const message of messages) {
    if (message.role === "assistant") {
      const content = answer(message);
      if (content.length > 0) sides.push({ role: "assistant", content });
      continue;
    }
    const content = user(message);
    const last = sides.at(-1);
    if (last?.role === "user") last.content = resultsFirst([...last.content, ...content]);
    else if (content.length > 0) sides.push({ role: "user", content });
  }
  const persons = sides.filter((side) => side.role === "user");
  for (const side of persons.slice(-2)) side.content = mark(side.content);
  return sides;
}
