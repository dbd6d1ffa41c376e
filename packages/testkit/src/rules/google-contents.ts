/** What Google refuses about the turns of a conversation: parts, calls and their responses, signatures. */

import { field, isObject, listOf } from "../json.ts";

const PART_FIELDS = new Set(
  `text thought thoughtSignature inlineData fileData functionCall functionResponse videoMetadata
   executableCode codeExecutionResult mediaResolution`.split(/\s+/),
);
const DATA = ["text", "inlineData", "fileData", "functionCall", "functionResponse"];
const CALL_FIELDS = new Set(["id", "name", "args"]);
const RESPONSE_FIELDS = new Set(["id", "name", "response", "parts", "willContinue", "scheduling"]);

export function* contentFaults(content: unknown, at: string): Generator<string> {
  if (!isObject(content)) return yield `Invalid value at '${at}'`;
  yield* unknownIn(content, new Set(["role", "parts"]), at);
  const parts = listOf(content.parts);
  if (parts.length === 0) {
    yield `* GenerateContentRequest.${at}.parts: contents.parts must not be empty.`;
  }
  for (const [i, part] of parts.entries()) yield* partFaults(part, `${at}.parts[${i}]`);
}

function* partFaults(part: unknown, at: string): Generator<string> {
  yield* unknownIn(part, PART_FIELDS, at);
  const kinds = DATA.filter((name) => field(part, name) !== undefined);
  if (kinds.length !== 1) {
    yield `* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field`;
  }
  yield* unknownIn(field(part, "functionCall"), CALL_FIELDS, `${at}.function_call`);
  yield* unknownIn(field(part, "functionResponse"), RESPONSE_FIELDS, `${at}.function_response`);
  for (const name of ["functionCall", "functionResponse"]) {
    const called = field(part, name);
    if (called !== undefined && !field(called, "name")) {
      yield `* GenerateContentRequest.${at}.${name}.name: Name cannot be empty.`;
    }
  }
  const args = field(field(part, "functionCall"), "args");
  const response = field(field(part, "functionResponse"), "response");
  if (args !== undefined && !isObject(args)) yield `Invalid value at '${at}.function_call.args'`;
  if (response !== undefined && !isObject(response)) {
    yield `Invalid value at '${at}.function_response.response'`;
  }
  const data = field(part, "inlineData");
  if (data !== undefined && (!field(data, "mimeType") || !field(data, "data"))) {
    yield `Unable to process input image at '${at}'.`;
  }
}

/** Calls and their responses follow each other, as many of the one as of the other. */
export function* turnFaults(contents: readonly unknown[]): Generator<string> {
  for (const [i, content] of contents.entries()) {
    const before = contents[i - 1];
    const calls = countOf(content, "functionCall");
    const responses = countOf(content, "functionResponse");
    if (calls > 0 && field(before, "role") !== "user") {
      yield "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
    }
    if (responses > 0 && countOf(before, "functionCall") === 0) {
      yield "Please ensure that function response turn comes immediately after a function call turn.";
    }
    const owed = countOf(before, "functionCall");
    if (owed > 0 && owed !== responses) {
      yield "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    }
  }
}

/** Since the user last spoke, the first call of each step must carry what it was signed with. */
export function* signatureFaults(contents: readonly unknown[]): Generator<string> {
  const spoke = contents.findLastIndex(
    (content) => field(content, "role") === "user" && countOf(content, "text") > 0,
  );
  for (const [i, content] of contents.entries()) {
    const call = listOf(field(content, "parts")).find((part) => field(part, "functionCall"));
    if (i < spoke || !call || field(call, "thoughtSignature")) continue;
    const name = String(field(field(call, "functionCall"), "name"));
    yield `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call \`default_api:${name}\`, position ${i + 1}.`;
  }
}

function countOf(content: unknown, kind: string): number {
  return listOf(field(content, "parts")).filter((part) => field(part, kind) !== undefined).length;
}

export function* unknownIn(value: unknown, known: ReadonlySet<string>, at = ""): Generator<string> {
  for (const name of isObject(value) ? Object.keys(value) : []) {
    if (known.has(name)) continue;
    yield `Invalid JSON payload received. Unknown name "${name}"${at && ` at '${at}'`}: Cannot find field.`;
  }
}
