/** Server-sent events: bytes in, frames out. */

import { createParser } from "eventsource-parser";
import { ProviderError } from "../schema/fault.ts";
import type { Frame } from "./frame.ts";

/** A frame longer than this is not an answer but an accident or an attack. */
const MAX_FRAME_CHARACTERS = 32 * 1024 * 1024;

/** The events of each chunk together. An event that the connection cut in half is dropped, as the standard asks. */
export async function* sseFrames(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Frame[]> {
  let ready: Frame[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_FRAME_CHARACTERS,
    onEvent: ({ event, data }) => ready.push(event === undefined ? { data } : { event, data }),
    // Unknown fields are to be ignored, too; only a full buffer ends the stream.
    onError: (error) => (isTooLong ||= error.type === "max-buffer-size-exceeded"),
  });
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (ready.length > 0) yield ready;
    ready = [];
    if (isTooLong) throw new ProviderError({ kind: "malformed" }, "The answer has no end of line");
  }
}
