/** Vertex AI: POST /publishers/<publisher>/models/<id>:streamGenerateContent, and Claude's :streamRawPredict. */

import type { Model, ModelRequest } from "../schema/model.ts";
import { sseFrames } from "../transport/sse.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { responseFailure } from "./failure.ts";
import { googleBody } from "./google/body.ts";
import { GoogleDecoder } from "./google/decoder.ts";
import { googleFailure } from "./google/failure.ts";
import type { Protocol } from "./protocol.ts";

/**
 * The base URL says whose project it is: `<host>/v1/projects/<project>/locations/<location>`, or `<host>/v1`
 * with a key of its own. Without a key the request is signed by its sender.
 */
export const googleVertex: Protocol = {
  id: "google-vertex",
  path,
  headers,
  body: (request) => (isClaude(request.model) ? claudeBody(request) : googleBody(request)),
  framing: sseFrames,
  decoder: (out, request) =>
    isClaude(request.model) ? anthropicMessages.decoder(out, request) : new GoogleDecoder(out),
  failure: (response) =>
    // Claude's own errors carry a type; everything else speaks as Google does.
    /"type"\s*:\s*"error"/.test(response.text)
      ? responseFailure(response)
      : googleFailure(response),
  again: (request, error) =>
    isClaude(request.model) ? anthropicMessages.again?.(request, error) : undefined,
};

function headers(request: ModelRequest, apiKey: string | undefined): Record<string, string> {
  const claude = isClaude(request.model) ? anthropicMessages.headers(request, undefined) : {};
  const beta = claude["anthropic-beta"];
  return {
    accept: "text/event-stream",
    ...(apiKey !== undefined && { "x-goog-api-key": apiKey }),
    ...(beta && { "anthropic-beta": beta }),
  };
}

function path(model: Model): string {
  if (isClaude(model)) return `/publishers/anthropic/models/${model.id}:streamRawPredict`;
  return `/publishers/google/models/${model.id}:streamGenerateContent?alt=sse`;
}

function isClaude({ id, wireId = id }: Model): boolean {
  return wireId.startsWith("claude-");
}

/** The path names the model, and the body the version that is a header elsewhere. */
function claudeBody(request: ModelRequest): object {
  const { model: _model, ...body } = anthropicMessages.body(request) as { model?: unknown };
  return { anthropic_version: "vertex-2023-10-16", ...body };
}
