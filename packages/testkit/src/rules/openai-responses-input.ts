/** What OpenAI refuses about the items of a Responses request. */

import { field, isObject, listOf, type JsonObject } from "../json.ts";
import type { Rule } from "./rule.ts";

/** Item → its fields, and what its id begins with. */
const ITEMS: Readonly<Record<string, { readonly fields: string; readonly prefix: string }>> = {
  message: { fields: "type role content id status phase", prefix: "msg" },
  function_call: { fields: "type id call_id name arguments status", prefix: "fc" },
  function_call_output: { fields: "type id call_id output status", prefix: "fc" },
  reasoning: { fields: "type id summary content encrypted_content status", prefix: "rs" },
};

const ROLES = ["assistant", "system", "developer", "user"];
const LONGEST_ID = 64;

export const inputRules: readonly Rule[] = [
  function* items(body) {
    if (typeof body.input === "string") return;
    if (listOf(body.input).length === 0) yield "Missing required parameter: 'input'.";
    for (const [i, item] of listOf(body.input).entries()) {
      const at = `input[${i}]`;
      if (!isObject(item)) return yield `Invalid type for '${at}': expected an object.`;
      const known = ITEMS[typeOf(item)];
      if (!known) {
        return yield `Invalid value: '${typeOf(item)}'. Supported values are: ${quoted(Object.keys(ITEMS))}.`;
      }
      for (const name of Object.keys(item)) {
        if (!known.fields.split(" ").includes(name)) yield `Unknown parameter: '${at}.${name}'.`;
      }
      yield* idFaults(item, at, known.prefix);
      yield* itemFaults(item, at, body);
    }
  },

  function* duplicates(body) {
    const seen = new Set<unknown>();
    for (const item of listOf(body.input)) {
      const id = field(item, "id");
      if (id !== undefined && seen.has(id)) {
        yield `Duplicate item found with id ${String(id)}. Remove duplicate items from your input and try again.`;
      }
      seen.add(id);
    }
  },

  function* pairs(body) {
    const calls = idsOf(body, "function_call");
    const outputs = idsOf(body, "function_call_output");
    for (const id of outputs) {
      if (!calls.includes(id))
        yield `No tool call found for function call output with call_id ${String(id)}.`;
    }
    for (const id of calls) {
      if (!outputs.includes(id)) yield `No tool output found for function call ${String(id)}.`;
    }
  },

  function* followed(body) {
    const input = listOf(body.input);
    for (const [i, item] of input.entries()) {
      if (!isObject(item) || item.type !== "reasoning") continue;
      const next = input[i + 1];
      const isAnswer = isObject(next) && (next.role === "assistant" || next.role === undefined);
      if (!isAnswer || next.type === "function_call_output") {
        yield `Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`;
      }
    }
  },
];

function typeOf(item: JsonObject): string {
  return typeof item.type === "string" ? item.type : "message";
}

function* idFaults(item: JsonObject, at: string, prefix: string): Generator<string> {
  for (const name of ["id", "call_id"]) {
    const id = item[name];
    if (id === undefined) continue;
    if (typeof id !== "string" || id === "") {
      return yield `Invalid type for '${at}.${name}': expected a string.`;
    }
    if (id.length > LONGEST_ID) {
      yield `Invalid '${at}.${name}': string too long. Expected a string with maximum length ${LONGEST_ID}, but got a string with length ${id.length} instead.`;
    }
  }
  if (item.id === undefined) return;
  if (!/^[a-zA-Z0-9_-]*$/.test(String(item.id))) {
    yield `Invalid '${at}.id': '${String(item.id)}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`;
  }
  if (!String(item.id).startsWith(prefix)) {
    yield `Invalid '${at}.id': '${String(item.id)}'. Expected an ID that begins with '${prefix}'.`;
  }
}

function* itemFaults(item: JsonObject, at: string, body: JsonObject): Generator<string> {
  switch (typeOf(item)) {
    case "message":
      return yield* messageFaults(item, at);
    case "function_call":
      for (const name of ["call_id", "name", "arguments"]) {
        if (item[name] === undefined) yield `Missing required parameter: '${at}.${name}'.`;
      }
      if (typeof item.arguments !== "string") {
        yield `Invalid type for '${at}.arguments': expected a string.`;
      }
      return;
    case "function_call_output":
      if (item.call_id === undefined) yield `Missing required parameter: '${at}.call_id'.`;
      return yield* contentFaults(item.output, `${at}.output`, INPUT_PARTS);
    default:
      if (!Array.isArray(item.summary)) yield `Missing required parameter: '${at}.summary'.`;
      if (body.store === false && !item.encrypted_content) {
        yield `Item with id '${String(item.id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
      }
  }
}

const INPUT_PARTS = ["input_text", "input_image", "input_file"];
const OUTPUT_PARTS = ["output_text", "refusal"];

function* messageFaults(item: JsonObject, at: string): Generator<string> {
  const role = String(item.role);
  if (!ROLES.includes(role)) {
    yield `Invalid value: '${role}'. Supported values are: ${quoted(ROLES)}.`;
  }
  if (item.id !== undefined && role !== "assistant") yield `Unknown parameter: '${at}.id'.`;
  const parts = role === "assistant" ? OUTPUT_PARTS : INPUT_PARTS;
  yield* contentFaults(item.content, `${at}.content`, parts);
}

function* contentFaults(content: unknown, at: string, types: readonly string[]): Generator<string> {
  if (typeof content === "string") return;
  if (!Array.isArray(content)) {
    yield `Invalid type for '${at}': expected one of a string or array of objects.`;
  }
  for (const [j, part] of listOf(content).entries()) {
    const type = String(field(part, "type"));
    if (!types.includes(type)) {
      yield `Invalid value: '${type}'. Supported values are: ${quoted(types)}. (${at}[${j}])`;
    }
    if (type.endsWith("_text") && typeof field(part, "text") !== "string") {
      yield `Missing required parameter: '${at}[${j}].text'.`;
    }
    if (type === "input_image" && typeof field(part, "image_url") !== "string") {
      yield `Missing required parameter: '${at}[${j}].image_url'.`;
    }
  }
}

function idsOf(body: JsonObject, type: string): unknown[] {
  return listOf(body.input)
    .filter((item) => field(item, "type") === type)
    .map((item) => field(item, "call_id"));
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(", ");
}
