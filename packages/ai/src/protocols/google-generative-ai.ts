/** Gemini API: POST /models/<id>:streamGenerateContent. */

import type { Model } from "../schema/model.ts";
import { sseFrames } from "../transport/sse.ts";
import { googleBody } from "./google/body.ts";
import { GoogleDecoder } from "./google/decoder.ts";
import { googleFailure } from "./google/failure.ts";
import type { Protocol } from "./protocol.ts";

export const googleGenerativeAi: Protocol = {
  id: "google-generative-ai",
  path,
  headers: (_request, apiKey) => ({
    accept: "text/event-stream",
    ...(apiKey !== undefined && { "x-goog-api-key": apiKey }),
  }),
  body: googleBody,
  framing: sseFrames,
  decoder: (out) => new GoogleDecoder(out),
  failure: googleFailure,
};

/** Tuned models are named with their collection. */
function path({ id }: Model): string {
  const name = id.includes("/") ? id : `models/${id}`;
  return `/${name}:streamGenerateContent?alt=sse`;
}
