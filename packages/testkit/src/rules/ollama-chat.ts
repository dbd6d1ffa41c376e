/** What Ollama refuses about a chat request, in the words it uses. Fields it does not know it passes over. */

import { field, isObject, listOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../recorded-request.ts";
import type { WireRequest } from "../wires/wire.ts";
import { firstRefusal, refusal, type Rule } from "./rule.ts";

const ROLES = ["system", "user", "assistant", "tool"];
const WORDS = ["high", "medium", "low"];

export function refuseOllama({ body }: WireRequest): Refusal | undefined {
  if (!isObject(body)) return refusal("invalid character in request body");
  return firstRefusal(RULES, body);
}

const RULES: readonly Rule[] = [
  function* topLevel(body) {
    if (typeof body.model !== "string" || body.model === "") yield "model is required";
    if (body.stream === false) yield "The scripted model only streams: leave 'stream' true.";
    const { think } = body;
    if (think !== undefined && typeof think !== "boolean" && !WORDS.includes(String(think))) {
      yield `invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", true, or false)`;
    }
    const limit = field(body.options, "num_predict");
    if (limit !== undefined && !Number.isInteger(limit)) {
      yield 'option "num_predict" must be of type integer';
    }
  },

  function* messages(body) {
    for (const message of listOf(body.messages)) {
      if (!isObject(message)) return yield wrongType("messages", "api.Message");
      const { role, content, thinking } = message;
      if (!ROLES.includes(String(role))) {
        yield `invalid role: ${JSON.stringify(role)}, must be one of ["system", "user", "assistant", "tool"]`;
      }
      if (typeof content !== "string") yield wrongType("messages.content", "string");
      if (thinking !== undefined && typeof thinking !== "string") {
        yield wrongType("messages.thinking", "string");
      }
      yield* imageFaults(message);
      yield* callFaults(message);
    }
  },

  function* tools(body) {
    for (const tool of listOf(body.tools)) {
      if (!isObject(field(tool, "function"))) yield wrongType("tools.function", "api.ToolFunction");
    }
  },
];

function* imageFaults({ images }: JsonObject): Generator<string> {
  for (const image of listOf(images)) {
    if (typeof image !== "string" || !/^[A-Za-z0-9+/]+={0,2}$/.test(image)) {
      yield "illegal base64 data at input byte 0";
    }
  }
}

function* callFaults({ tool_calls: calls }: JsonObject): Generator<string> {
  for (const call of listOf(calls)) {
    if (!isObject(field(field(call, "function"), "arguments"))) {
      yield wrongType("messages.tool_calls.function.arguments", "map[string]interface {}");
    }
  }
}

function wrongType(name: string, type: string): string {
  return `json: cannot unmarshal value into Go struct field ChatRequest.${name} of type ${type}`;
}
