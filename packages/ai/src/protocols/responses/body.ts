/** What one request of the Responses family asks for, besides its headers. */

import type { Model, ModelRequest, ToolSchema } from "../../schema/model.ts";
import { toolParameters } from "../../tool-schema/index.ts";
import { compatFor } from "../compat.ts";
import { isOpenRouter, routingFields, withVariant } from "../openrouter.ts";
import { samplingAs } from "../sampling.ts";
import { systemText } from "../system-prompt.ts";
import { effortOf } from "./effort.ts";
import { inputItems, instructionRole, isVendor } from "./input.ts";

type Fields = Readonly<Record<string, unknown>>;

export function responsesBody(request: ModelRequest): object {
  const { model, messages } = request;
  const system = { role: instructionRole(model), content: systemText(request) };
  return {
    ...responsesFields(request),
    ...limitOf(request),
    ...samplingOf(request),
    input: [...(system.content ? [system] : []), ...inputItems(messages, model)],
  };
}

/** Everything but the conversation, the limit of the answer and its sampling. */
export function responsesFields(request: ModelRequest): Fields {
  const { model } = request;
  return {
    model: model.id,
    stream: true,
    ...(model.compat?.supportsStore !== false && { store: false }),
    ...toolFields(request),
    ...reasoningFields(request),
    ...cacheFields(request),
    ...(isOpenRouter(model) && openRouterFields(request)),
    ...model.compat?.extraBody,
  };
}

function openRouterFields({ model, thinking = "off" }: ModelRequest): Fields {
  const compat = compatFor(model);
  const rests = model.reasoning && thinking === "off" && !compat.alwaysReasons;
  return {
    model: withVariant(model, compat),
    ...(rests && { reasoning: { enabled: false } }),
    ...routingFields(model, compat),
  };
}

/** The vendor takes no smaller number. */
const LEAST_TOKENS = 16;

function limitOf({ model, maxTokens }: ModelRequest): Fields {
  if (model.compat?.omitsMaxTokens) return {};
  // This host reserves credit for the limit.
  if (maxTokens === undefined && isOpenRouter(model)) return {};
  return { max_output_tokens: Math.max(LEAST_TOKENS, maxTokens ?? model.maxTokens) };
}

const SAMPLING = { temperature: "temperature", topP: "top_p" };

/** The vendor's models that think are refused with it; the others only speak like the vendor. */
function samplingOf(request: ModelRequest): Fields {
  const { model, sampling } = request;
  const thinks = model.reasoning && effortOf(request) !== "none";
  return thinks && isVendor(model) ? {} : samplingAs(SAMPLING, sampling);
}

function toolFields({ model, tools, toolChoice = "auto" }: ModelRequest): Fields {
  if (tools.length === 0) return {};
  const isFree = toolChoice === "auto" || model.compat?.supportsToolChoice === false;
  const named =
    typeof toolChoice === "string" ? toolChoice : { type: "function", name: toolChoice.name };
  return {
    tools: tools.map((tool) => wireTool(tool, isStrict(tool, model))),
    ...(!isFree && { tool_choice: named }),
  };
}

/** Servers that only speak like the vendor have to be known for it. */
function isStrict({ strict }: ToolSchema, model: Model): boolean {
  const { toolStrictMode, supportsStrictMode } = model.compat ?? {};
  const wantsAll = toolStrictMode === "all_strict";
  if (model.disableStrictTools || toolStrictMode === "none" || strict === false) return false;
  return (supportsStrictMode ?? (wantsAll || isVendor(model))) && (wantsAll || strict === true);
}

/** `strict` is always said: this API takes its absence for a yes. */
function wireTool(tool: ToolSchema, isStrict: boolean): object {
  const { name, description } = tool;
  const { parameters, strict } = toolParameters("openai-responses", tool, { strict: isStrict });
  return { type: "function", name, description, parameters, strict };
}

/** Nothing is stored at the vendor's, so that thoughts have to travel: sealed, and only when asked for. */
function reasoningFields(request: ModelRequest): Fields {
  if (!request.model.reasoning) return {};
  const effort = effortOf(request);
  return {
    include: ["reasoning.encrypted_content"],
    ...(effort !== undefined && {
      reasoning: { effort, ...(effort !== "none" && { summary: "auto" }) },
    }),
  };
}

const LONGEST_CACHE_KEY = 64;

function cacheFields({ model, sessionId, cacheRetention }: ModelRequest): Fields {
  if (model.compat?.supportsPromptCacheKey === false) return {};
  return {
    ...(sessionId !== undefined && { prompt_cache_key: sessionId.slice(0, LONGEST_CACHE_KEY) }),
    ...(cacheRetention === "long" && isVendor(model) && { prompt_cache_retention: "24h" }),
  };
}
