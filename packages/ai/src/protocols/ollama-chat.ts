/** Ollama's own chat: POST /api/chat, answered in JSON lines. */

import type { ProviderError } from "../schema/fault.ts";
import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../schema/message.ts";
import type { Model, ModelRequest } from "../schema/model.ts";
import type { TokenCounts } from "../schema/usage.ts";
import type { Frame } from "../transport/frame.ts";
import { ndjsonFrames } from "../transport/ndjson.ts";
import { toolParameters } from "../tool-schema/index.ts";
import { cutOff, malformed, noRoom, responseFailure, streamFailure } from "./failure.ts";
import { parseFrame } from "./frame-json.ts";
import { blocksOf, isOwn, toolIds, writtenOnce } from "./history.ts";
import type { GoodStop, MessageBuilder } from "./message-builder.ts";
import type { Decoder, Protocol } from "./protocol.ts";
import { FULL, samplingAs } from "./sampling.ts";
import { systemText } from "./system-prompt.ts";

export const ollamaChat: Protocol = {
  id: "ollama-chat",
  path: () => "/api/chat",
  headers: (_request, apiKey) => ({
    accept: "application/x-ndjson",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }),
  body,
  framing: ndjsonFrames,
  decoder: (out) => new OllamaDecoder(out),
  failure: responseFailure,
};

interface WireMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly object[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

function body(request: ModelRequest): object {
  const { model, messages, tools, toolChoice } = request;
  const wireTools = tools.map((tool) => ({
    type: "function",
    function: {
      name: tool.name,
      description: tool.description,
      parameters: toolParameters("ollama", tool).parameters,
    },
  }));
  const system: WireMessage = { role: "system", content: systemText(request) };
  return {
    model: model.id,
    stream: true,
    ...(model.reasoning && { think: thinkOf(request) }),
    // The wire cannot ask for a tool; it can only leave them out.
    ...(wireTools.length > 0 && toolChoice !== "none" && { tools: wireTools }),
    messages: [...(system.content ? [system] : []), ...wireMessages(messages, model)],
    ...optionsOf(request),
    ...model.compat?.extraBody,
  };
}

const SAMPLING = { ...FULL, repetitionPenalty: "repeat_penalty" };

/** Never `num_ctx`: how much the server keeps in memory is for its owner to say. */
function optionsOf({ model, maxTokens, sampling }: ModelRequest): { readonly options?: object } {
  const options = {
    ...(!model.compat?.omitsMaxTokens && { num_predict: maxTokens ?? model.maxTokens }),
    ...samplingAs(SAMPLING, sampling),
  };
  return Object.keys(options).length > 0 ? { options } : {};
}

/** Some models take a word for how hard to think; the others think or they do not. */
function thinkOf({ model, thinking = "off" }: ModelRequest): boolean | string {
  if (thinking === "off") return false;
  if (model.thinking?.mode !== "effort") return true;
  switch (thinking) {
    case "minimal":
    case "low":
      return "low";
    case "medium":
      return "medium";
    case "high":
    case "xhigh":
      return "high";
  }
}

function wireMessages(messages: readonly Message[], model: Model): WireMessage[] {
  const wireId = toolIds(messages, model, /^[a-zA-Z0-9_-]{1,64}$/, 64);
  const wire: WireMessage[] = [];
  let images: ImageBlock[] = [];
  // Templates of many models show a tool's text only; its images follow when the row of results is complete.
  const flushImages = () => {
    if (images.length > 0) {
      wire.push({ role: "user", content: RESULT_IMAGES, ...imagesOf(images) });
    }
    images = [];
  };
  for (const message of messages) {
    if (message.role !== "toolResult") flushImages();
    wire.push(...wireMessage(message, model, wireId));
    if (message.role !== "toolResult") continue;
    const blocks = blocksOf(message.content, model);
    images.push(...blocks.filter((block) => block.type === "image"));
  }
  flushImages();
  return wire;
}

const RESULT_IMAGES = "Images of the tool results above:";

const wireMessage = writtenOnce(function wireMessage(
  message: Message,
  model,
  wireId,
): readonly WireMessage[] {
  if (message.role === "assistant") return assistantMessage(message, model, wireId);
  const blocks = blocksOf(message.content, model);
  const text = textOf(blocks);
  if (message.role === "toolResult") {
    return [
      {
        role: "tool",
        content: text || (blocks.length > 0 ? "(image below)" : "(no output)"),
        tool_name: message.toolName,
        tool_call_id: wireId(message.toolCallId),
      },
    ];
  }
  if (blocks.length === 0) return [];
  const isProgram = message.role === "developer" && blocks.every(({ type }) => type === "text");
  return [{ role: isProgram ? "system" : "user", content: text, ...imagesOf(blocks) }];
});

function assistantMessage(
  message: AssistantMessage,
  model: Model,
  wireId: (id: string) => string,
): WireMessage[] {
  const content = textOf(message.content.filter((block) => block.type === "text"));
  const thinking = message.content
    .filter((block) => block.type === "thinking")
    .map((block) => block.thinking)
    .join("\n");
  const calls = message.content
    .filter((block) => block.type === "toolCall")
    .map(({ id, name, arguments: args }) => ({
      id: wireId(id),
      function: { name, arguments: args },
    }));
  if (content === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content,
      ...(thinking && isOwn(message, model) && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

function textOf(blocks: readonly (TextBlock | ImageBlock)[]): string {
  return blocks
    .filter((block) => block.type === "text")
    .map(({ text }) => text)
    .join("\n");
}

function imagesOf(blocks: readonly (TextBlock | ImageBlock)[]): { images?: string[] } {
  const images = blocks.filter((block) => block.type === "image").map(({ data }) => data);
  return images.length > 0 ? { images } : {};
}

interface WireCall {
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: unknown };
}
interface WireLine {
  readonly message?: {
    readonly content?: string | null;
    readonly thinking?: string | null;
    readonly tool_calls?: readonly WireCall[] | null;
  };
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  readonly error?: unknown;
}

class OllamaDecoder implements Decoder {
  #id = "";
  #open: "text" | "thinking" | undefined;
  #calls = 0;
  #hasAnswered = false;

  constructor(private readonly out: MessageBuilder) {}

  frame(frame: Frame): void {
    const line = parseFrame<WireLine>(frame);
    if (line.error) throw errorOf(line.error);
    // Lines carry the time they were made at: the first one is like no other.
    this.#id ||= Bun.hash(frame.data).toString(36);
    const { thinking, content, tool_calls: calls } = line.message ?? {};
    if (thinking) this.#grow("thinking", thinking);
    if (content) this.#grow("text", content);
    for (const call of calls ?? []) this.#call(call);
    if (!line.done) return;
    this.out.tokens(countsOf(line));
    this.out.stop(stopOf(line.done_reason, this.#hasAnswered));
  }

  end(): void {
    throw cutOff();
  }

  #grow(kind: "text" | "thinking", delta: string): void {
    if (kind === "text") this.#hasAnswered = true;
    this.#switchTo(kind);
    this.out[kind](kind, delta);
  }

  /** A call comes whole, its arguments as an object. */
  #call({ id, function: called }: WireCall): void {
    const name = called?.name;
    if (!name) throw malformed("A tool call came without a name");
    this.#hasAnswered = true;
    this.#switchTo(undefined);
    const number = this.#calls++;
    const key = `call ${number}`;
    this.out.toolCall(key, { id: id || `call_${this.#id}_${number}`, name });
    const args = called.arguments ?? {};
    this.out.toolArguments(key, typeof args === "string" ? args : JSON.stringify(args));
    this.out.endBlock(key);
  }

  #switchTo(kind: "text" | "thinking" | undefined): void {
    if (this.#open && this.#open !== kind) this.out.endBlock(this.#open);
    this.#open = kind;
  }
}

function errorOf(error: unknown): ProviderError {
  return streamFailure(typeof error === "string" ? { message: error } : { ...(error as object) });
}

/** The server does not say what came from its cache. */
function countsOf({ prompt_eval_count, eval_count }: WireLine): Partial<TokenCounts> {
  return { input: prompt_eval_count ?? 0, output: eval_count ?? 0 };
}

function stopOf(reason: string | undefined, hasAnswered: boolean): GoodStop {
  switch (reason) {
    case undefined:
    case "stop":
      return "stop";
    case "length":
      if (hasAnswered) return "length";
      throw noRoom();
    default:
      throw malformed(`The answer ended for a reason that is not known: ${reason}`);
  }
}
