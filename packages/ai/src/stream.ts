/** The only verb: one request in, one stream of events out. */

import { PulledStream } from "./pulled-stream.ts";
import type { ModelStream } from "./schema/event.ts";
import type { ModelRequest } from "./schema/model.ts";
import type { StreamOptions } from "./stream-options.ts";

/** The request is sent at once. What reads the answer is loaded here, not when the program starts. */
export function stream(request: ModelRequest, options: StreamOptions): ModelStream {
  return new PulledStream(events(request, options), options.signal);
}

async function* events(request: ModelRequest, options: StreamOptions) {
  const { turnEvents } = await import("./turn.ts");
  return yield* turnEvents(request, options);
}
