/** Anthropic Messages: POST /v1/messages. */

import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../schema/message.ts";
import type { ProviderError } from "../schema/fault.ts";
import type { Model, ModelRequest, ToolChoice, ToolSchema } from "../schema/model.ts";
import type { TokenCounts } from "../schema/usage.ts";
import type { Frame } from "../transport/frame.ts";
import { sseFrames } from "../transport/sse.ts";
import { toolParameters } from "../tool-schema/index.ts";
import { claudeThinking, INTERLEAVED_BETA } from "./claude-thinking.ts";
import {
  cutOff,
  malformed,
  refused,
  responseFailure,
  streamFailure,
  type WireError,
} from "./failure.ts";
import { parseFrame } from "./frame-json.ts";
import { blocksOf, inTwoSides, isOwn, toolIds, writtenOnce } from "./history.ts";
import type { GoodStop, MessageBuilder } from "./message-builder.ts";
import { isOpenRouter, withVariant } from "./openrouter.ts";
import type { Decoder, Protocol } from "./protocol.ts";
import { samplingAs } from "./sampling.ts";
import { systemBlocks } from "./system-prompt.ts";
import { isTooStrictText } from "./too-strict.ts";

export const anthropicMessages: Protocol = {
  id: "anthropic-messages",
  // The base URL of a gateway often ends with the version that OpenAI's clients leave to it.
  path: ({ baseUrl }) => (/\/v1\/*$/.test(baseUrl) ? "/messages" : "/v1/messages"),
  headers,
  body,
  framing: sseFrames,
  decoder: (out) => new AnthropicDecoder(out),
  failure: responseFailure,
  again: withoutStrict,
};

const OAUTH_BETA = "oauth-2025-04-20";

/** Tokens of a login are sent differently from keys; their prefix tells them apart. */
function headers(
  request: ModelRequest,
  apiKey: string | undefined,
): Readonly<Record<string, string>> {
  const isToken = apiKey?.startsWith("sk-ant-oat") ?? false;
  const betas = [
    ...(isToken ? [OAUTH_BETA] : []),
    ...(claudeThinking(request).needsInterleavedBeta ? [INTERLEAVED_BETA] : []),
  ];
  return {
    "anthropic-version": "2023-06-01",
    accept: "text/event-stream",
    ...(apiKey && (isToken ? { authorization: `Bearer ${apiKey}` } : { "x-api-key": apiKey })),
    ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }),
  };
}

interface CacheControl {
  readonly type: "ephemeral";
  readonly ttl?: "1h";
}
interface CacheMark {
  cache_control?: CacheControl;
}
type SourceBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: {
        readonly type: "base64";
        readonly media_type: string;
        readonly data: string;
      };
    };
type UserBlock = CacheMark &
  (
    | SourceBlock
    | {
        readonly type: "tool_result";
        readonly tool_use_id: string;
        readonly content: readonly SourceBlock[];
        readonly is_error: boolean;
      }
  );

function body(request: ModelRequest): object {
  const { model, messages } = request;
  const { fields, maxTokens, toolChoice, sampling } = claudeThinking(request);
  const tools = request.tools.map((tool) => wireTool(tool, model));
  const mark = cacheControl(request);
  const system = systemBlocks(request).map((text) => ({ type: "text", text }));
  // There are four marks. Tools stand before the system prompt, so the mark of its first block covers them.
  const isTwice = system.length > 1;
  return {
    model: isOpenRouter(model) ? withVariant(model, model.compat ?? {}) : model.id,
    max_tokens: maxTokens,
    stream: true,
    ...samplingAs(SAMPLING, sampling),
    ...fields,
    ...(isTwice && {
      system: [...marked(system.slice(0, 1), mark), ...marked(system.slice(1), mark)],
    }),
    ...(system.length === 1 && { system: marked(system, mark) }),
    ...(tools.length > 0 && {
      tools: isTwice ? tools : marked(tools, mark),
      ...choiceOf(toolChoice),
    }),
    messages: wireMessages(messages, model, mark),
    ...model.compat?.extraBody,
  };
}

const SAMPLING = { temperature: "temperature", topP: "top_p", topK: "top_k" };

/** Strict schemas become one grammar, which must stay small: these tools are used most. */
const STRICT_TOOLS: ReadonlySet<string> = new Set(["bash", "python", "edit", "find"]);

function wireTool(tool: ToolSchema, model: Model): object {
  const { name, description } = tool;
  const { parameters, strict } = toolParameters("anthropic", tool, {
    strict: isStrict(tool, model),
  });
  return { name, description, input_schema: parameters, ...(strict && { strict }) };
}

function isStrict({ name, strict = true }: ToolSchema, model: Model): boolean {
  return strict && STRICT_TOOLS.has(name) && !model.disableStrictTools;
}

/** The same request, in which no tool is strict: the grammar was too large. */
function withoutStrict(request: ModelRequest, error: ProviderError): ModelRequest | undefined {
  if (error.fault.kind !== "invalid-request" || !isTooStrictText(error.message)) return undefined;
  if (!request.tools.some((tool) => isStrict(tool, request.model))) return undefined;
  return { ...request, tools: request.tools.map((tool) => ({ ...tool, strict: false })) };
}

function choiceOf(choice: ToolChoice): { readonly tool_choice?: object } {
  switch (choice) {
    case "auto":
      return {};
    case "none":
      return { tool_choice: { type: "none" } };
    case "required":
      return { tool_choice: { type: "any" } };
    default:
      return { tool_choice: { type: "tool", name: choice.name } };
  }
}

/** Those who copy the API know the short cache at best. */
function cacheControl({ model, cacheRetention }: ModelRequest): CacheControl {
  const isLong = cacheRetention === "long" && model.provider === "anthropic";
  return isLong ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
}

/** Everything up to the last block is to be cached. */
function marked<Block extends object>(
  blocks: readonly Block[],
  cache_control: CacheControl,
): (Block & CacheMark)[] {
  const last = blocks.length - 1;
  return blocks.map((block, index) => (index === last ? { ...block, cache_control } : block));
}

function wireMessages(
  messages: readonly Message[],
  model: Model,
  mark: CacheControl,
): readonly object[] {
  const wireId = toolIds(messages, model, /^[a-zA-Z0-9_-]{1,64}$/, 64);
  return inTwoSides<UserBlock>(messages, {
    answer: (message) => assistantBlocks(message, model, wireId),
    user: (message) => userBlocks(message, model, wireId),
    isResult: ({ type }) => type === "tool_result",
    mark: (content) => marked(content, mark),
  });
}

const userBlocks = writtenOnce(function userBlocks(
  message: Exclude<Message, AssistantMessage>,
  model,
  wireId,
): readonly UserBlock[] {
  const blocks = blocksOf(message.content, model).map(sourceBlock);
  switch (message.role) {
    case "user":
      return blocks;
    case "developer":
      return blocks.map((block) => (block.type === "text" ? reminder(block.text) : block));
    case "toolResult":
      return [
        {
          type: "tool_result",
          tool_use_id: wireId(message.toolCallId),
          // A failed result without content is refused.
          content: blocks.length > 0 ? blocks : [{ type: "text", text: "(no output)" }],
          is_error: message.isError,
        },
      ];
  }
});

function sourceBlock(block: TextBlock | ImageBlock): SourceBlock {
  if (block.type === "text") return { type: "text", text: block.text };
  const { mimeType, data } = block;
  return { type: "image", source: { type: "base64", media_type: mimeType, data } };
}

/** The API has no role for the program: its words go in the user's, marked as what they are. */
function reminder(text: string): SourceBlock {
  return { type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` };
}

const assistantBlocks = writtenOnce(function assistantBlocks(
  message: AssistantMessage,
  model,
  wireId,
): readonly object[] {
  const own = isOwn(message, model);
  return message.content.flatMap((block): object | [] => {
    switch (block.type) {
      case "text":
        return block.text.trim() === "" ? [] : { type: "text", text: block.text };
      case "toolCall": {
        const { id, name, arguments: input } = block;
        return { type: "tool_use", id: wireId(id), name, input };
      }
      case "thinking": {
        const { thinking, thinkingSignature: signature, redacted } = block;
        if (!own || !signature) return [];
        if (redacted) return { type: "redacted_thinking", data: signature };
        return { type: "thinking", thinking, signature };
      }
    }
  });
});

interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}
interface WireBlock {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly data?: string;
  readonly id?: string;
  readonly name?: string;
  readonly partial_json?: string;
}
interface WireEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: { readonly id?: string; readonly usage?: WireUsage };
  readonly content_block?: WireBlock;
  readonly delta?: WireBlock & {
    readonly stop_reason?: string | null;
    readonly stop_details?: { readonly explanation?: string | null } | null;
  };
  readonly usage?: WireUsage;
  readonly error?: WireError;
}

class AnthropicDecoder implements Decoder {
  #stopReason: string | undefined;
  #explanation: string | undefined;

  constructor(private readonly out: MessageBuilder) {}

  frame(frame: Frame): void {
    const event = parseFrame<WireEvent>(frame);
    switch (event.type) {
      case "message_start":
        if (event.message?.id) this.out.responseId(event.message.id);
        return this.out.tokens(countsOf(event.message?.usage));
      case "content_block_start":
        return this.#startBlock(event.index ?? 0, event.content_block ?? {});
      case "content_block_delta":
        return this.#growBlock(event.index ?? 0, event.delta ?? {});
      case "content_block_stop":
        return this.out.endBlock(event.index ?? 0);
      case "message_delta":
        this.#stopReason = event.delta?.stop_reason ?? this.#stopReason;
        this.#explanation = event.delta?.stop_details?.explanation ?? this.#explanation;
        return this.out.tokens(countsOf(event.usage));
      case "message_stop":
        return this.out.stop(stopOf(this.#stopReason, this.#explanation));
      case "error":
        throw streamFailure(event.error ?? {});
      default:
        // Pings, and kinds of events to come, which the vendor asks clients to pass over.
        return;
    }
  }

  end(): void {
    throw cutOff();
  }

  /** Blocks of kinds that were not asked for are passed over, with their deltas. */
  #startBlock(index: number, block: WireBlock): void {
    switch (block.type) {
      case "text":
        return this.out.text(index, block.text ?? "");
      case "thinking":
        this.out.thinking(index, block.thinking ?? "");
        return this.out.signature(index, block.signature ?? "");
      case "redacted_thinking":
        return this.out.hiddenThinking(index, block.data ?? "");
      case "tool_use":
        if (!block.id || !block.name) throw malformed("A tool call came without id or name");
        return this.out.toolCall(index, { id: block.id, name: block.name });
      default:
        return;
    }
  }

  #growBlock(index: number, delta: WireBlock): void {
    if (!this.out.isOpen(index)) return;
    switch (delta.type) {
      case "text_delta":
        return this.out.text(index, delta.text ?? "");
      case "thinking_delta":
        return this.out.thinking(index, delta.thinking ?? "");
      case "signature_delta":
        return this.out.signature(index, delta.signature ?? "");
      case "input_json_delta":
        return this.out.toolArguments(index, delta.partial_json ?? "");
      default:
        return;
    }
  }
}

function countsOf(usage: WireUsage = {}): Partial<TokenCounts> {
  const counts = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
  };
  return Object.fromEntries(
    Object.entries(counts).filter(([, count]) => typeof count === "number"),
  );
}

function stopOf(reason: string | undefined, explanation: string | undefined): GoodStop {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
    case "pause_turn":
      return "stop";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "tool_use":
      return "toolUse";
    case "refusal":
    case "safety":
    case "sensitive":
      throw refused(explanation ?? reason);
    default:
      throw malformed(`The answer ended for a reason that is not known: ${reason ?? "none"}`);
  }
}
