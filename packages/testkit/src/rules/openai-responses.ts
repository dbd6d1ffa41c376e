/** What OpenAI refuses about a Responses request, in the words it uses; Azure and ChatGPT by their paths. */

import { field, isObject, listOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../recorded-request.ts";
import type { WireRequest } from "../wires/wire.ts";
import { inputRules } from "./openai-responses-input.ts";
import { firstRefusal, refusal, type Rule } from "./rule.ts";

const FIELDS = new Set(
  `model input instructions stream stream_options store include max_output_tokens max_tool_calls
   metadata parallel_tool_calls previous_response_id conversation prompt prompt_cache_key
   prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier temperature
   text tool_choice tools top_logprobs top_p truncation user background context_management
   moderation`.split(/\s+/),
);

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const REASONING_MODEL = /^(o\d|gpt-5|codex)/;
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const SEALED = "reasoning.encrypted_content";

export function refuseOpenaiResponses(request: WireRequest): Refusal | undefined {
  const { headers, body, path } = request;
  const key = /^Bearer (.+)/.exec(headers["authorization"] ?? "")?.[1];
  const isAzure = path.includes("/openai/");
  if (!key && !(isAzure && headers["api-key"])) {
    return { status: 401, message: "You didn't provide an API key." };
  }
  if (!isObject(body)) return refusal("We could not parse the JSON body of your request.");
  if (!path.includes("/codex/")) return firstRefusal(RULES, body);
  const isOtherAccount = headers["chatgpt-account-id"] !== accountIn(key ?? "");
  if (isOtherAccount) return { status: 401, message: "The token is not for this account." };
  return firstRefusal([codex, ...RULES], body);
}

const RULES: readonly Rule[] = [
  function* topLevel(body) {
    for (const name of Object.keys(body)) {
      if (!FIELDS.has(name)) yield `Unknown parameter: '${name}'.`;
    }
    if (typeof body.model !== "string") yield "Missing required parameter: 'model'.";
    if (body.stream !== true) yield "The scripted model only streams: set 'stream' to true.";
    const limit = body.max_output_tokens;
    if (typeof limit === "number" && limit < 16) {
      yield `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`;
    }
    const key = body.prompt_cache_key;
    if (typeof key === "string" && key.length > 64) {
      yield `Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length ${key.length} instead.`;
    }
  },

  function* reasoning(body) {
    const thinks = REASONING_MODEL.test(String(body.model));
    const effort = field(body.reasoning, "effort");
    if (effort !== undefined && !thinks) {
      yield "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
    }
    if (effort !== undefined && !EFFORTS.includes(String(effort))) {
      yield `Invalid value: '${String(effort)}'. Supported values are: ${EFFORTS.map((word) => `'${word}'`).join(", ")}.`;
    }
    for (const name of ["temperature", "top_p"]) {
      if (body[name] !== undefined && thinks && effort !== "none") {
        yield `Unsupported parameter: '${name}' is not supported with this model.`;
      }
    }
    if (listOf(body.include).includes(SEALED) && !thinks) {
      yield "Encrypted content is not supported with this model.";
    }
  },

  ...inputRules,

  function* tools(body) {
    for (const [i, tool] of listOf(body.tools).entries()) {
      if (field(tool, "type") !== "function") {
        yield `Invalid value: '${String(field(tool, "type"))}'. (tools[${i}].type)`;
      }
      const name = String(field(tool, "name"));
      if (field(tool, "name") === undefined) {
        yield `Missing required parameter: 'tools[${i}].name'.`;
      }
      if (!NAME.test(name)) {
        yield `Invalid 'tools[${i}].name': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`;
      }
      const fault = schemaFault(field(tool, "parameters"), field(tool, "strict") === true);
      if (fault) yield `Invalid schema for function '${name}': ${fault}`;
    }
  },
];

/** The backend of ChatGPT takes less than the API. */
const codex: Rule = function* codex(body) {
  for (const name of ["max_output_tokens", "temperature", "top_p"]) {
    if (body[name] !== undefined) yield `Unsupported parameter: ${name}`;
  }
  if (typeof body.instructions !== "string" || body.instructions === "") {
    yield "Instructions are required";
  }
  if (body.store !== false) yield "Store must be set to false";
  for (const item of listOf(body.input)) {
    if (field(item, "role") === "system") yield "System messages are not allowed";
  }
};

/** A token that is a JWT says whose it is. */
function accountIn(token: string): unknown {
  const [, claims = ""] = token.split(".");
  if (claims === "") return undefined;
  const read: unknown = JSON.parse(Buffer.from(claims, "base64url").toString());
  return field(field(read, "https://api.openai.com/auth"), "chatgpt_account_id");
}

function schemaFault(schema: unknown, isStrict: boolean): string | undefined {
  if (schema === undefined || schema === null) return undefined;
  if (!isObject(schema) || schema.type !== "object") {
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(field(schema, "type") ?? "None")}"'.`;
  }
  if (JSON.stringify(schema).includes('"oneOf":[')) {
    return "In context=(), 'oneOf' is not permitted.";
  }
  return isStrict ? strictFault(schema) : undefined;
}

function strictFault(schema: JsonObject): string | undefined {
  if (schema.additionalProperties !== false) {
    return "In context=(), 'additionalProperties' is required to be supplied and to be false.";
  }
  const optional = Object.keys(isObject(schema.properties) ? schema.properties : {}).filter(
    (name) => !listOf(schema.required).includes(name),
  );
  if (optional.length === 0) return undefined;
  return `In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing '${optional[0]}'.`;
}
