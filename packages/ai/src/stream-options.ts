/** What a turn needs besides its request. */

import type { Clock } from "@omp/std";
import type { FetchLike, Signer } from "./transport/http.ts";
import type { Timeouts } from "./transport/silence.ts";

export interface StreamOptions {
  readonly apiKey?: string | undefined;
  /** Proves who is asking where there is no key. */
  readonly sign?: Signer | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** In place of the network. */
  readonly fetch?: FetchLike | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
}
