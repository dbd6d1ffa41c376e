/** Responses requests that OpenAI takes and those it refuses, as tables; and how its other doors differ. */

import { describe, expect, test } from "bun:test";
import { say, scriptedModel, turn } from "../index.ts";

const hi = { role: "user", content: [{ type: "input_text", text: "hi" }] };
const call = (call_id: string, more: object = {}) => ({
  type: "function_call",
  call_id,
  name: "read",
  arguments: "{}",
  ...more,
});
const output = (call_id: string, result: unknown = "done") => ({
  type: "function_call_output",
  call_id,
  output: result,
});
const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" };
const said = {
  type: "message",
  role: "assistant",
  id: "msg_1",
  status: "completed",
  content: [{ type: "output_text", text: "so", annotations: [] }],
};
const tool = (more: object) => ({ tools: [{ type: "function", name: "read", ...more }] });
const image = { type: "input_image", image_url: "data:image/png;base64,AA" };

describe("openai-responses", () => {
  const accepts: [string, object][] = [
    ["a plain question", {}],
    ["a question that is only text", { input: "hi" }],
    ["developer and system words", { input: [{ role: "developer", content: "x" }, hi] }],
    ["an answer without ids", { input: [hi, { role: "assistant", content: "so" }, hi] }],
    ["an answer with its thought", { input: [hi, thought, said, hi] }],
    ["a call after its thought", { input: [hi, thought, call("a", { id: "fc_1" }), output("a")] }],
    [
      "calls answered in any order",
      { input: [hi, call("a"), call("b"), output("b"), output("a", [image]), hi] },
    ],
    ["any letters in the id of a call", { input: [hi, call("a.b:0"), output("a.b:0")] }],
    ["a tool that is not strict", tool({ parameters: { type: "object" }, strict: false })],
    [
      "a tool that is",
      tool({
        strict: true,
        parameters: {
          type: "object",
          properties: { a: {} },
          required: ["a"],
          additionalProperties: false,
        },
      }),
    ],
  ];
  test.each(accepts)("takes %s", async (_, change) => {
    expect(await refusalOf(change)).toBeUndefined();
  });

  const refuses: [string, object, string][] = [
    ["a missing model", { model: undefined }, "Missing required parameter: 'model'."],
    ["no input", { input: [] }, "Missing required parameter: 'input'."],
    ["an unknown field", { max_tokens: 9 }, "Unknown parameter: 'max_tokens'."],
    ["a request that does not stream", { stream: false }, "only streams"],
    ["a tiny limit", { max_output_tokens: 5 }, "Expected a value >= 16, but got 5"],
    ["a long cache key", { prompt_cache_key: "x".repeat(65) }, "maximum length 64"],
    ["an unknown effort", { reasoning: { effort: "huge" } }, "Invalid value: 'huge'."],
    [
      "effort of a model that has none",
      { model: "gpt-4.1", reasoning: { effort: "low" } },
      "'reasoning.effort' is not supported",
    ],
    [
      "sealed thoughts of a model that has none",
      { model: "gpt-4.1", include: ["reasoning.encrypted_content"] },
      "Encrypted content is not supported",
    ],
    ["an item that is no object", { input: ["hi"] }, "Invalid type for 'input[0]'"],
    ["an unknown item", { input: [{ type: "toolCall" }] }, "Invalid value: 'toolCall'."],
    ["an unknown field of an item", { input: [{ ...hi, timestamp: 1 }] }, "'input[0].timestamp'"],
    ["an unknown role", { input: [{ role: "tool", content: "x" }] }, "Invalid value: 'tool'."],
    ["an id of the user's", { input: [{ ...hi, id: "msg_1" }] }, "'input[0].id'"],
    [
      "input of an assistant",
      { input: [{ ...hi, role: "assistant" }] },
      "Invalid value: 'input_text'. Supported values are: 'output_text', 'refusal'.",
    ],
    [
      "content that is missing",
      { input: [{ role: "user" }] },
      "Invalid type for 'input[0].content'",
    ],
    [
      "an image without address",
      { input: [{ role: "user", content: [{ type: "input_image" }] }] },
      "'input[0].content[0].image_url'",
    ],
    [
      "a long id of a call",
      { input: [hi, call("x".repeat(65)), output("x".repeat(65))] },
      "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    ],
    [
      "an item's id of another kind",
      { input: [hi, call("a", { id: "call_1" }), output("a")] },
      "Expected an ID that begins with 'fc'.",
    ],
    [
      "an item's id with a bar",
      { input: [hi, call("a", { id: "fc_1|x" }), output("a")] },
      "contained additional characters",
    ],
    ["the same item twice", { input: [hi, said, hi, said] }, "Duplicate item found with id msg_1"],
    [
      "arguments that are an object",
      { input: [hi, call("a", { arguments: {} }), output("a")] },
      "expected a string",
    ],
    ["an unanswered call", { input: [hi, call("a")] }, "No tool output found for function call a."],
    [
      "an output without a call",
      { input: [hi, output("a")] },
      "No tool call found for function call output with call_id a.",
    ],
    [
      "a thought that nothing follows",
      { input: [hi, thought, hi] },
      "without its required following item",
    ],
    ["a thought at the end", { input: [hi, thought] }, "without its required following item"],
    [
      "a thought without its summary",
      { input: [hi, { ...thought, summary: undefined }, said] },
      "'input[1].summary'",
    ],
    [
      "a thought that is only an id",
      { store: false, input: [hi, { ...thought, encrypted_content: undefined }, said] },
      "Item with id 'rs_1' not found. Items are not persisted",
    ],
    ["a tool without a name", tool({ name: undefined }), "'tools[0].name'"],
    ["a tool with a dot in its name", tool({ name: "a.b" }), "does not match pattern"],
    ["a schema that is no object", tool({ parameters: {} }), "Invalid schema for function 'read'"],
    [
      "a schema with a choice of one",
      tool({ parameters: { type: "object", properties: { a: { oneOf: [{}] } } } }),
      "'oneOf' is not permitted",
    ],
    [
      "a strict tool that is open",
      tool({ strict: true, parameters: { type: "object" } }),
      "'additionalProperties' is required",
    ],
    [
      "a strict tool with an option",
      tool({
        strict: true,
        parameters: { type: "object", properties: { a: {} }, additionalProperties: false },
      }),
      "Missing 'a'.",
    ],
  ];
  test.each(refuses)("refuses %s", async (_, change, message) => {
    expect(await refusalOf(change)).toContain(message);
  });
});

describe("its other doors", () => {
  const codex = "/backend-api/codex/responses";
  const valid = { store: false, instructions: "Be kind." };
  const claims = { "https://api.openai.com/auth": { chatgpt_account_id: "acc" } };
  const token = `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
  const owner = { authorization: `Bearer ${token}`, "chatgpt-account-id": "acc" };

  const cases: [string, string, Record<string, string>, object, number][] = [
    ["no key", "/v1/responses", {}, {}, 401],
    ["a key of Azure's", "/v1/responses", { "api-key": "k" }, {}, 401],
    ["a key of Azure's at Azure", "/openai/v1/responses", { "api-key": "k" }, {}, 200],
    ["a token at Azure", "/openai/v1/responses", { authorization: "Bearer k" }, {}, 200],
    ["ChatGPT", codex, owner, valid, 200],
    ["ChatGPT without instructions", codex, owner, { store: false }, 400],
    ["ChatGPT with a store", codex, owner, { ...valid, store: true }, 400],
    ["ChatGPT with a limit", codex, owner, { ...valid, max_output_tokens: 99 }, 400],
    ["ChatGPT with sampling", codex, owner, { ...valid, temperature: 1 }, 400],
    ["ChatGPT for nobody", codex, { authorization: `Bearer ${token}` }, valid, 401],
    ["ChatGPT with a plain key", codex, { authorization: "Bearer k" }, valid, 200],
  ];
  test.each(cases)("%s at %s", async (_, path, headers, change, status) => {
    expect((await post(path, headers, change)).status).toBe(status);
  });
});

/** The vendor's message when it refuses the valid request with this change. */
async function refusalOf(change: object): Promise<string | undefined> {
  const { status, text } = await post("/v1/responses", { authorization: "Bearer k" }, change);
  if (status === 200) return undefined;
  expect(status).toBe(400);
  return (JSON.parse(text) as { error: { message: string } }).error.message;
}

async function post(path: string, headers: Record<string, string>, change: object) {
  await using model = await scriptedModel([turn(say("accepted"))]);
  const body = JSON.stringify({ model: "gpt-5", stream: true, input: [hi], ...change });
  const response = await fetch(model.url + path, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}
