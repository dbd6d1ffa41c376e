/** The answer of `streamGenerateContent`: each frame is a whole `GenerateContentResponse` with new parts. */

import type { ToldCounts } from "../../schema/usage.ts";
import type { Frame } from "../../transport/frame.ts";
import { cutOff, malformed, refused } from "../failure.ts";
import { parseFrame } from "../frame-json.ts";
import type { GoodStop, MessageBuilder } from "../message-builder.ts";
import type { Decoder } from "../protocol.ts";
import { googleStreamFailure, type GoogleError } from "./failure.ts";

interface WireUsage {
  readonly promptTokenCount?: number;
  readonly toolUsePromptTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
}
interface WireCall {
  readonly id?: string;
  readonly name?: string;
  readonly args?: unknown;
}
interface WirePart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: WireCall;
}
interface WireCandidate {
  readonly content?: { readonly parts?: readonly WirePart[] };
  readonly finishReason?: string;
  readonly finishMessage?: string;
}
interface WireChunk {
  readonly responseId?: string;
  readonly candidates?: readonly WireCandidate[];
  readonly promptFeedback?: { readonly blockReason?: string; readonly blockReasonMessage?: string };
  readonly usageMetadata?: WireUsage;
  readonly error?: GoogleError;
}

export class GoogleDecoder implements Decoder {
  #id = "";
  /** The wire does not number its parts: pieces of one kind in a row are one part. */
  #open: "text" | "thinking" | undefined;
  #calls = 0;

  constructor(private readonly out: MessageBuilder) {}

  frame(frame: Frame): void {
    const chunk = parseFrame<WireChunk>(frame);
    if (chunk.error) throw googleStreamFailure(chunk.error);
    if (this.#id === "") this.#name(chunk, frame);
    if (chunk.usageMetadata) this.out.tokens(countsOf(chunk.usageMetadata));
    const candidate = chunk.candidates?.[0];
    if (!candidate) return this.#withoutAnswer(chunk);
    for (const part of candidate.content?.parts ?? []) this.#part(part);
    if (candidate.finishReason) this.out.stop(stopOf(candidate.finishReason, candidate));
  }

  end(): void {
    throw cutOff();
  }

  #name({ responseId }: WireChunk, { data }: Frame): void {
    if (responseId) this.out.responseId(responseId);
    this.#id = responseId || Bun.hash(data).toString(36);
  }

  #withoutAnswer({ promptFeedback }: WireChunk): void {
    const { blockReason, blockReasonMessage } = promptFeedback ?? {};
    if (!blockReason) return;
    throw refused(`the prompt was blocked: ${blockReasonMessage || blockReason}`);
  }

  /** Parts of kinds that were not asked for are passed over. */
  #part({ text, thought, thoughtSignature, functionCall }: WirePart): void {
    if (functionCall) return this.#call(functionCall, thoughtSignature);
    // The last frame often has an empty part, for its reason to stop or for its signature.
    if (text === undefined || (text === "" && !thoughtSignature)) return;
    const kind = thought ? "thinking" : "text";
    this.#switchTo(kind);
    this.out[kind](kind, text);
    if (!thoughtSignature) return;
    // What is signed must go back as it came: nothing more is added to that part.
    this.out.signPart(kind, thoughtSignature);
    this.#switchTo(undefined);
  }

  #call({ id, name, args }: WireCall, signature: string | undefined): void {
    if (!name) throw malformed("A tool call came without a name");
    this.#switchTo(undefined);
    const number = this.#calls++;
    const key = `call ${number}`;
    this.out.toolCall(key, { id: id || `call_${this.#id}_${number}`, name });
    this.out.toolArguments(key, JSON.stringify(args ?? {}));
    if (signature) this.out.signPart(key, signature);
    this.out.endBlock(key);
  }

  #switchTo(kind: "text" | "thinking" | undefined): void {
    if (this.#open && this.#open !== kind) this.out.endBlock(this.#open);
    this.#open = kind;
  }
}

/** The prompt's count has the cached tokens in it, ours does not; thoughts are counted apart from the answer. */
function countsOf(usage: WireUsage): ToldCounts {
  const cacheRead = usage.cachedContentTokenCount ?? 0;
  const prompt = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
  return {
    input: Math.max(0, prompt - cacheRead),
    output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
    cacheRead,
    cacheWrite: 0,
    ...(usage.thoughtsTokenCount !== undefined && { reasoning: usage.thoughtsTokenCount }),
  };
}

function stopOf(reason: string, { finishMessage }: WireCandidate): GoodStop {
  switch (reason) {
    case "STOP":
      return "stop";
    case "MAX_TOKENS":
      return "length";
    case "SAFETY":
    case "RECITATION":
    case "LANGUAGE":
    case "BLOCKLIST":
    case "PROHIBITED_CONTENT":
    case "SPII":
    case "MODEL_ARMOR":
    case "IMAGE_SAFETY":
    case "IMAGE_PROHIBITED_CONTENT":
    case "IMAGE_RECITATION":
      throw refused(finishMessage ? `${reason}: ${finishMessage}` : reason);
    default:
      // A call the model could not write (MALFORMED_FUNCTION_CALL and its kin), or a word to come.
      throw malformed(
        `The answer ended with ${reason}${finishMessage ? `: ${finishMessage}` : ""}`,
      );
  }
}
