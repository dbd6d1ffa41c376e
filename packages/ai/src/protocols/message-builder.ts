/**
 * The one place that builds an AssistantMessage and tells its growth in legal order. Protocols say
 * what arrived; the order of the events, the arithmetic and the end of the message are made here.
 */

import type { Clock } from "@omp/std";
import type { FinalEvent, ModelEvent } from "../schema/event.ts";
import type { ProviderError } from "../schema/fault.ts";
import type { AssistantBlock, AssistantMessage } from "../schema/message.ts";
import type { Model } from "../schema/model.ts";
import { NO_TOKENS, usageOf, type TokenCounts } from "../schema/usage.ts";
import { malformed } from "./failure.ts";
import { ToolArguments } from "./tool-arguments.ts";

/** Names a block while it is open: the wire's index, or a word where the wire has none. */
export type BlockKey = string | number;
export type GoodStop = Extract<FinalEvent, { type: "done" }>["reason"];
/** Every event but the last one. */
export type GrowthEvent = Exclude<ModelEvent, FinalEvent>;

type BlockOf<Type extends AssistantBlock["type"]> = Extract<AssistantBlock, { type: Type }>;

interface Open<Block extends AssistantBlock = AssistantBlock> {
  readonly index: number;
  readonly block: Block;
  /** Stays empty where the block is no tool call. */
  readonly json: ToolArguments;
}

export class MessageBuilder {
  readonly #model: Model;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #message: AssistantMessage;
  readonly #open = new Map<BlockKey, Open>();
  #events: GrowthEvent[] = [];
  #hasBegun = false;
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

  /** An empty delta opens the block and says nothing more; so it is with `thinking`. */
  text(key: BlockKey, delta: string): void {
    const open = this.#find(key, "text") ?? this.#start(key, { type: "text", text: "" });
    if (!hasContent(delta)) return;
    open.block.text += delta;
    this.#emit({ type: "text_delta", delta, ...this.#at(open) });
  }

  thinking(key: BlockKey, delta: string): void {
    const open =
      this.#find(key, "thinking") ?? this.#start(key, { type: "thinking", thinking: "" });
    if (!hasContent(delta)) return;
    open.block.thinking += delta;
    this.#emit({ type: "thinking_delta", delta, ...this.#at(open) });
  }

  /** Makes no event: a signature is for the provider only. */
  signature(key: BlockKey, delta: string): void {
    const open = this.#find(key, "thinking");
    if (!open) throw malformed("A signature came before its thought");
    if (!hasContent(delta)) return;
    open.block.thinkingSignature = (open.block.thinkingSignature ?? "") + delta;
  }

  /** A thought that the provider keeps to itself. */
  hiddenThinking(key: BlockKey, data: string): void {
    this.#start(key, { type: "thinking", thinking: "", thinkingSignature: data, redacted: true });
  }

  toolCall(key: BlockKey, { id, name }: { id: string; name: string }): void {
    this.#start(key, { type: "toolCall", id, name, arguments: {} });
  }

  toolArguments(key: BlockKey, delta: string): void {
    const open = this.#find(key, "toolCall");
    if (!open) throw malformed("Tool arguments came before their tool call");
    if (!hasContent(delta)) return;
    open.json.append(delta);
    open.block.arguments = open.json.value;
    this.#emit({ type: "toolcall_delta", delta, ...this.#at(open) });
  }

  isOpen(key: BlockKey): boolean {
    return this.#open.has(key);
  }

  /** Whether a call's arguments are a whole JSON object already. */
  hasWholeArguments(key: BlockKey): boolean {
    return this.#find(key, "toolCall")?.json.isWhole() ?? false;
  }

  /** Ending a block that is not open does nothing. */
  endBlock(key: BlockKey): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    const { block, json } = open;
    switch (block.type) {
      case "text":
        return this.#emit({ type: "text_end", content: block.text, ...this.#at(open) });
      case "thinking":
        return this.#emit({ type: "thinking_end", content: block.thinking, ...this.#at(open) });
      case "toolCall":
        Object.assign(block, json.finish());
        return this.#emit({ type: "toolcall_end", toolCall: block, ...this.#at(open) });
    }
  }

  /** Counts that are given replace the ones before: providers repeat totals, they do not add. */
  tokens(counts: Partial<TokenCounts>): void {
    this.#tokens = { ...this.#tokens, ...counts };
    this.#message.usage = usageOf(this.#tokens, this.#model.prices);
  }

  responseId(id: string): void {
    this.#message.responseId = id;
  }

  /** The provider says that the message is whole; nothing it sends after that counts. */
  stop(reason: GoodStop): void {
    this.#stop ??= reason;
  }

  get isStopped(): boolean {
    return this.#stop !== undefined;
  }

  /** The events since the last call, oldest first. */
  take(): GrowthEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The end of a message that was stopped. Take the events that it makes. */
  done(): FinalEvent {
    const hasCalls = this.#message.content.some((block) => block.type === "toolCall");
    // Some providers say "stop" when they mean that they wait for their tools.
    const reason = this.#stop === "stop" && hasCalls ? "toolUse" : (this.#stop ?? "stop");
    return { type: "done", reason, message: this.#close({ stopReason: reason }) };
  }

  /** The end of a message that failed. What has come is kept. */
  failed({ fault, message, status }: ProviderError): FinalEvent {
    const end = { stopReason: "error", errorMessage: message } as const;
    const closed = this.#close(status === undefined ? end : { ...end, errorStatus: status });
    return { type: "error", reason: "error", message: closed, fault };
  }

  /** The end of a message that nobody wants any more. What has come is kept. */
  aborted(): FinalEvent {
    const message = this.#close({ stopReason: "aborted", errorMessage: "Request was aborted" });
    return { type: "error", reason: "aborted", message };
  }

  #close(
    end: Pick<AssistantMessage, "stopReason" | "errorMessage" | "errorStatus">,
  ): AssistantMessage {
    this.#begin();
    for (const key of [...this.#open.keys()]) this.endBlock(key);
    return Object.assign(this.#message, end, { duration: this.#elapsed() });
  }

  #start<Block extends AssistantBlock>(key: BlockKey, block: Block): Open<Block> {
    if (this.#open.has(key)) throw malformed(`Block ${key} of the answer began twice`);
    this.#message.ttft ??= this.#elapsed();
    const index = this.#message.content.push(block) - 1;
    const open = { index, block, json: new ToolArguments() };
    this.#open.set(key, open);
    this.#emit({ type: START[block.type], ...this.#at(open) });
    return open;
  }

  #find<Type extends AssistantBlock["type"]>(
    key: BlockKey,
    type: Type,
  ): Open<BlockOf<Type>> | undefined {
    const open = this.#open.get(key);
    if (open && open.block.type !== type) {
      throw malformed(`Block ${key} of the answer changed from ${open.block.type} to ${type}`);
    }
    return open as Open<BlockOf<Type>> | undefined;
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#events.push({ type: "start", partial: this.#message });
  }

  #emit(event: GrowthEvent): void {
    this.#begin();
    this.#events.push(event);
  }

  #at({ index }: Open) {
    return { contentIndex: index, partial: this.#message };
  }

  #elapsed(): number {
    return Math.round(this.#clock.monotonic() - this.#startedAt);
  }
}

const START = {
  text: "text_start",
  thinking: "thinking_start",
  toolCall: "toolcall_start",
} as const;

/** Deltas come from the wire: what a type promises is not always what a server sends. */
function hasContent(delta: unknown): boolean {
  if (typeof delta === "string") return delta !== "";
  throw malformed("A piece of the answer is not text");
}
