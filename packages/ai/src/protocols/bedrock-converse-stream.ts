/** Amazon Bedrock Converse: POST /model/<id>/converse-stream. */

import type { ProviderError } from "../schema/fault.ts";
import type { AssistantMessage, ImageBlock, Message, TextBlock } from "../schema/message.ts";
import type { Model, ModelRequest, ToolChoice } from "../schema/model.ts";
import type { TokenCounts } from "../schema/usage.ts";
import { toolParameters } from "../tool-schema/index.ts";
import { awsEventFrames } from "../transport/aws-event-stream.ts";
import type { Frame } from "../transport/frame.ts";
import { claudeThinking, INTERLEAVED_BETA, type ClaudeThinking } from "./claude-thinking.ts";
import {
  cutOff,
  malformed,
  refused,
  responseFailure,
  streamFailure,
  type FailedResponse,
} from "./failure.ts";
import { parseFrame } from "./frame-json.ts";
import { blocksOf, inTwoSides, isOwn, toolIds, writtenOnce } from "./history.ts";
import type { GoodStop, MessageBuilder } from "./message-builder.ts";
import type { Decoder, Protocol } from "./protocol.ts";
import { samplingAs } from "./sampling.ts";
import { systemBlocks } from "./system-prompt.ts";

export const bedrockConverseStream: Protocol = {
  id: "bedrock-converse-stream",
  // Ids have colons, and those of inference profiles slashes.
  path: ({ id }) => `/model/${encodeURIComponent(id)}/converse-stream`,
  // Without a key the request is signed by whoever has the credentials.
  headers: (_request, apiKey) => ({
    accept: "application/vnd.amazon.eventstream",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  }),
  body,
  framing: awsEventFrames,
  decoder: (out) => new BedrockDecoder(out),
  failure,
  responseIdHeader: "x-amzn-requestid",
};

/** Every block is an object with one key, which is its kind. */
type SourceBlock =
  | { readonly text: string }
  | { readonly image: { readonly format: string; readonly source: { readonly bytes: string } } };
type UserBlock =
  | SourceBlock
  | CachePoint
  | {
      readonly toolResult: {
        readonly toolUseId: string;
        readonly content: readonly SourceBlock[];
        readonly status: "success" | "error";
      };
    };
interface CachePoint {
  readonly cachePoint: { readonly type: "default"; readonly ttl?: "1h" };
}

function body(request: ModelRequest): object {
  const { model, messages } = request;
  const thinking = claudeThinking(request);
  const extra = modelFields(model, thinking);
  const caches = cachePoints(request);
  const system = systemBlocks(request);
  // There are four cache points. One after the first block covers the tools, which stand before it.
  const toolCaches = system.length > 1 ? [] : caches.tools;
  return {
    ...(system.length > 0 && { system: systemWith(system, caches.prompt) }),
    messages: wireMessages(messages, model, caches.prompt),
    inferenceConfig: { maxTokens: thinking.maxTokens, ...samplingAs(SAMPLING, thinking.sampling) },
    ...toolConfig(request, thinking.toolChoice, toolCaches),
    ...(extra && { additionalModelRequestFields: extra }),
    ...model.compat?.extraBody,
  };
}

const SAMPLING = { temperature: "temperature", topP: "topP" };

function systemWith(blocks: readonly string[], cache: readonly CachePoint[]): readonly object[] {
  const [first, ...rest] = blocks.map((text) => ({ text }));
  return rest.length === 0 ? [first!, ...cache] : [first!, ...cache, ...rest, ...cache];
}

/** What only the vendor of the model understands is passed through to it. */
function modelFields(model: Model, thinking: ClaudeThinking): object | undefined {
  if (!isClaude(model)) return undefined;
  const { fields, needsInterleavedBeta, sampling } = thinking;
  const beta = needsInterleavedBeta && { anthropic_beta: [INTERLEAVED_BETA] };
  const all = { ...fields, ...beta, ...samplingAs({ topK: "top_k" }, sampling) };
  return Object.keys(all).length > 0 ? all : undefined;
}

function isClaude({ id, name }: Model): boolean {
  // The id of an application's own profile says nothing; its name may.
  return /claude/i.test(id) || /claude/i.test(name);
}

/** Claudes that know no caches. A request with a cache point is refused where there are none. */
const WITHOUT_CACHE = /claude-(v2|instant|3-(opus|sonnet|haiku)|3-5-sonnet-20240620)/;

function cachePoints({ model, cacheRetention }: ModelRequest): {
  readonly prompt: readonly CachePoint[];
  readonly tools: readonly CachePoint[];
} {
  const isCached = isClaude(model) && !WITHOUT_CACHE.test(model.id);
  const ttl = isCached && cacheRetention === "long" && ({ ttl: "1h" } as const);
  const points: readonly CachePoint[] = [{ cachePoint: { type: "default", ...ttl } }];
  if (isCached) return { prompt: points, tools: points };
  return { prompt: /amazon\.nova-/.test(model.id) ? points : [], tools: [] };
}

function toolConfig(
  { tools, messages }: ModelRequest,
  choice: ToolChoice,
  cache: readonly CachePoint[],
): object {
  const specs = tools.map((tool) => {
    const { parameters } = toolParameters("bedrock", tool);
    // An empty description is refused.
    const description = tool.description || tool.name;
    return { toolSpec: { name: tool.name, description, inputSchema: { json: parameters } } };
  });
  if (specs.length > 0) return { toolConfig: { tools: [...specs, ...cache], ...choiceOf(choice) } };
  const called = calledTools(messages);
  return called.length > 0 ? { toolConfig: { tools: called } } : {};
}

/** A history with tool calls is refused without tools: those that were called stand in. */
function calledTools(messages: readonly Message[]): readonly object[] {
  const blocks = messages.flatMap((message) =>
    message.role === "assistant" ? message.content : [],
  );
  const names = new Set(blocks.flatMap((block) => (block.type === "toolCall" ? block.name : [])));
  const inputSchema = { json: { type: "object", properties: {} } };
  return [...names].map((name) => ({ toolSpec: { name, description: name, inputSchema } }));
}

/** There is no word for "none". */
function choiceOf(choice: ToolChoice): { readonly toolChoice?: object } {
  switch (choice) {
    case "auto":
    case "none":
      return {};
    case "required":
      return { toolChoice: { any: {} } };
    default:
      return { toolChoice: { tool: { name: choice.name } } };
  }
}

function wireMessages(
  messages: readonly Message[],
  model: Model,
  cache: readonly CachePoint[],
): readonly object[] {
  const wireId = toolIds(messages, model, /^[a-zA-Z0-9_-]{1,64}$/, 64);
  return inTwoSides<UserBlock>(messages, {
    answer: (message) => assistantBlocks(message, model, wireId),
    user: (message) => userBlocks(message, model, wireId),
    isResult: (block) => "toolResult" in block,
    mark: (content) => [...content, ...cache],
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
      return blocks.map((block) =>
        "text" in block ? { text: `<system-reminder>\n${block.text}\n</system-reminder>` } : block,
      );
    case "toolResult": {
      const toolUseId = wireId(message.toolCallId);
      const content = blocks.length > 0 ? blocks : [{ text: "(no output)" }];
      return [
        { toolResult: { toolUseId, content, status: message.isError ? "error" : "success" } },
      ];
    }
  }
});

function sourceBlock(block: TextBlock | ImageBlock): SourceBlock {
  if (block.type === "text") return { text: block.text };
  const format = block.mimeType.replace(/^image\//, "").replace(/^jpg$/, "jpeg");
  return { image: { format, source: { bytes: block.data } } };
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
        return block.text.trim() === "" ? [] : { text: block.text };
      case "toolCall":
        return {
          toolUse: { toolUseId: wireId(block.id), name: block.name, input: block.arguments },
        };
      case "thinking": {
        const { thinking: text, thinkingSignature: signature, redacted } = block;
        if (!own || !signature) return [];
        if (redacted) return { reasoningContent: { redactedContent: signature } };
        return { reasoningContent: { reasoningText: { text, signature } } };
      }
    }
  });
});

interface WireUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}
interface WireDelta {
  readonly text?: string;
  readonly toolUse?: { readonly input?: string };
  readonly reasoningContent?: {
    readonly text?: string;
    readonly signature?: string;
    readonly redactedContent?: string;
  };
}
interface WireEvent {
  readonly contentBlockIndex?: number;
  readonly start?: { readonly toolUse?: { readonly toolUseId?: string; readonly name?: string } };
  readonly delta?: WireDelta;
  readonly stopReason?: string;
  readonly usage?: WireUsage;
  readonly message?: string;
}

class BedrockDecoder implements Decoder {
  #stop: GoodStop | undefined;

  constructor(private readonly out: MessageBuilder) {}

  frame(frame: Frame): void {
    if (frame.isError) throw exceptionIn(frame);
    const event = parseFrame<WireEvent>(frame);
    const index = event.contentBlockIndex ?? 0;
    switch (frame.event) {
      case "contentBlockStart":
        return this.#startBlock(index, event);
      case "contentBlockDelta":
        return this.#growBlock(index, event.delta ?? {});
      case "contentBlockStop":
        return this.out.endBlock(index);
      case "messageStop":
        // The tokens come afterwards.
        this.#stop = stopOf(event.stopReason);
        return;
      case "metadata":
        this.out.tokens(countsOf(event.usage));
        if (this.#stop) this.out.stop(this.#stop);
        return;
      default:
        // The start of the message, which says nothing new, and kinds of events to come.
        return;
    }
  }

  end(): void {
    if (this.#stop === undefined) throw cutOff();
    this.out.stop(this.#stop);
  }

  /** Only tool calls are announced; text and thoughts begin with their first piece. */
  #startBlock(index: number, { start }: WireEvent): void {
    if (!start?.toolUse) return;
    const { toolUseId: id, name } = start.toolUse;
    if (!id || !name) throw malformed("A tool call came without id or name");
    this.out.toolCall(index, { id, name });
  }

  #growBlock(index: number, { text, toolUse, reasoningContent }: WireDelta): void {
    if (text !== undefined) return this.out.text(index, text);
    if (toolUse) return this.out.toolArguments(index, toolUse.input ?? "");
    if (!reasoningContent) return;
    const { text: thought, signature, redactedContent } = reasoningContent;
    if (redactedContent !== undefined) return this.out.hiddenThinking(index, redactedContent);
    this.out.thinking(index, thought ?? "");
    this.out.signature(index, signature ?? "");
  }
}

/** Statuses of the errors that say it is not the server's fault, or that it is busy. */
const STATUS_BY_EXCEPTION: Readonly<Record<string, number>> = {
  accessDeniedException: 403,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
};

function exceptionIn(frame: Frame): ProviderError {
  const type = frame.event ?? "exception";
  const { message } = parseFrame<WireEvent>(frame);
  return streamFailure({ type, message, code: STATUS_BY_EXCEPTION[type] });
}

/** The vendor names the error in a header, and says "failed dependency" when a model failed. */
function failure(response: FailedResponse): ProviderError {
  const [type = ""] = (response.headers.get("x-amzn-errortype") ?? "").split(":");
  const status = response.status === 424 ? 503 : response.status;
  const message = messageIn(response.text);
  if (message === undefined) return responseFailure({ ...response, status });
  return responseFailure({ ...response, status, text: JSON.stringify({ type, message }) });
}

/** Some of its gates write the name with a capital. */
function messageIn(text: string): string | undefined {
  try {
    const { message, Message: fromGate = message } = JSON.parse(text) as Record<string, unknown>;
    return typeof fromGate === "string" ? fromGate : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function countsOf(usage: WireUsage = {}): Partial<TokenCounts> {
  const counts = {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheWrite: usage.cacheWriteInputTokens,
  };
  return Object.fromEntries(
    Object.entries(counts).filter(([, count]) => typeof count === "number"),
  );
}

function stopOf(reason: string | undefined): GoodStop {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "tool_use":
      return "toolUse";
    case "guardrail_intervened":
    case "content_filtered":
      throw refused(reason);
    default:
      throw malformed(`The answer ended for a reason that is not known: ${reason ?? "none"}`);
  }
}
