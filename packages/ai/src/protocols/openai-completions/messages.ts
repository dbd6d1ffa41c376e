/** A conversation as the messages of a Chat Completions request. */

import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../../schema/message.ts";
import type { Model, ModelRequest } from "../../schema/model.ts";
import { compatFor, type ResolvedCompat } from "../compat.ts";
import { systemText } from "../system-prompt.ts";
import { blocksOf, isOwn, toolIds, writtenOnce } from "../history.ts";
import { thoughtFields, thoughtsAsText } from "./thoughts.ts";

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
}

export function wireMessages(request: ModelRequest, compat: ResolvedCompat): WireMessage[] {
  const { model, messages } = request;
  const wireId = compat.requiresMistralToolIds
    ? mistralId
    : toolIds(messages, model, /^[a-zA-Z0-9_-]{1,40}$/, 40);
  const wire = new WireHistory(compat);
  const leading = compat.supportsMultipleSystemMessages ? 0 : leadingInstructions(messages);
  const instructions = [systemText(request), ...messages.slice(0, leading).map(instructionText)];
  const system = instructions.filter((text) => text !== "").join("\n\n");
  if (system) wire.push({ role: instructionRole(model, compat), content: system });
  for (const message of messages.slice(leading)) {
    if (message.role === "toolResult") {
      const blocks = blocksOf(message.content, model);
      wire.pushResult(toolMessage(message, blocks, wireId, compat), blocks);
    } else {
      for (const written of plainMessage(message, model, wireId)) wire.push(written);
    }
  }
  return wire.finish();
}

/** The messages in the order this wire wants them in. */
class WireHistory {
  readonly #messages: WireMessage[] = [];
  #images: ImageBlock[] = [];

  constructor(readonly compat: ResolvedCompat) {}

  push(message: WireMessage): void {
    this.#flushImages();
    this.#bridge(message.role);
    this.#messages.push(message);
  }

  /** A tool message holds text only; its images follow when the row of results is complete. */
  pushResult(message: WireMessage, blocks: readonly (TextBlock | ImageBlock)[]): void {
    this.#images.push(...blocks.filter((block) => block.type === "image"));
    this.#messages.push(message);
  }

  finish(): WireMessage[] {
    this.#flushImages();
    return this.#messages;
  }

  #flushImages(): void {
    if (this.#images.length === 0) return;
    const content = [RESULT_IMAGES, ...this.#images].map(part);
    this.#images = [];
    this.#bridge("user");
    this.#messages.push({ role: "user", content });
  }

  /** Some templates know no way from a result to a person but through the model. */
  #bridge(role: string): void {
    if (!this.compat.requiresAssistantAfterToolResult || role === "assistant") return;
    if (this.#messages.at(-1)?.role === "tool") this.#messages.push(BRIDGE);
  }
}

const RESULT_IMAGES: TextBlock = { type: "text", text: "Images of the tool results above:" };
const BRIDGE: WireMessage = { role: "assistant", content: "(The tool results were read.)" };
const CALLING = "(Tools are called.)";

function leadingInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => !isTextInstruction(message));
  return first === -1 ? messages.length : first;
}

function isTextInstruction(message: Message): boolean {
  if (message.role !== "developer") return false;
  const { content } = message;
  return typeof content === "string" || content.every(({ type }) => type === "text");
}

function instructionText({ content }: Message): string {
  if (typeof content === "string") return content;
  return textOf(content.filter((block) => block.type === "text"));
}

function instructionRole(model: Model, compat: ResolvedCompat): string {
  return compat.supportsDeveloperRole && model.reasoning ? "developer" : "system";
}

function toolMessage(
  message: Extract<Message, { role: "toolResult" }>,
  blocks: readonly (TextBlock | ImageBlock)[],
  wireId: (id: string) => string,
  compat: ResolvedCompat,
): WireMessage {
  return {
    role: "tool",
    tool_call_id: wireId(message.toolCallId),
    ...(compat.requiresToolResultName && { name: message.toolName }),
    content: textOf(blocks) || (blocks.length > 0 ? "(image below)" : "(no output)"),
  } as WireMessage;
}

const plainMessage = writtenOnce(function plainMessage(
  message: Exclude<Message, { role: "toolResult" }>,
  model,
  wireId,
): readonly WireMessage[] {
  const compat = compatFor(model);
  if (message.role === "assistant") return assistantMessage(message, model, wireId, compat);
  const blocks = blocksOf(message.content, model);
  if (blocks.length === 0) return [];
  const isText = blocks.every((block) => block.type === "text");
  // A template that takes one system message takes none in the middle either.
  const isInstruction =
    message.role === "developer" && isText && compat.supportsMultipleSystemMessages;
  const role = isInstruction ? instructionRole(model, compat) : "user";
  return [{ role, content: isText ? textOf(blocks) : blocks.map(part) }];
});

function assistantMessage(
  message: AssistantMessage,
  model: Model,
  wireId: (id: string) => string,
  compat: ResolvedCompat,
): WireMessage[] {
  const thoughts = compat.requiresThinkingAsText ? thoughtsAsText(message) : "";
  const said = textOf(message.content.filter((block) => block.type === "text"));
  const text = [thoughts, said].filter((piece) => piece !== "").join("\n");
  const calls = message.content
    .filter((block) => block.type === "toolCall")
    .map(({ id, name, arguments: args }) => ({
      id: wireId(id),
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
  if (text === "" && calls.length === 0) return [];
  const silent = compat.requiresAssistantContentForToolCalls ? CALLING : null;
  return [
    {
      role: "assistant",
      content: text || silent,
      ...(!compat.requiresThinkingAsText && thoughtFields(message, isOwn(message, model), compat)),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/** Exactly nine letters and digits, the same for a call and its result. */
function mistralId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return Bun.hash(id).toString(36).padStart(9, "0").slice(-9);
}

function textOf(blocks: readonly (TextBlock | ImageBlock)[]): string {
  return blocks
    .filter((block) => block.type === "text")
    .map(({ text }) => text)
    .join("\n");
}

function part(block: TextBlock | ImageBlock): object {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "image_url", image_url: { url: `data:${block.mimeType};base64,${block.data}` } };
}
