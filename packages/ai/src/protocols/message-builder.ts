/**
 * The one place that builds an AssistantMessage and tells its growth in legal order. Protocols say
 * what arrived; the order of the events, the arithmetic and the end of the message are made here.
 */

import type { Clock } from "@omp/std";
import type { FinalEvent, ModelEvent } from "../schema/event.ts";
import type { ProviderError } from "../schema/fault.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
} from "../schema/message.ts";
import type { Model } from "../schema/model.ts";
import { NO_TOKENS, usageOf, type TokenCounts } from "../schema/usage.ts";
import { malformed } from "./protocol.ts";
import { ToolArguments } from "./tool-arguments.ts";

/** Names a block while it is open: the wire's index, or a word where the wire has none. */
export type BlockKey = string | number;
export type GoodStop = Extract<FinalEvent, { type: "done" }>["reason"];
type GrowthEvent = Exclude<ModelEvent, FinalEvent>;

type OpenBlock =
  | { readonly index: number; readonly block: TextBlock }
  | { readonly index: number; readonly block: ThinkingBlock }
  | { readonly index: number; readonly block: ToolCallBlock; readonly json: ToolArguments };

export class MessageBuilder {
  readonly #model: Model;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #message: AssistantMessage;
  readonly #open = new Map<BlockKey, OpenBlock>();
  readonly #events: GrowthEvent[] = [];
  #tokens: TokenCounts = NO_TOKENS;
  #stop: GoodStop | undefined;

  /** Time is counted from here: make it when the request is made. */
  constructor(model: Model, clock: Clock) {
    this.#model = model;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#message = {
      role: "assistant",
      content: [],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: usageOf(NO_TOKENS, model.prices),
      stopReason: "stop",
      timestamp: clock.now(),
    };
  }

  /** The events since the last call, oldest first. */
  take(): GrowthEvent[] {
    return this.#events.splice(0);
  }

  /** The provider said that the message is complete; nothing it sends after that counts. */
  get isStopped(): boolean {
    return this.#stop !== undefined;
  }

  /** An empty delta opens the block and says nothing more. */
  text(key: BlockKey, delta: string): void {
    const open = this.#openBlock(key, "text") ?? this.#start(key, { type: "text", text: "" });
    if (open.block.type !== "text" || !this.#hasContent(delta)) return;
    open.block.text += delta;
    this.#emit({ type: "text_delta", delta, ...this.#at(open) });
  }

  thinking(key: BlockKey, delta: string): void {
    const open =
      this.#openBlock(key, "thinking") ?? this.#start(key, { type: "thinking", thinking: "" });
    if (open.block.type !== "thinking" || !this.#hasContent(delta)) return;
    open.block.thinking += delta;
    this.#emit({ type: "thinking_delta", delta, ...this.#at(open) });
  }

  /** Makes no event: a signature is for the provider only. */
  signature(key: BlockKey, delta: string): void {
    const open = this.#openBlock(key, "thinking");
    if (open?.block.type !== "thinking" || !this.#hasContent(delta)) return;
    open.block.thinkingSignature = (open.block.thinkingSignature ?? "") + delta;
  }

  /** A thought that the provider keeps to itself. */
  redactedThinking(key: BlockKey, data: string): void {
    this.#start(key, { type: "thinking", thinking: "", thinkingSignature: data, redacted: true });
  }

  toolCall(key: BlockKey, { id, name }: { id: string; name: string }): void {
    if (this.#openBlock(key, "toolCall")) return;
    this.#start(key, { type: "toolCall", id, name, arguments: {} });
  }

  toolArguments(key: BlockKey, delta: string): void {
    const open = this.#openBlock(key, "toolCall");
    if (!open || !("json" in open)) throw malformed("Tool arguments came before their tool call");
    if (!this.#hasContent(delta)) return;
    open.json.append(delta);
    open.block.arguments = open.json.value;
    this.#emit({ type: "toolcall_delta", delta, ...this.#at(open) });
  }

  /** Whether a call's arguments are a whole JSON object already. */
  hasWholeArguments(key: BlockKey): boolean {
    const open = this.#open.get(key);
    return open !== undefined && "json" in open && open.json.isComplete();
  }

  /** Ending a block that is not open does nothing. */
  endBlock(key: BlockKey): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    if ("json" in open) {
      Object.assign(open.block, open.json.finish());
      return this.#emit({ type: "toolcall_end", toolCall: open.block, ...this.#at(open) });
    }
    if (open.block.type === "text") {
      return this.#emit({ type: "text_end", content: open.block.text, ...this.#at(open) });
    }
    this.#emit({ type: "thinking_end", content: open.block.thinking, ...this.#at(open) });
  }

  /** Counts that are given replace the ones before: providers repeat totals, they do not add. */
  tokens(counts: Partial<TokenCounts>): void {
    this.#tokens = { ...this.#tokens, ...counts };
    this.#message.usage = usageOf(this.#tokens, this.#model.prices);
  }

  responseId(id: string): void {
    this.#message.responseId = id;
  }

  stop(reason: GoodStop): void {
    this.#stop ??= reason;
  }

  /** Call after `stop`. */
  done(): FinalEvent {
    this.#close();
    const hasCalls = this.#message.content.some((block) => block.type === "toolCall");
    // Some providers say "stop" when they mean that they wait for their tools.
    const reason = this.#stop === "stop" && hasCalls ? "toolUse" : (this.#stop ?? "stop");
    this.#message.stopReason = reason;
    return { type: "done", reason, message: this.#message };
  }

  failed(error: ProviderError): FinalEvent {
    this.#close();
    this.#message.stopReason = "error";
    this.#message.errorMessage = error.message;
    if (error.status !== undefined) this.#message.errorStatus = error.status;
    return { type: "error", reason: "error", message: this.#message, fault: error.fault };
  }

  aborted(): FinalEvent {
    this.#close();
    this.#message.stopReason = "aborted";
    this.#message.errorMessage = "Request was aborted";
    return { type: "error", reason: "aborted", message: this.#message };
  }

  #close(): void {
    this.#begin();
    for (const key of [...this.#open.keys()]) this.endBlock(key);
    this.#message.duration = this.#elapsed();
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#events.push({ type: "start", partial: this.#message });
  }
  #hasBegun = false;

  #start(key: BlockKey, block: AssistantBlock): OpenBlock {
    if (this.#open.has(key)) throw malformed(`Block ${key} began twice`);
    this.#message.ttft ??= this.#elapsed();
    const index = this.#message.content.push(block) - 1;
    const open: OpenBlock =
      block.type === "toolCall" ? { index, block, json: new ToolArguments() } : openOf(index, block);
    this.#open.set(key, open);
    this.#emit({ type: STARTS[block.type], ...this.#at(open) });
    return open;
  }

  #openBlock(key: BlockKey, type: AssistantBlock["type"]): OpenBlock | undefined {
    const open = this.#open.get(key);
    if (!open || open.block.type === type) return open;
    throw malformed(`Block ${key} is ${open.block.type}, but ${type} came for it`);
  }

  /** Deltas come from the wire: what the types promise is not what a server keeps. */
  #hasContent(delta: unknown): boolean {
    if (typeof delta === "string") return delta !== "";
    throw malformed("A piece of the answer is not text");
  }

  #emit(event: GrowthEvent): void {
    this.#begin();
    this.#events.push(event);
  }

  #at({ index }: OpenBlock) {
    return { contentIndex: index, partial: this.#message };
  }

  #elapsed(): number {
    return Math.round(this.#clock.monotonic() - this.#startedAt);
  }
}

const STARTS = {
  text: "text_start",
  thinking: "thinking_start",
  toolCall: "toolcall_start",
} as const;

function openOf(index: number, block: TextBlock | ThinkingBlock): OpenBlock {
  return block.type === "text" ? { index, block } : { index, block };
}
