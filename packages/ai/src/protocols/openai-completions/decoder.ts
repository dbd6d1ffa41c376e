/** The answer of a Chat Completions server, and the ways in which servers differ from the vendor. */

import type { ModelRequest } from "../../schema/model.ts";
import type { Frame } from "../../transport/frame.ts";
import { compatFor, type ResolvedCompat } from "../compat.ts";
import { cutOff, malformed, refused, streamFailure, type WireError } from "../failure.ts";
import { parseFrame } from "../frame-json.ts";
import type { GoodStop, MessageBuilder } from "../message-builder.ts";
import type { Decoder } from "../protocol.ts";
import { TemplateMarkers } from "./template-markers.ts";
import { THOUGHT_DETAILS, THOUGHT_FIELDS, type ThoughtField } from "./thoughts.ts";
import { countsOf, type WireUsage } from "./usage.ts";

interface WireCall {
  readonly index?: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string | object | null };
}
interface WirePart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string | readonly WirePart[];
}
interface WireDelta extends Partial<Record<ThoughtField, string | null>> {
  /** Mistral sends thoughts as parts of the content. */
  readonly content?: string | readonly WirePart[] | null;
  readonly refusal?: string | null;
  readonly reasoning_details?: readonly WirePart[] | null;
  readonly tool_calls?: readonly WireCall[] | null;
}
interface WireChoice {
  readonly delta?: WireDelta | null;
  readonly finish_reason?: string | null;
  readonly usage?: WireUsage | null;
  readonly error?: WireError | null;
}
interface WireChunk {
  readonly id?: string;
  readonly choices?: readonly WireChoice[];
  readonly usage?: WireUsage | null;
  readonly error?: WireError | null;
  /** MiniMax says what went wrong in an answer that is fine otherwise. */
  readonly base_resp?: { readonly status_code?: number; readonly status_msg?: string } | null;
}

export class CompletionsDecoder implements Decoder {
  readonly #compat: ResolvedCompat;
  readonly #thoughtFields: readonly ThoughtField[];
  readonly #markers = { text: new TemplateMarkers(), thinking: new TemplateMarkers() };
  #id = "";
  #finishReason: string | undefined;
  /** The wire does not number blocks of text and thought: one is open at a time. */
  #openText: "text" | "thinking" | undefined;
  #thought = "";
  #lastCall: number | undefined;
  /** Arguments that came as an object: the last one is the whole of them. */
  readonly #objects = new Map<number, object>();

  constructor(
    private readonly out: MessageBuilder,
    { model }: ModelRequest,
  ) {
    this.#compat = compatFor(model);
    const chosen = this.#compat.reasoningContentField;
    this.#thoughtFields = chosen ? [chosen, ...THOUGHT_FIELDS] : THOUGHT_FIELDS;
  }

  frame(frame: Frame): void {
    if (frame.data.trim() === "[DONE]") return this.end();
    const chunk = parseFrame<WireChunk>(frame);
    const choice = chunk.choices?.[0];
    const error = chunk.error ?? choice?.error ?? baseError(chunk);
    if (error) throw streamFailure(error);
    if (chunk.id && this.#id === "") this.out.responseId((this.#id = chunk.id));
    const usage = chunk.usage ?? choice?.usage;
    if (usage) this.#count(usage);
    if (!choice) return;
    this.#grow(choice.delta ?? {});
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
  }

  /** Usage comes after the finish reason, so only the end of the stream ends the message. */
  end(): void {
    if (this.#finishReason === undefined) throw cutOff();
    this.#switchTo(undefined);
    for (const key of this.#objects.keys()) this.#writeObject(key);
    this.out.stop(stopOf(this.#finishReason));
  }

  #count(usage: WireUsage): void {
    this.out.tokens(countsOf(usage));
    if (typeof usage.cost === "number") this.out.billed({ dollars: usage.cost });
  }

  #grow(delta: WireDelta): void {
    this.#growThoughts(delta);
    const { content } = delta;
    if (typeof content === "object") for (const part of content ?? []) this.#growPart(part);
    else if (content) this.#growText("text", content);
    if (delta.refusal) this.#growText("text", delta.refusal);
    for (const call of delta.tool_calls ?? []) this.#growCall(call);
  }

  #growThoughts(delta: WireDelta): void {
    const field = this.#thoughtFields.find((name) => delta[name]);
    if (field) return this.#growThought(field, delta[field] ?? "");
    for (const { text } of delta.reasoning_details ?? []) {
      if (text) this.#growThought(THOUGHT_DETAILS, text);
    }
  }

  #growPart({ type, text, thinking }: WirePart): void {
    if (type === "text" && text) return this.#growText("text", text);
    if (type !== "thinking" || thinking === undefined) return;
    const pieces = typeof thinking === "string" ? [{ text: thinking }] : thinking;
    for (const piece of pieces) if (piece.text) this.#growThought(THOUGHT_FIELDS[0], piece.text);
  }

  #growThought(field: string, delta: string): void {
    const isRepeated = this.#compat.cumulativeReasoning && delta.startsWith(this.#thought);
    const fresh = isRepeated ? delta.slice(this.#thought.length) : delta;
    if (this.#compat.cumulativeReasoning) this.#thought += fresh;
    if (fresh === "") return;
    const wasOpen = this.#openText === "thinking" && this.out.isOpen("thinking");
    this.#growText("thinking", fresh);
    if (!wasOpen && this.out.isOpen("thinking")) this.out.signature("thinking", field);
  }

  #growText(kind: "text" | "thinking", delta: string): void {
    this.#switchTo(kind);
    const text = this.#compat.leaksTemplateMarkers ? this.#markers[kind].push(delta) : delta;
    if (text !== "") this.out[kind](kind, text);
  }

  #growCall({ index, id, function: called }: WireCall): void {
    this.#switchTo(undefined);
    // Servers that do not number their calls send each of them whole.
    const key = index ?? (id ? (this.#lastCall ?? -1) + 1 : (this.#lastCall ?? 0));
    if (!this.out.isOpen(key)) this.#startCall(key, id, called?.name);
    const args = called?.arguments;
    if (!args) return;
    if (typeof args === "object") return void this.#objects.set(key, args);
    this.#objects.delete(key);
    this.out.toolArguments(key, args);
  }

  #startCall(key: number, id: string | undefined, name: string | undefined): void {
    if (!name) throw malformed("A tool call came without a name");
    // The wire does not end calls: the next one does, unless a server sends them side by side.
    const last = this.#lastCall;
    if (last !== undefined) this.#writeObject(last);
    if (last !== undefined && this.out.hasWholeArguments(last)) this.out.endBlock(last);
    this.#lastCall = key;
    this.out.toolCall(key, { id: id || `call_${this.#id}_${key}`, name });
  }

  #writeObject(key: number): void {
    const args = this.#objects.get(key);
    this.#objects.delete(key);
    if (args) this.out.toolArguments(key, JSON.stringify(args));
  }

  #switchTo(kind: "text" | "thinking" | undefined): void {
    const open = this.#openText;
    if (open === kind) return;
    this.#openText = kind;
    if (!open) return;
    const held = this.#markers[open].flush();
    if (held) this.out[open](open, held);
    this.out.endBlock(open);
  }
}

function baseError({ base_resp }: WireChunk): WireError | undefined {
  if (!base_resp?.status_code) return undefined;
  return { type: `base_resp_${base_resp.status_code}`, message: base_resp.status_msg };
}

function stopOf(reason: string): GoodStop {
  switch (reason) {
    case "stop":
    case "eos":
      return "stop";
    case "length":
    case "model_length":
      return "length";
    case "tool_calls":
    case "function_call":
      return "toolUse";
    case "content_filter":
    case "sensitive":
      throw refused(reason);
    case "error":
    case "network_error":
    case "insufficient_system_resource":
      throw streamFailure({ type: "server_error", message: `The server gave up (${reason})` });
    default:
      throw malformed(`The answer ended for a reason that is not known: ${reason}`);
  }
}
