/**
 * The one place that builds an AssistantMessage and tells its growth in legal order. Protocols say
 * what arrived; the order of the events, the arithmetic and the end of the message are made here.
 */

import type { Clock } from "@omp/std";
import type { FinalEvent, ModelEvent } from "../schema/event.ts";
import { ProviderError } from "../schema/fault.ts";
import type { AssistantBlock, AssistantMessage } from "../schema/message.ts";
import type { Model } from "../schema/model.ts";
import { NO_TOKENS, usageOf, type ToldCounts } from "../schema/usage.ts";
import { malformed } from "./failure.ts";
import { ToolArguments } from "./tool-arguments.ts";

/** Names a block while it is open: the wire's index, or a word where the wire has none. */
export type BlockKey = string | number;
export type GoodStop = Extract<FinalEvent, { type: "done" }>["reason"];
/** As far as a provider says it. */
interface Bill {
  readonly dollars?: number;
  readonly premiumRequests?: number;
}
/** Every event but the last one. */
export type GrowthEvent = Exclude<ModelEvent, FinalEvent>;

type BlockOf<Type extends AssistantBlock["type"]> = Extract<AssistantBlock, { type: Type }>;

interface Open<Block extends AssistantBlock = AssistantBlock> {
  readonly index: number;
  readonly block: Block;
  /** Stays empty where the block is no tool call. */
  readonly json: ToolArguments;
  hasGrown: boolean;
}

type Delta = Extract<GrowthEvent, { delta: string }>;
/** The newest event, as long as nobody has taken it: what comes next for its block is added to it. */
type GrowingDelta = { -readonly [Field in keyof Delta]: Delta[Field] };

export class MessageBuilder {
  readonly #model: Model;
  /** Milliseconds since the request. */
  readonly #elapsed: () => number;
  readonly #message: AssistantMessage;
  readonly #open = new Map<BlockKey, Open>();
  #events: GrowthEvent[] = [];
  #growing: GrowingDelta | undefined;
  #hasBegun = false;
  #tokens: ToldCounts = NO_TOKENS;
  #bill: Bill = {};
  #stop: GoodStop | undefined;

  /** Time is counted from here: make it when the request is made. */
  constructor(model: Model, clock: Clock) {
    this.#model = model;
    const startedAt = clock.monotonic();
    this.#elapsed = () => Math.round(clock.monotonic() - startedAt);
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
    this.#grow("text_delta", open, delta);
  }

  thinking(key: BlockKey, delta: string): void {
    const open =
      this.#find(key, "thinking") ?? this.#start(key, { type: "thinking", thinking: "" });
    if (!hasContent(delta)) return;
    open.block.thinking += delta;
    this.#grow("thinking_delta", open, delta);
  }

  /** Makes no event: a signature is for the provider only. */
  signature(key: BlockKey, delta: string): void {
    const open = this.#find(key, "thinking");
    if (!open) throw malformed("A signature came before its thought");
    if (!hasContent(delta)) return;
    open.block.thinkingSignature = (open.block.thinkingSignature ?? "") + delta;
  }

  /** For wires that sign parts of any kind, each of them once. Makes no event either. */
  signPart(key: BlockKey, signature: string): void {
    const block = this.#open.get(key)?.block;
    if (!block) throw malformed("A signature came without its part");
    if (!hasContent(signature)) return;
    switch (block.type) {
      case "text":
        block.textSignature = signature;
        return;
      case "thinking":
        block.thinkingSignature = signature;
        return;
      case "toolCall":
        block.thoughtSignature = signature;
    }
  }

  /** As with `signature`; the last one counts. */
  textSignature(key: BlockKey, signature: string): void {
    const open = this.#find(key, "text");
    if (!open) throw malformed("A signature came before its text");
    if (hasContent(signature)) open.block.textSignature = signature;
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
    this.#grow("toolcall_delta", open, delta);
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
        return this.#emit({ type: "text_end", content: block.text, ...at(open, this.#message) });
      case "thinking":
        return this.#emit({
          type: "thinking_end",
          content: block.thinking,
          ...at(open, this.#message),
        });
      case "toolCall":
        Object.assign(block, json.finish());
        return this.#emit({ type: "toolcall_end", toolCall: block, ...at(open, this.#message) });
    }
  }

  /** Counts that are given replace the ones before: providers repeat totals, they do not add. */
  tokens(counts: Partial<ToldCounts>): void {
    this.#tokens = { ...this.#tokens, ...counts };
    const { dollars, ...requests } = this.#bill;
    this.#message.usage = { ...usageOf(this.#tokens, this.#model.prices, dollars), ...requests };
  }

  /** What the provider says the turn cost: it knows better than our list of prices. */
  billed(bill: Bill): void {
    this.#bill = { ...this.#bill, ...bill };
    this.tokens({});
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
    this.#growing = undefined;
    return events;
  }

  /** Nothing has come but more of a block that has been told of: it may wait for what is here already. */
  get mayGrow(): boolean {
    return this.#events.length === 0 || (this.#events.length === 1 && this.#growing !== undefined);
  }

  /** Closes the message; what has come is kept. Take the events that this makes. */
  finish(outcome: "stopped" | "aborted" | ProviderError): FinalEvent {
    if (!this.#hasBegun) this.#emit({ type: "start", partial: this.#message });
    for (const key of [...this.#open.keys()]) this.endBlock(key);
    const message = this.#message;
    message.duration = this.#elapsed();
    if (outcome === "aborted") return aborted(message);
    if (outcome instanceof ProviderError) return failed(message, outcome);
    return done(message, this.#stop ?? "stop");
  }

  #start<Block extends AssistantBlock>(key: BlockKey, block: Block): Open<Block> {
    if (this.#open.has(key)) throw malformed(`Block ${key} of the answer began twice`);
    this.#message.ttft ??= this.#elapsed();
    const index = this.#message.content.push(block) - 1;
    const open = { index, block, json: new ToolArguments(), hasGrown: false };
    this.#open.set(key, open);
    this.#emit({ type: START[block.type], ...at(open, this.#message) });
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

  /** The first delta of a block is never added to: nobody shall wait for it. */
  #grow(type: Delta["type"], open: Open, delta: string): void {
    if (this.#growing?.contentIndex === open.index) {
      this.#growing.delta += delta;
      return;
    }
    const event = { type, delta, ...at(open, this.#message) };
    this.#emit(event);
    if (open.hasGrown) this.#growing = event;
    open.hasGrown = true;
  }

  #emit(event: GrowthEvent): void {
    this.#growing = undefined;
    const isFirst = !this.#hasBegun && event.type !== "start";
    if (isFirst) this.#events.push({ type: "start", partial: this.#message });
    this.#hasBegun = true;
    this.#events.push(event);
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

function at({ index }: Open, partial: AssistantMessage) {
  return { contentIndex: index, partial };
}

function done(message: AssistantMessage, stop: GoodStop): FinalEvent {
  const hasCalls = message.content.some((block) => block.type === "toolCall");
  // Some providers say "stop" when they mean that they wait for their tools.
  const reason = stop === "stop" && hasCalls ? "toolUse" : stop;
  message.stopReason = reason;
  return { type: "done", reason, message };
}

function failed(message: AssistantMessage, error: ProviderError): FinalEvent {
  message.stopReason = "error";
  message.errorMessage = error.message;
  if (error.status !== undefined) message.errorStatus = error.status;
  return { type: "error", reason: "error", message, fault: error.fault };
}

function aborted(message: AssistantMessage): FinalEvent {
  message.stopReason = "aborted";
  message.errorMessage = "Request was aborted";
  return { type: "error", reason: "aborted", message };
}
