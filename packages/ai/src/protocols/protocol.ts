/** A wire protocol: how a request is written, how an answer is read, how a refusal is understood. */

import type { ProviderError } from "../schema/fault.ts";
import type { Model, ModelRequest } from "../schema/model.ts";
import type { Frame, Framing } from "../transport/frame.ts";
import type { FailedResponse } from "./failure.ts";
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
  decoder(out: MessageBuilder, request: ModelRequest): Decoder;
  /** What an answer means that is not a stream. */
  failure(response: FailedResponse): ProviderError;
  /**
   * A request that may succeed where this one was refused before anything was streamed. It is sent
   * once, and nobody is told.
   */
  again?(request: ModelRequest, error: ProviderError): ModelRequest | undefined;
  /** Names the answer where the body does not. */
  readonly responseIdHeader?: string;
}

/** Both verbs throw a ProviderError when the answer is an error, or not one of this protocol. */
export interface Decoder {
  frame(frame: Frame): void;
  /** The connection has ended, and `out.stop` was not called yet. */
  end(): void;
}
