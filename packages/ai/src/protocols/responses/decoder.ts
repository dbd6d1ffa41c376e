/** The events of the Responses family, read. */

import type { ToldCounts } from "../../schema/usage.ts";
import type { Frame } from "../../transport/frame.ts";
import { cutOff, malformed, noRoom, refused, streamFailure, type WireError } from "../failure.ts";
import { parseFrame } from "../frame-json.ts";
import type { BlockKey, GoodStop, MessageBuilder } from "../message-builder.ts";
import type { Decoder } from "../protocol.ts";
import { textSignature, thoughtSignature } from "./signature.ts";

interface WirePart {
  readonly type?: string;
  readonly text?: string;
  readonly refusal?: string;
}
interface WireItem {
  readonly type?: string;
  readonly id?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly content?: readonly WirePart[] | null;
  readonly summary?: readonly WirePart[] | null;
  readonly encrypted_content?: string | null;
  readonly phase?: string | null;
}
interface WireUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly input_tokens_details?: {
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
  } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: number } | null;
}
interface WireResponse {
  readonly id?: string;
  readonly status?: string;
  readonly usage?: WireUsage | null;
  readonly error?: WireError | null;
  readonly incomplete_details?: { readonly reason?: string } | null;
}
interface WireEvent {
  readonly type?: string;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly summary_index?: number;
  readonly item?: WireItem;
  readonly delta?: string;
  readonly arguments?: string;
  readonly response?: WireResponse;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly error?: WireError;
}

export class ResponsesDecoder implements Decoder {
  /** Blocks that have got some of their content. */
  readonly #grown = new Set<BlockKey>();
  /** White space at the end of the arguments so far. */
  #blanks = 0;
  /** With text or a call; thoughts are no answer. */
  #hasAnswered = false;

  constructor(
    private readonly out: MessageBuilder,
    /** The server cuts a prompt that is too long, and says so only by an answer without a word. */
    private readonly isCutSilently = false,
  ) {}

  frame(frame: Frame): void {
    // The end of the older wire, which some servers send here too; it says nothing.
    if (frame.data.trim() === "[DONE]") return;
    const event = parseFrame<WireEvent>(frame);
    const key = event.output_index ?? event.item_id ?? event.item?.id ?? "item";
    switch (event.type) {
      case "response.created":
        return this.#responseId(event.response);
      case "response.output_item.added":
        return this.#start(key, event.item ?? {});
      case "response.reasoning_summary_part.added":
        return this.#think(key, this.#grown.has(key) ? "\n\n" : "");
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#think(key, event.delta ?? "");
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#say(key, event.delta ?? "");
      case "response.function_call_arguments.delta":
        return this.#argue(key, event.delta ?? "");
      case "response.function_call_arguments.done":
        if (!this.#grown.has(key)) this.#argue(key, event.arguments ?? "");
        return;
      case "response.output_item.done":
        return this.#end(key, event.item ?? {});
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        return this.#finish(event.type.slice("response.".length), event.response ?? {});
      case "error":
        throw streamFailure(event.error ?? { code: event.code, message: event.message });
      default:
        // Progress, parts of items that have deltas of their own, and kinds of events to come.
        return;
    }
  }

  end(): void {
    throw cutOff();
  }

  /** Items of kinds that were not asked for are passed over. */
  #start(key: BlockKey, { type, id, call_id, name }: WireItem): void {
    switch (type) {
      case "message":
        return this.out.text(key, "");
      case "reasoning":
        return this.out.thinking(key, "");
      case "function_call": {
        const ids = [call_id, id].filter((part) => part);
        if (!name || ids.length === 0) throw malformed("A tool call came without id or name");
        this.#hasAnswered = true;
        return this.out.toolCall(key, { id: ids.join("|"), name });
      }
      default:
        return;
    }
  }

  #say(key: BlockKey, delta: string): void {
    this.out.text(key, delta);
    if (delta === "") return;
    this.#grown.add(key);
    this.#hasAnswered = true;
  }

  #think(key: BlockKey, delta: string): void {
    this.out.thinking(key, delta);
    if (delta !== "") this.#grown.add(key);
  }

  #argue(key: BlockKey, delta: string): void {
    this.out.toolArguments(key, delta);
    if (delta !== "") this.#grown.add(key);
    const kept = delta.trimEnd().length;
    this.#blanks = delta.length - kept + (kept === 0 ? this.#blanks : 0);
    if (this.#blanks > MOST_BLANKS) throw malformed("The model sends blanks without end");
  }

  /** Some servers send an item only when it is done, or its content only then. */
  #end(key: BlockKey, item: WireItem): void {
    if (!this.out.isOpen(key)) this.#start(key, item);
    if (!this.out.isOpen(key)) return;
    this.#complete(key, item);
    this.out.endBlock(key);
  }

  #complete(key: BlockKey, item: WireItem): void {
    const isNew = !this.#grown.has(key);
    const { id = "", content, summary, phase, encrypted_content } = item;
    switch (item.type) {
      case "message":
        if (isNew) this.#say(key, textOf(content));
        return this.out.textSignature(key, textSignature({ id, phase: phase ?? "" }));
      case "reasoning":
        if (isNew) this.#think(key, textOf(summary) || textOf(content));
        return this.out.signature(
          key,
          thoughtSignature({
            id,
            summary: summary ?? [],
            content: content ?? [],
            encrypted_content: encrypted_content ?? "",
          }),
        );
      case "function_call":
        if (isNew) this.#argue(key, item.arguments ?? "");
        return;
      default:
        return;
    }
  }

  #finish(status: string, response: WireResponse): void {
    this.#responseId(response);
    if (response.usage) this.out.tokens(countsOf(response.usage));
    const stop = stopOf(response.status ?? status, response);
    if (stop === "length" && this.isCutSilently && !this.#hasAnswered) throw noRoom();
    this.out.stop(stop);
  }

  #responseId(response: WireResponse | undefined): void {
    if (response?.id) this.out.responseId(response.id);
  }
}

/** Models have been seen to fall into a loop here. No tool has a use for so many. */
const MOST_BLANKS = 8_192;

function textOf(parts: readonly WirePart[] | null | undefined): string {
  return (parts ?? []).map(({ text, refusal }) => text ?? refusal ?? "").join("\n\n");
}

/** `input_tokens` counts what was read from and written to the cache, too; ours do not. */
function countsOf(usage: WireUsage): ToldCounts {
  const reasoning = usage.output_tokens_details?.reasoning_tokens;
  const cacheRead = usage.input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.input_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (usage.input_tokens ?? 0) - cacheRead - cacheWrite),
    output: usage.output_tokens ?? 0,
    cacheRead,
    cacheWrite,
    ...(reasoning !== undefined && { reasoning }),
  };
}

/** The wire has no status for calls: an answer with some waits for its tools. */
function stopOf(status: string, { error, incomplete_details: details }: WireResponse): GoodStop {
  switch (status) {
    case "completed":
      return "stop";
    case "incomplete":
      if (details?.reason === "content_filter") throw refused(details.reason);
      return "length";
    case "failed":
      throw streamFailure(error ?? { message: "The provider gave up on the answer" });
    case "cancelled":
      throw streamFailure(error ?? { message: "The provider cancelled the answer" });
    default:
      throw malformed(`The answer ended with a status that is not known: ${status}`);
  }
}
