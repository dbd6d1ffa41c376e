/** What OpenAI refuses about a Chat Completions request, in the words it uses. */

import { field, isObject, listOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../recorded-request.ts";
import type { WireRequest } from "../wires/wire.ts";
import { firstRefusal, refusal, type Rule } from "./rule.ts";

const FIELDS = new Set(
  `model messages stream stream_options temperature top_p n stop max_tokens max_completion_tokens
   presence_penalty frequency_penalty logit_bias logprobs top_logprobs user tools tool_choice
   parallel_tool_calls response_format seed store metadata modalities audio prediction
   reasoning_effort service_tier verbosity prompt_cache_key prompt_cache_retention
   safety_identifier web_search_options functions function_call`.split(/\s+/),
);

/** Servers that show their reasoning want it back under the names in the second line. */
const MESSAGE_FIELDS = new Set(
  `role content name tool_calls tool_call_id refusal audio function_call
   reasoning_content reasoning reasoning_details`.split(/\s+/),
);

const ROLES = ["system", "developer", "user", "assistant", "tool", "function"];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const REASONING_MODEL = /^(o\d|gpt-5)/;

export function refuseOpenaiCompletions({ headers, body }: WireRequest): Refusal | undefined {
  if (!/^Bearer ./.test(headers["authorization"] ?? "")) {
    return { status: 401, message: "You didn't provide an API key." };
  }
  if (!isObject(body)) return refusal("We could not parse the JSON body of your request.");
  return firstRefusal(RULES, body);
}

const RULES: readonly Rule[] = [
  function* topLevel(body) {
    for (const name of Object.keys(body)) {
      if (!FIELDS.has(name)) yield `Unknown parameter: '${name}'.`;
    }
    if (typeof body.model !== "string") yield "you must provide a model parameter";
    if (!Array.isArray(body.messages)) yield "Missing required parameter: 'messages'.";
    if (listOf(body.messages).length === 0) {
      yield "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
    }
    if (body.stream_options !== undefined && body.stream !== true) {
      yield "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
    }
    if (body.stream !== true) yield "The scripted model only streams: set 'stream' to true.";
    for (const name of ["temperature", "top_p", "presence_penalty"]) {
      if (body[name] !== undefined && REASONING_MODEL.test(String(body.model))) {
        yield `Unsupported parameter: '${name}' is not supported with this model.`;
      }
    }
    if (body.max_tokens !== undefined && REASONING_MODEL.test(String(body.model))) {
      yield "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    }
  },

  function* messages(body) {
    for (const [i, message] of listOf(body.messages).entries()) {
      const at = `messages[${i}]`;
      if (!isObject(message)) return yield `Invalid type for '${at}': expected an object.`;
      for (const name of Object.keys(message)) {
        if (!MESSAGE_FIELDS.has(name)) yield `Unknown parameter: '${at}.${name}'.`;
      }
      if (!ROLES.includes(String(message.role))) {
        yield `Invalid value: '${String(message.role)}'. Supported values are: ${ROLES.map((role) => `'${role}'`).join(", ")}.`;
      }
      yield* contentFaults(message, at);
      yield* toolCallFaults(message, at);
    }
  },

  function* toolPairs(body) {
    let open: unknown[] = [];
    let hasCalls = false;
    for (const [i, message] of listOf(body.messages).entries()) {
      if (field(message, "role") === "tool") {
        const id = field(message, "tool_call_id");
        if (typeof id !== "string")
          yield `Missing required parameter: 'messages[${i}].tool_call_id'.`;
        if (!hasCalls || !open.includes(id)) {
          yield "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        }
        open = open.filter((waiting) => waiting !== id);
        continue;
      }
      if (open.length > 0) yield unanswered(open);
      open = listOf(field(message, "tool_calls")).map((call) => field(call, "id"));
      hasCalls = open.length > 0;
    }
    if (open.length > 0) yield unanswered(open);
  },

  function* tools(body) {
    if (Array.isArray(body.tools) && body.tools.length === 0) {
      yield "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.";
    }
    for (const [i, tool] of listOf(body.tools).entries()) {
      if (field(tool, "type") !== "function") {
        yield `Invalid value: '${String(field(tool, "type"))}'. Supported values are: 'function' and 'custom'.`;
      }
      const name = String(field(field(tool, "function"), "name"));
      if (!NAME.test(name)) {
        yield `Invalid 'tools[${i}].function.name': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`;
      }
      const parameters = field(field(tool, "function"), "parameters");
      if (parameters !== undefined && field(parameters, "type") !== "object") {
        yield `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${String(field(parameters, "type") ?? "None")}"'.`;
      }
    }
  },
];

function* contentFaults(message: JsonObject, at: string): Generator<string> {
  const { content, role } = message;
  const mayBeNull = role === "assistant" && listOf(message.tool_calls).length > 0;
  if (content === undefined || content === null) {
    if (!mayBeNull) yield `Invalid value for 'content': expected a string, got null. (${at})`;
    return;
  }
  if (typeof content === "string") return;
  if (!Array.isArray(content)) {
    yield `Invalid type for '${at}.content': expected one of a string or array of objects.`;
  }
  for (const [j, part] of listOf(content).entries()) {
    const type = field(part, "type");
    if (type === "text" && typeof field(part, "text") === "string") continue;
    if (type === "image_url" && role === "user" && field(field(part, "image_url"), "url")) continue;
    if (type === "refusal" && role === "assistant") continue;
    if ((type === "input_audio" || type === "file") && role === "user") continue;
    yield `Invalid value: '${String(type)}'. (${at}.content[${j}] of a message with role '${String(role)}')`;
  }
}

function* toolCallFaults(message: JsonObject, at: string): Generator<string> {
  if (message.tool_calls === undefined) return;
  if (message.role !== "assistant") yield `Unknown parameter: '${at}.tool_calls'.`;
  if (listOf(message.tool_calls).length === 0) {
    yield `Invalid '${at}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  }
  for (const [j, call] of listOf(message.tool_calls).entries()) {
    const { id, type } = isObject(call) ? call : {};
    const called = field(call, "function");
    if (typeof id !== "string") yield `Missing required parameter: '${at}.tool_calls[${j}].id'.`;
    if (type !== "function") yield `Missing required parameter: '${at}.tool_calls[${j}].type'.`;
    if (!NAME.test(String(field(called, "name")))) {
      yield `Invalid '${at}.tool_calls[${j}].function.name': string does not match pattern.`;
    }
    if (typeof field(called, "arguments") !== "string") {
      yield `Invalid type for '${at}.tool_calls[${j}].function.arguments': expected a string.`;
    }
  }
}

function unanswered(ids: readonly unknown[]): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`;
}
