/** OpenAI Responses, and the servers that speak it: POST /responses. What it shares with its siblings is in `responses/`. */

import type { Model, ModelRequest } from "../schema/model.ts";
import { sseFrames } from "../transport/sse.ts";
import { responseFailure } from "./failure.ts";
import type { Protocol } from "./protocol.ts";
import { responsesBody } from "./responses/body.ts";
import { ResponsesDecoder } from "./responses/decoder.ts";

export const openaiResponses: Protocol = {
  id: "openai-responses",
  path: (model) => (lacksVersion(model) ? "/v1/responses" : "/responses"),
  headers,
  body: responsesBody,
  framing: sseFrames,
  decoder: (out, { model }) => new ResponsesDecoder(out, model.provider === "ollama"),
  failure: responseFailure,
};

/** These two are known by their plain addresses, under which they keep the vendor's API apart from their own. */
function lacksVersion({ provider, baseUrl }: Model): boolean {
  return /^(ollama|llama\.cpp)$/.test(provider) && !/\/v1\/*$/.test(baseUrl);
}

function headers(_request: ModelRequest, apiKey: string | undefined) {
  return {
    accept: "text/event-stream",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
}
