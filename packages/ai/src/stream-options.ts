/** What a turn needs besides its request. */

import type { Clock } from "@omp/std";
import type { FetchLike } from "./transport/http.ts";
import type { Timeouts } from "./transport/silence.ts";

export interface StreamOptions {
  readonly apiKey?: string | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** In place of the network. */
  readonly fetch?: FetchLike | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
}
