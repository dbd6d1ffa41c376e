/** OpenAI Chat Completions, and the many servers that speak it: POST /chat/completions. */

import type { Model, ModelRequest } from "../schema/model.ts";
import { sseFrames } from "../transport/sse.ts";
import { compatFor, isAt, type ResolvedCompat } from "./compat.ts";
import { responseFailure } from "./failure.ts";
import { CompletionsDecoder } from "./openai-completions/decoder.ts";
import { wireMessages } from "./openai-completions/messages.ts";
import { thinkingFields, type BodyFields } from "./openai-completions/thinking.ts";
import { toolFields } from "./openai-completions/tools.ts";
import { isOpenRouter, routingFields, withVariant } from "./openrouter.ts";
import type { Protocol } from "./protocol.ts";
import { samplingAs } from "./sampling.ts";

export const openaiCompletions: Protocol = {
  id: "openai-completions",
  path: () => "/chat/completions",
  headers: (_request, apiKey) => ({
    accept: "text/event-stream",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }),
  body,
  framing: sseFrames,
  decoder: (out, request) => new CompletionsDecoder(out, request),
  failure: responseFailure,
};

function body(request: ModelRequest): object {
  const { model, sessionId } = request;
  const compat = compatFor(model);
  const fields: BodyFields = {
    model: wireModel(model, compat),
    stream: true,
    ...(compat.supportsUsageInStreaming && { stream_options: { include_usage: true } }),
    ...(compat.supportsStore && { store: false }),
    ...(compat.supportsPromptCacheKey && sessionId && { prompt_cache_key: sessionId }),
    ...limitField(request, compat),
    ...samplingAs(compat.samplingFields, request.sampling),
    ...toolFields(request, compat),
    messages: wireMessages(request, compat),
  };
  const extra = [
    ...thinkingFields(request, compat),
    routing(model, compat),
    compat.extraBody ?? {},
  ];
  return extra.reduce(joinFields, fields);
}

/** What two say about one field is joined where both say an object. */
function joinFields(first: BodyFields, second: BodyFields): BodyFields {
  const joined: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const known = joined[key];
    joined[key] = isFields(known) && isFields(value) ? { ...known, ...value } : value;
  }
  return joined;
}

function isFields(value: unknown): value is BodyFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wireModel(model: Model, compat: ResolvedCompat): string {
  const hasVariants = compat.thinkingFormat === "openrouter" || isOpenRouter(model);
  return hasVariants ? withVariant(model, compat) : (model.wireId ?? model.id);
}

/** A host that reserves credit for the limit gets one only where somebody asks for it. */
function limitField({ model, maxTokens }: ModelRequest, compat: ResolvedCompat): BodyFields {
  if (maxTokens === undefined && compat.omitsMaxTokens) return {};
  return { [compat.maxTokensField]: maxTokens ?? model.maxTokens };
}

/** Gateways are told which vendors to use; other servers would refuse the field. */
function routing(model: Model, compat: ResolvedCompat): BodyFields {
  const { vercelGatewayRouting } = compat;
  return {
    ...routingFields(model, compat),
    ...(vercelGatewayRouting &&
      isAt(model, "ai-gateway.vercel.sh") && {
        providerOptions: { gateway: vercelGatewayRouting },
      }),
  };
}
