/** What a scripted model does with one request: the blocks it answers with, how it plays them, or how it fails. */

import type { TokenCounts } from "@omp/ai/schema";
import type { RecordedRequest } from "./recorded-request.ts";

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string; readonly signature: string }
  | { readonly kind: "hidden-thinking"; readonly data: string }
  /** `args` is the text of the arguments as it goes over the wire; it need not be JSON. */
  | {
      readonly kind: "tool-call";
      readonly name: string;
      readonly args: string;
      readonly id?: string;
    };

export type Stop = "stop" | "length" | "toolUse" | "refused";

/** Positions count the bytes of the HTTP body, before its transfer encoding. */
export type Fault =
  /** The connection is closed (FIN) in the middle of the body. */
  | { readonly kind: "cut"; readonly atByte: number }
  /** The body ends there as if it were whole; HTTP sees nothing wrong. */
  | { readonly kind: "early-end"; readonly atByte: number }
  /** The connection is reset (RST). The client may lose bytes it has not read yet. */
  | { readonly kind: "reset"; readonly atByte: number }
  /** Bytes that are neither UTF-8 nor an event take the place of the rest. */
  | { readonly kind: "garbage"; readonly atByte: number }
  /** The connection stays open and nothing more comes. */
  | { readonly kind: "silence"; readonly atByte: number }
  /** The wire's own error event takes the place of the end, or of what follows the first `afterFrames` frames. */
  | {
      readonly kind: "in-band-error";
      readonly type: string;
      readonly message: string;
      readonly afterFrames?: number;
    };

export interface Play {
  /** Numbers that are not given are derived from the sizes of request and answer. */
  readonly usage?: Partial<TokenCounts>;
  /** Default: `toolUse` when there is a tool call, else `stop`. */
  readonly stop?: Stop;
  /** Wait before the first byte of the response. */
  readonly delayMs?: number;
  /** Wait between two events. */
  readonly betweenMs?: number;
  /** Send the body in pieces of this many bytes instead of one piece for each event. */
  readonly chunkBytes?: number;
  /** Characters in one delta of text or thinking. */
  readonly textPiece?: number;
  /** Characters in one delta of tool arguments. */
  readonly argumentPiece?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fault?: Fault;
}

export interface Answer {
  readonly kind: "answer";
  readonly blocks: readonly Block[];
  readonly play: Play;
  /** The same answer, played differently. */
  with(play: Play): Answer;
}

export interface Failure {
  readonly kind: "failure";
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is instead of the wire's own error body. */
  readonly body?: string;
  readonly delayMs: number;
}

export type Turn = Answer | Failure;
export type TurnSource = Turn | ((request: RecordedRequest) => Turn | Promise<Turn>);

export function turn(...blocks: readonly Block[]): Answer {
  return answer(blocks, {});
}

export function say(text: string): Block {
  return { kind: "text", text };
}

export function think(
  text: string,
  signature = `signature-of-${Bun.hash(text).toString(36)}`,
): Block {
  return { kind: "thinking", text, signature };
}

/** A thought the provider sends encrypted. Wires without the notion leave it out. */
export function thinkHidden(data: string): Block {
  return { kind: "hidden-thinking", data };
}

/** A string as `args` is sent as it is, for arguments that are not JSON. */
export function callTool(name: string, args: object | string, id?: string): Block {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { kind: "tool-call", name, args: text, ...(id === undefined ? {} : { id }) };
}

export interface FailureOptions {
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
  readonly delayMs?: number;
}

export function fail(status: number, options: FailureOptions = {}): Failure {
  const { message = `scripted failure ${status}`, headers = {}, body, delayMs = 0 } = options;
  const failure = { kind: "failure", status, message, headers, delayMs } as const;
  if (body === undefined) return failure;
  return { ...failure, body: typeof body === "string" ? body : JSON.stringify(body) };
}

function answer(blocks: readonly Block[], play: Play): Answer {
  return { kind: "answer", blocks, play, with: (more) => answer(blocks, { ...play, ...more }) };
}
