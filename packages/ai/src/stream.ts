/** The only verb: one request in, one stream of events out. */

import { lazy } from "@omp/std";
import { PulledStream } from "./pulled-stream.ts";
import type { ModelStream } from "./schema/event.ts";
import type { ModelRequest } from "./schema/model.ts";
import type { StreamOptions } from "./stream-options.ts";

/** What writes requests and reads answers is loaded with the first turn, not when the program starts. */
const loadTurn = lazy(() => import("./turn.ts"));

/** The request is sent at once. */
export function stream(request: ModelRequest, options: StreamOptions): ModelStream {
  const source = loadTurn().then(({ turnEvents }) => turnEvents(request, options));
  return new PulledStream(source, options.signal, options.clock);
}
