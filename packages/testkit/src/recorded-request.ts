/** What a scripted model remembers of a request. */

import type { WireId } from "./wire-id.ts";

/** How the exchange ended: whole, by the client's hand, by a scripted fault, or because the model was disposed. */
export type Ending = "answered" | "closed-by-client" | "faulted" | "disposed";

export interface RecordedRequest {
  /** Undefined when no wire is spoken at this path. */
  readonly wire: WireId | undefined;
  readonly method: string;
  readonly path: string;
  /** What follows the question mark. */
  readonly query: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text where it is not JSON. */
  readonly body: unknown;
  /** `performance.now()` when the last byte had come. */
  readonly receivedAt: number;
  /** Place in the script of the turn that answers; undefined when no turn was used. */
  readonly turnIndex: number | undefined;
  /** Why the server itself refused: not acceptable to the vendor, or the script had run out. */
  readonly refusal: Refusal | undefined;
  readonly ended: Promise<Ending>;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
}
