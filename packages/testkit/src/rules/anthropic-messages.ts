/** What Anthropic refuses about a Messages request, in the words it uses. */

import { field, isObject, listOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../recorded-request.ts";
import type { WireRequest } from "../wires/wire.ts";
import { samplingFaults } from "./anthropic-sampling.ts";
import { thinkingFaults } from "./anthropic-thinking.ts";
import { firstRefusal, refusal, type Rule } from "./rule.ts";

const FIELDS = new Set(
  `model messages max_tokens system metadata stop_sequences stream temperature top_k top_p tools
   tool_choice thinking service_tier container context_management mcp_servers output_config
   output_format inference_geo cache_control speed`.split(/\s+/),
);

/** The fields of every block that a client may send; any other field is refused. */
const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ["text", "citations", "cache_control"],
  image: ["source", "cache_control"],
  document: ["source", "title", "context", "citations", "cache_control"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
  tool_use: ["id", "name", "input", "caller", "cache_control"],
  tool_result: ["tool_use_id", "content", "is_error", "cache_control"],
};

const MAX_CACHE_BREAKPOINTS = 4;
const TOOL_ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

export function refuseAnthropic({ headers, body }: WireRequest): Refusal | undefined {
  if (!headers["x-api-key"] && !/^Bearer ./.test(headers["authorization"] ?? "")) {
    return { status: 401, message: "x-api-key header is required" };
  }
  if (!headers["anthropic-version"]) return refusal("anthropic-version: header is required");
  if (!isObject(body)) return refusal("The request body is not valid JSON");
  return firstRefusal(RULES, body);
}

const RULES: readonly Rule[] = [
  function* topLevel(body) {
    for (const name of Object.keys(body)) {
      if (!FIELDS.has(name)) yield `${name}: Extra inputs are not permitted`;
    }
    if (typeof body.model !== "string") yield "model: Field required";
    if (body.max_tokens === undefined) yield "max_tokens: Field required";
    if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) {
      yield "max_tokens: Input should be greater than or equal to 1";
    }
    if (!Array.isArray(body.messages)) yield "messages: Field required";
    if (body.stream !== true) yield "stream: The scripted model only streams";
  },

  function* system(body) {
    if (body.system === undefined || typeof body.system === "string") return;
    if (!Array.isArray(body.system)) yield "system: Input should be a valid string or list";
    for (const [i, block] of listOf(body.system).entries()) {
      if (field(block, "type") !== "text") yield `system.${i}.type: Input should be 'text'`;
      if (!field(block, "text")) yield "system: text content blocks must be non-empty";
    }
  },

  function* roles(body) {
    const messages = listOf(body.messages);
    if (messages.length === 0) yield "messages: at least one message is required";
    for (const [i, message] of messages.entries()) {
      const role = field(message, "role");
      if (role !== "user" && role !== "assistant") {
        yield `messages.${i}.role: Input should be 'user' or 'assistant'`;
      }
      for (const name of Object.keys(isObject(message) ? message : {})) {
        if (name !== "role" && name !== "content") {
          yield `messages.${i}.${name}: Extra inputs are not permitted`;
        }
      }
    }
    if (field(messages[0], "role") !== "user") {
      yield 'messages: first message must use the "user" role';
    }
  },

  function* contents(body) {
    const messages = listOf(body.messages);
    for (const [i, message] of messages.entries()) {
      const content = field(message, "content");
      const mayBeEmpty = i === messages.length - 1 && field(message, "role") === "assistant";
      if (typeof content !== "string" && !Array.isArray(content)) {
        yield `messages.${i}.content: Field required`;
      }
      if (!mayBeEmpty && (content === "" || (Array.isArray(content) && content.length === 0))) {
        yield `messages.${i}: all messages must have non-empty content except for the optional final assistant message`;
      }
      for (const [j, block] of listOf(content).entries()) {
        yield* blockFaults(block, String(field(message, "role")), `messages.${i}.content.${j}`);
      }
    }
    const last = messages.at(-1);
    const prefill = field(last, "role") === "assistant" && lastText(last);
    if (prefill && /\s$/.test(prefill)) {
      yield "messages: final assistant content cannot end with trailing whitespace";
    }
  },

  function* toolPairs(body) {
    const messages = listOf(body.messages);
    const seen = new Set<unknown>();
    for (const [i, message] of messages.entries()) {
      const calls = idsOf(message, "tool_use", "id");
      for (const id of calls) {
        if (seen.has(id)) yield `messages.${i}: \`tool_use\` ids must be unique`;
        seen.add(id);
      }
      const results = idsOf(messages[i + 1], "tool_result", "tool_use_id");
      const open = calls.filter((id) => !results.includes(id));
      if (open.length > 0) {
        yield `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
      }
    }
  },

  function* toolResults(body) {
    const messages = listOf(body.messages);
    for (const [i, message] of messages.entries()) {
      const results = idsOf(message, "tool_result", "tool_use_id");
      const calls = idsOf(messages[i - 1], "tool_use", "id");
      const stray = results.find((id) => !calls.includes(id));
      if (stray !== undefined) {
        yield `messages.${i}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(stray)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
      }
      if (new Set(results).size < results.length) {
        yield `messages.${i}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with the same id`;
      }
      const types = listOf(field(message, "content")).map((block) => field(block, "type"));
      if (types.lastIndexOf("tool_result") >= results.length) {
        yield `messages.${i}: \`tool_result\` blocks must come before any other content`;
      }
    }
  },

  function* tools(body) {
    const names = listOf(body.tools).map((tool) => field(tool, "name"));
    if (new Set(names).size < names.length) yield "tools: Tool names must be unique.";
    for (const [i, tool] of listOf(body.tools).entries()) {
      if (!TOOL_NAME.test(String(names[i]))) {
        yield `tools.${i}.name: String should match pattern '${TOOL_NAME.source}'`;
      }
      // Tools of other types are the vendor's own and have no schema.
      if ((field(tool, "type") ?? "custom") !== "custom") continue;
      const schema = field(tool, "input_schema");
      if (field(schema, "type") !== "object") {
        yield `tools.${i}.custom.input_schema.type: Input should be 'object'`;
      }
      if (["oneOf", "allOf", "anyOf"].some((word) => field(schema, word) !== undefined)) {
        yield `tools.${i}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
      }
    }
  },

  thinkingFaults,
  samplingFaults,

  function* cacheBreakpoints(body) {
    const marked = countCacheControl([body.system, body.messages, body.tools]);
    if (marked > MAX_CACHE_BREAKPOINTS) {
      yield `A maximum of ${MAX_CACHE_BREAKPOINTS} blocks with cache_control may be provided. Found ${marked}.`;
    }
  },
];

function* blockFaults(block: unknown, role: string, at: string): Generator<string> {
  const type = String(field(block, "type"));
  const known = BLOCK_FIELDS[type];
  if (!known || !isObject(block)) return yield `${at}.type: Input tag '${type}' is not expected`;
  for (const name of Object.keys(block)) {
    if (name !== "type" && !known.includes(name)) {
      yield `${at}.${type}.${name}: Extra inputs are not permitted`;
    }
  }
  yield* typedFaults(type, block, role, at);
}

function* typedFaults(
  type: string,
  block: JsonObject,
  role: string,
  at: string,
): Generator<string> {
  const assistantOnly = ["tool_use", "thinking", "redacted_thinking"].includes(type);
  if (assistantOnly && role !== "assistant") {
    yield `${at}: \`${type}\` blocks can only be in \`assistant\` messages`;
  }
  if (type === "tool_result" && role !== "user") {
    yield `${at}: \`tool_result\` blocks can only be in \`user\` messages`;
  }
  if (type === "text" && !block.text) yield "messages: text content blocks must be non-empty";
  if (type === "thinking" && !block.signature) yield `${at}.thinking.signature: Field required`;
  if (type === "tool_use" && !TOOL_ID.test(String(block.id))) {
    yield `${at}.tool_use.id: String should match pattern '${TOOL_ID.source}'`;
  }
  if (type === "tool_use" && !isObject(block.input)) {
    yield `${at}.tool_use.input: Input should be a valid dictionary`;
  }
  if (type === "tool_result") {
    for (const [k, inner] of listOf(block.content).entries()) {
      yield* blockFaults(inner, role, `${at}.tool_result.content.${k}`);
    }
  }
  if (type === "image" && !field(block.source, "type")) yield `${at}.image.source: Field required`;
}

function idsOf(message: unknown, type: string, name: string): unknown[] {
  return listOf(field(message, "content"))
    .filter((block) => field(block, "type") === type)
    .map((block) => field(block, name));
}

function lastText(message: unknown): string {
  const content = field(message, "content");
  if (typeof content === "string") return content;
  return String(field(listOf(content).at(-1), "text") ?? "");
}

function countCacheControl(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce((sum: number, item) => sum + countCacheControl(item), 0);
  if (!isObject(value)) return 0;
  // Only blocks and their contents count: the arguments of a tool are the model's own words.
  return (isObject(value.cache_control) ? 1 : 0) + countCacheControl(value.content);
}
