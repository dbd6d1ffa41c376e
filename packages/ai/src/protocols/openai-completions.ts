/** OpenAI Chat Completions, and the many servers that speak it: POST /chat/completions. */

import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../schema/message.ts";
import type { Model, ModelRequest } from "../schema/model.ts";
import type { TokenCounts } from "../schema/usage.ts";
import type { Frame } from "../transport/frame.ts";
import { sseFrames } from "../transport/sse.ts";
import {
  cutOff,
  malformed,
  refused,
  responseFailure,
  streamFailure,
  type WireError,
} from "./failure.ts";
import { parseFrame } from "./frame-json.ts";
import { blocksOf, isOwn, toolIds, writtenOnce } from "./history.ts";
import type { GoodStop, MessageBuilder } from "./message-builder.ts";
import type { Decoder, Protocol } from "./protocol.ts";

export const openaiCompletions: Protocol = {
  id: "openai-completions",
  path: () => "/chat/completions",
  headers: (_request, apiKey) => ({
    accept: "text/event-stream",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }),
  body,
  framing: sseFrames,
  decoder: (out) => new OpenaiDecoder(out),
  failure: responseFailure,
};

function body({ model, systemPrompt, messages, tools }: ModelRequest): object {
  const wireTools = tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  const system = { role: instructionRole(model), content: systemPrompt };
  return {
    model: model.id,
    stream: true,
    stream_options: { include_usage: true },
    [limitField(model)]: model.maxTokens,
    ...(wireTools.length > 0 && { tools: wireTools }),
    messages: [...(systemPrompt ? [system] : []), ...wireMessages(messages, model)],
  };
}

/** The vendor's reasoning models take only the new name; other servers often know only the old one. */
function limitField(model: Model): string {
  return model.provider === "openai" ? "max_completion_tokens" : "max_tokens";
}

function instructionRole(model: Model): string {
  return model.provider === "openai" && model.reasoning ? "developer" : "system";
}

function wireMessages(messages: readonly Message[], model: Model): object[] {
  const wireId = toolIds(messages, model, /^[a-zA-Z0-9_-]{1,40}$/, 40);
  const wire: object[] = [];
  let images: ImageBlock[] = [];
  // A tool message holds text only; its images follow when the row of results is complete.
  const flushImages = () => {
    if (images.length > 0)
      wire.push({ role: "user", content: [RESULT_IMAGES, ...images].map(part) });
    images = [];
  };
  for (const message of messages) {
    if (message.role === "toolResult") {
      const blocks = blocksOf(message.content, model);
      images.push(...blocks.filter((block) => block.type === "image"));
      wire.push({
        role: "tool",
        tool_call_id: wireId(message.toolCallId),
        content: textOf(blocks) || (blocks.length > 0 ? "(image below)" : "(no output)"),
      });
      continue;
    }
    flushImages();
    wire.push(...plainMessage(message, model, wireId));
  }
  flushImages();
  return wire;
}

const RESULT_IMAGES: TextBlock = { type: "text", text: "Images of the tool results above:" };

const plainMessage = writtenOnce(function plainMessage(
  message: Exclude<Message, { role: "toolResult" }>,
  model,
  wireId,
): readonly object[] {
  if (message.role === "assistant") return assistantMessage(message, model, wireId);
  const blocks = blocksOf(message.content, model);
  if (blocks.length === 0) return [];
  const isText = blocks.every((block) => block.type === "text");
  const role = message.role === "developer" && isText ? instructionRole(model) : "user";
  return [{ role, content: isText ? textOf(blocks) : blocks.map(part) }];
});

function assistantMessage(
  message: AssistantMessage,
  model: Model,
  wireId: (id: string) => string,
): object[] {
  const text = textOf(message.content.filter((block) => block.type === "text"));
  const calls = message.content
    .filter((block) => block.type === "toolCall")
    .map(({ id, name, arguments: args }) => ({
      id: wireId(id),
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
  if (text === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text || null,
      ...(isOwn(message, model) && thoughtsOf(message)),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/** Servers that show thoughts want them back in the field they came in: it is kept as the signature. */
function thoughtsOf(message: AssistantMessage): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const block of message.content) {
    if (block.type !== "thinking" || !block.thinkingSignature) continue;
    fields[block.thinkingSignature] = (fields[block.thinkingSignature] ?? "") + block.thinking;
  }
  return fields;
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

interface WireUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
  } | null;
}
interface WireCall {
  readonly index?: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}
interface WireDelta {
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_text?: string | null;
  readonly tool_calls?: readonly WireCall[] | null;
}
interface WireChunk {
  readonly id?: string;
  readonly choices?: readonly {
    readonly delta?: WireDelta | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: WireUsage | null;
  readonly error?: WireError | null;
}

class OpenaiDecoder implements Decoder {
  #id = "";
  #finishReason: string | undefined;
  /** The wire does not number blocks of text and thought: one is open at a time. */
  #openText: "text" | "thinking" | undefined;
  #lastCall: number | undefined;

  constructor(private readonly out: MessageBuilder) {}

  frame(frame: Frame): void {
    if (frame.data.trim() === "[DONE]") return this.end();
    const chunk = parseFrame<WireChunk>(frame);
    if (chunk.error) throw streamFailure(chunk.error);
    if (chunk.id && this.#id === "") this.out.responseId((this.#id = chunk.id));
    if (chunk.usage) this.out.tokens(countsOf(chunk.usage));
    const choice = chunk.choices?.[0];
    if (!choice) return;
    this.#grow(choice.delta ?? {});
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
  }

  /** Usage comes after the finish reason, so only the end of the stream ends the message. */
  end(): void {
    if (this.#finishReason === undefined) throw cutOff();
    this.out.stop(stopOf(this.#finishReason));
  }

  #grow(delta: WireDelta): void {
    const field = THOUGHT_FIELDS.find((name) => delta[name]);
    if (field) this.#growThought(field, delta[field] ?? "");
    const text = delta.content || delta.refusal;
    if (text) this.#growText(text);
    for (const call of delta.tool_calls ?? []) this.#growCall(call);
  }

  #growThought(field: string, delta: string): void {
    const isNew = this.#openText !== "thinking";
    this.#switchTo("thinking");
    this.out.thinking("thinking", delta);
    if (isNew) this.out.signature("thinking", field);
  }

  #growText(delta: string): void {
    this.#switchTo("text");
    this.out.text("text", delta);
  }

  #growCall({ index, id, function: called }: WireCall): void {
    this.#switchTo(undefined);
    // Servers that do not number their calls send each of them whole.
    const key = index ?? (id ? (this.#lastCall ?? -1) + 1 : (this.#lastCall ?? 0));
    if (!this.out.isOpen(key)) this.#startCall(key, id, called?.name);
    if (called?.arguments) this.out.toolArguments(key, called.arguments);
  }

  #startCall(key: number, id: string | undefined, name: string | undefined): void {
    if (!name) throw malformed("A tool call came without a name");
    // The wire does not end calls: the next one does, unless a server sends them side by side.
    const last = this.#lastCall;
    if (last !== undefined && this.out.hasWholeArguments(last)) this.out.endBlock(last);
    this.#lastCall = key;
    this.out.toolCall(key, { id: id || `call_${this.#id}_${key}`, name });
  }

  #switchTo(kind: "text" | "thinking" | undefined): void {
    if (this.#openText && this.#openText !== kind) this.out.endBlock(this.#openText);
    this.#openText = kind;
  }
}

const THOUGHT_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;

/** `prompt_tokens` counts what was read from and written to the cache, too; ours do not. */
function countsOf(usage: WireUsage): TokenCounts {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite),
    output: usage.completion_tokens ?? 0,
    cacheRead,
    cacheWrite,
  };
}

function stopOf(reason: string): GoodStop {
  switch (reason) {
    case "stop":
      return "stop";
    case "length":
      return "length";
    case "tool_calls":
    case "function_call":
      return "toolUse";
    case "content_filter":
      throw refused(reason);
    default:
      throw malformed(`The answer ended for a reason that is not known: ${reason}`);
  }
}
