/** A wire protocol: how a request is written, how an answer is read, how a refusal is understood. */

import { ProviderError } from "../schema/fault.ts";
import type { Model, ModelRequest } from "../schema/model.ts";
import type { Frame, Framing } from "../transport/frame.ts";
import type { MessageBuilder } from "./message-builder.ts";

export interface Protocol {
  /** As in `Model.api`. */
  readonly id: string;
  /** Joined to the model's base URL. */
  path(model: Model): string;
  /** Authentication and versions. The key is absent for a server that asks for none. */
  headers(request: ModelRequest, apiKey: string | undefined): Readonly<Record<string, string>>;
  body(request: ModelRequest): object;
  readonly framing: Framing;
  /** A fresh one for each turn: it holds what must be remembered between frames. */
  decoder(out: MessageBuilder): Decoder;
  /** What an answer means that is not a stream. Texts are classified here and nowhere else. */
  failure(response: FailedResponse): ProviderError;
}

/** Both verbs throw a ProviderError when the answer is an error, or not one of this protocol. */
export interface Decoder {
  frame(frame: Frame): void;
  /** The connection has ended without `out.stop`. */
  end(): void;
}

export interface FailedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Milliseconds since 1970, for hints given as a date. */
  readonly now: number;
}

/** The JSON object in a frame. Its fields are claims of the sender: declare all of them optional. */
export function parseFrame<Wire extends object>(frame: Frame): Wire {
  let value: unknown;
  try {
    value = JSON.parse(frame.data);
  } catch (error) {
    throw malformed(`The provider sent something that is not JSON: ${excerpt(frame.data)}`, error);
  }
  if (typeof value === "object" && value !== null) return value as Wire;
  throw malformed(`The provider sent ${excerpt(frame.data)} where an object belongs`);
}

export function malformed(message: string, cause?: unknown): ProviderError {
  return new ProviderError({ kind: "malformed" }, message, undefined, { cause });
}

/** The answer stopped in the middle. */
export function cutOff(): ProviderError {
  return new ProviderError(
    { kind: "network" },
    "The connection was closed before the answer was complete",
  );
}

/** A line for a person: markup and line breaks gone, and never long. */
export function excerpt(text: string, limit = 300): string {
  const line = text
    .slice(0, 20 * limit)
    .replace(/<(style|script|head)\b.*?<\/\1>/gis, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}
