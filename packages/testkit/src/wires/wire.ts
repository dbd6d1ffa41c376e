/** One wire protocol as a vendor's server speaks it. */

import type { TokenCounts } from "@omp/ai/schema";
import type { Refusal } from "../recorded-request.ts";
import type { Block, Stop } from "../turn.ts";
import type { WireId } from "../wire-id.ts";

export interface WireRequest {
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Count of requests before this one: makes ids that are unique and the same in every run. */
  readonly serial: number;
}

/** An answer with every default filled in. */
export interface PlainAnswer {
  readonly blocks: readonly Block[];
  readonly usage: TokenCounts;
  readonly stop: Stop;
  readonly textPiece: number;
  readonly argumentPiece: number;
}

/** Bytes where the format is not text. */
export type Frame = string | Uint8Array;

/** The frames of an answer, in three parts so that an error can take the place of the end. */
export interface Frames {
  readonly open: readonly Frame[];
  readonly content: readonly Frame[];
  readonly close: readonly Frame[];
}

export interface Wire {
  readonly id: WireId;
  readonly contentType: string;
  matches(path: string): boolean;
  /** What the vendor would refuse about the request, if anything. */
  refuse(request: WireRequest): Refusal | undefined;
  frames(answer: PlainAnswer, request: WireRequest): Frames;
  /** An error after the response has begun. */
  errorFrame(type: string, message: string): Frame;
  /** The body of an error response. */
  errorBody(status: number, message: string): string;
  requestIdHeader: string;
  /** Bytes that break the stream wherever they come; without them some that break lines of JSON. */
  readonly garbage?: Uint8Array;
}
