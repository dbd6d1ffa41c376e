/** What Bedrock refuses about a Converse request, in the words it uses. */

import { field, isObject, listOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../recorded-request.ts";
import type { WireRequest } from "../wires/wire.ts";
import { firstRefusal, refusal, type Rule } from "./rule.ts";

const FIELDS = new Set(
  `messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields
   promptVariables additionalModelResponseFieldPaths requestMetadata performanceConfig serviceTier
   outputConfig`.split(/\s+/),
);
const BLOCKS = new Set(
  `text image document video audio toolUse toolResult guardContent cachePoint reasoningContent
   citationsContent searchResult`.split(/\s+/),
);
const IMAGE_FORMATS = new Set(["png", "jpeg", "gif", "webp"]);
const TOOL_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_CACHE_POINTS = 4;
const MIN_THINKING_BUDGET = 1024;

const SIGNATURE =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[a-z0-9-]+\/bedrock\/aws4_request, SignedHeaders=[a-z0-9;-]*host;x-amz-date[a-z0-9;-]*, Signature=[0-9a-f]{64}$/;

export function refuseBedrock({ headers, body }: WireRequest): Refusal | undefined {
  const authorization = headers["authorization"] ?? "";
  if (!/^Bearer ./.test(authorization) && !SIGNATURE.test(authorization)) {
    return { status: 403, message: "Missing Authentication Token" };
  }
  if (!isObject(body)) return refusal("The request body is not valid JSON");
  return firstRefusal(RULES, body);
}

const RULES: readonly Rule[] = [
  function* topLevel(body) {
    for (const name of Object.keys(body)) {
      if (!FIELDS.has(name)) yield `Unexpected field '${name}'`;
    }
    const maxTokens = field(body.inferenceConfig, "maxTokens");
    if (maxTokens !== undefined && !(Number(maxTokens) >= 1)) {
      yield "Value at 'inferenceConfig.maxTokens' failed to satisfy constraint: Member must have value greater than or equal to 1";
    }
    for (const block of listOf(body.system)) {
      if (isObject(block) && "text" in block && !block.text) {
        yield "The text field in the system content block is blank.";
      }
    }
  },

  function* turns(body) {
    const messages = listOf(body.messages);
    if (field(messages[0], "role") !== "user") {
      yield "A conversation must start with a user message. Try again with a conversation that starts with a user message.";
    }
    for (const [i, message] of messages.entries()) {
      if (i > 0 && field(message, "role") === field(messages[i - 1], "role")) {
        yield "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.";
      }
      const content = listOf(field(message, "content"));
      if (content.length === 0) {
        yield `The content field in the Message object at messages.${i} is empty. Add a ContentBlock object to the content field and try again.`;
      }
      for (const [j, block] of content.entries()) {
        yield* blockFaults(block, String(field(message, "role")), `messages.${i}.content.${j}`);
      }
    }
  },

  function* toolPairs(body) {
    const messages = listOf(body.messages);
    for (const [i, message] of messages.entries()) {
      const calls = idsOf(message, "toolUse");
      const results = idsOf(messages[i + 1], "toolResult");
      const open = calls.filter((id) => !results.includes(id));
      if (open.length > 0) {
        yield `Expected toolResult blocks at messages.${i + 1}.content for the following Ids: ${open.join(", ")}`;
      }
      const stray = idsOf(message, "toolResult").find(
        (id) => !idsOf(messages[i - 1], "toolUse").includes(id),
      );
      if (stray !== undefined) {
        yield `The number of toolResult blocks at messages.${i}.content exceeds the number of toolUse blocks of previous turn.`;
      }
    }
  },

  function* tools(body) {
    const tools = listOf(field(body.toolConfig, "tools"));
    const hasHistory = listOf(body.messages).some(
      (message) => [...idsOf(message, "toolUse"), ...idsOf(message, "toolResult")].length > 0,
    );
    if (hasHistory && tools.length === 0) {
      yield "The toolConfig field must be defined when using toolUse and toolResult content blocks.";
    }
    for (const [i, tool] of tools.entries()) {
      const spec = field(tool, "toolSpec");
      if (spec === undefined) continue;
      if (!TOOL_NAME.test(String(field(spec, "name")))) {
        yield `Value at 'toolConfig.tools.${i}.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`;
      }
      if (field(spec, "description") === "") {
        yield `Value at 'toolConfig.tools.${i}.member.toolSpec.description' failed to satisfy constraint: Member must have length greater than or equal to 1`;
      }
      if (field(field(field(spec, "inputSchema"), "json"), "type") !== "object") {
        yield `The value at toolConfig.tools.${i}.toolSpec.inputSchema.json.type must be one of the following: object.`;
      }
    }
  },

  function* thinking(body) {
    const thinking = field(body.additionalModelRequestFields, "thinking");
    if (field(thinking, "type") !== "enabled") return;
    const budget = Number(field(thinking, "budget_tokens"));
    if (!(budget >= MIN_THINKING_BUDGET)) {
      yield `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_THINKING_BUDGET}`;
    }
    if (budget >= Number(field(body.inferenceConfig, "maxTokens"))) {
      yield "`max_tokens` must be greater than `thinking.budget_tokens`.";
    }
    if ((field(body.inferenceConfig, "temperature") ?? 1) !== 1) {
      yield "`temperature` may only be set to 1 when thinking is enabled.";
    }
    const choice = field(body.toolConfig, "toolChoice");
    if (isObject(choice) && !("auto" in choice)) {
      yield "Thinking may not be enabled when tool_choice forces tool use.";
    }
  },

  function* cachePoints(body) {
    const blocks = [
      ...listOf(body.system),
      ...listOf(field(body.toolConfig, "tools")),
      ...listOf(body.messages).flatMap((message) => listOf(field(message, "content"))),
    ];
    const count = blocks.filter((block) => isObject(block) && "cachePoint" in block).length;
    if (count > MAX_CACHE_POINTS) {
      yield `A maximum of ${MAX_CACHE_POINTS} cache points may be provided. Found ${count}.`;
    }
  },
];

/** A block is an object with one field, which is its kind. */
function* blockFaults(block: unknown, role: string, at: string): Generator<string> {
  const kinds = isObject(block) ? Object.keys(block) : [];
  const [kind = ""] = kinds;
  if (!isObject(block) || kinds.length !== 1 || !BLOCKS.has(kind)) {
    return yield `The ContentBlock object at ${at} must set one of the following keys: ${[...BLOCKS].join(", ")}.`;
  }
  yield* kindFaults(kind, block, role, at);
}

function* kindFaults(kind: string, block: JsonObject, role: string, at: string): Generator<string> {
  const inner = block[kind];
  if (kind === "text" && String(inner).trim() === "") {
    yield `The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`;
  }
  if ((kind === "toolUse" || kind === "reasoningContent") && role !== "assistant") {
    yield `The ${kind} block at ${at} can only be in an assistant message.`;
  }
  if (kind === "toolResult" && role !== "user") {
    yield `The toolResult block at ${at} can only be in a user message.`;
  }
  if (
    (kind === "toolUse" || kind === "toolResult") &&
    !TOOL_ID.test(String(field(inner, "toolUseId")))
  ) {
    yield `Value at '${at}.${kind}.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`;
  }
  if (kind === "toolUse" && !isObject(field(inner, "input"))) {
    yield `The format of the value at ${at}.toolUse.input is invalid. Provide a json object for the field and try again.`;
  }
  if (kind === "image" && !IMAGE_FORMATS.has(String(field(inner, "format")))) {
    yield `Value at '${at}.image.format' failed to satisfy constraint: Member must satisfy enum value set: [png, jpeg, gif, webp]`;
  }
  const thought = field(inner, "reasoningText");
  if (kind === "reasoningContent" && isObject(thought) && !thought.signature) {
    yield `${at}.thinking.signature: Field required`;
  }
  if (kind === "toolResult") {
    for (const [k, part] of listOf(field(inner, "content")).entries()) {
      yield* blockFaults(part, role, `${at}.toolResult.content.${k}`);
    }
  }
}

function idsOf(message: unknown, kind: string): unknown[] {
  return listOf(field(message, "content")).flatMap((block) =>
    isObject(block) && kind in block ? [field(block[kind], "toolUseId")] : [],
  );
}
