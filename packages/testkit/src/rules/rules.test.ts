/** Requests that a vendor takes and requests it refuses, as tables. */

import { describe, expect, test } from "bun:test";
import { say, scriptedModel, turn } from "../index.ts";

const use = (id: string, name = "read") => ({ type: "tool_use", id, name, input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "done" });
const text = (words: string) => ({ type: "text", text: words });
const user = (...content: object[]) => ({ role: "user", content });
const assistant = (...content: object[]) => ({ role: "assistant", content });

const hi = user(text("hi"));
const cached = { ...text("x"), cache_control: { type: "ephemeral" } };

describe("anthropic-messages", () => {
  const accepts: [string, object][] = [
    ["a plain question", {}],
    [
      "string content and system",
      { system: "be kind", messages: [{ role: "user", content: "hi" }] },
    ],
    ["consecutive user messages, which the vendor joins", { messages: [hi, hi] }],
    [
      "two calls, both answered, then text",
      {
        messages: [
          hi,
          assistant({ type: "thinking", thinking: "t", signature: "s" }, use("a"), use("b")),
          user(result("a"), result("b"), text("and now?")),
        ],
        tools: [
          { name: "read", description: "", input_schema: { type: "object", properties: {} } },
        ],
      },
    ],
    [
      "thinking within the budget",
      { max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 2000 } },
    ],
    ["four cache marks", { system: [cached, cached], messages: [user(cached, cached)] }],
  ];
  test.each(accepts)("takes %s", async (_, change) => {
    expect(await refusalOf("anthropic", change)).toBeUndefined();
  });

  const refuses: [string, object, string][] = [
    ["a missing model", { model: undefined }, "model: Field required"],
    ["a missing max_tokens", { max_tokens: undefined }, "max_tokens: Field required"],
    ["max_tokens 0", { max_tokens: 0 }, "max_tokens: Input should be greater"],
    ["no messages", { messages: [] }, "at least one message is required"],
    ["an unknown field", { colour: "red" }, "colour: Extra inputs are not permitted"],
    [
      "an unknown field of a message",
      { messages: [{ ...hi, timestamp: 1 }] },
      "messages.0.timestamp: Extra",
    ],
    [
      "an unknown field of a block",
      { messages: [user({ ...text("a"), id: 1 })] },
      "messages.0.content.0.text.id",
    ],
    [
      "the role system",
      { messages: [{ role: "system", content: "x" }] },
      "should be 'user' or 'assistant'",
    ],
    [
      "an assistant first",
      { messages: [assistant(text("hello"))] },
      'first message must use the "user" role',
    ],
    ["empty text", { messages: [user(text(""))] }, "text content blocks must be non-empty"],
    ["empty content", { messages: [user(), hi] }, "all messages must have non-empty content"],
    [
      "a prefill that ends in a blank",
      { messages: [hi, assistant(text("so "))] },
      "trailing whitespace",
    ],
    [
      "an unanswered call",
      { messages: [hi, assistant(use("a")), hi] },
      "without `tool_result` blocks immediately after: a.",
    ],
    ["a call at the end", { messages: [hi, assistant(use("a"))] }, "without `tool_result` blocks"],
    [
      "one of two calls unanswered",
      { messages: [hi, assistant(use("a"), use("b")), user(result("a"))] },
      "immediately after: b.",
    ],
    [
      "a result without a call",
      { messages: [hi, assistant(text("x")), user(result("a"))] },
      "unexpected `tool_use_id`",
    ],
    [
      "two results for a call",
      { messages: [hi, assistant(use("a")), user(result("a"), result("a"))] },
      "must have a single result",
    ],
    [
      "a result after text",
      { messages: [hi, assistant(use("a")), user(text("x"), result("a"))] },
      "must come before any other content",
    ],
    [
      "the same id twice",
      {
        messages: [
          hi,
          assistant(use("a")),
          user(result("a")),
          assistant(use("a")),
          user(result("a")),
        ],
      },
      "ids must be unique",
    ],
    [
      "an id with a bar",
      { messages: [hi, assistant(use("a|b")), user(result("a|b"))] },
      "tool_use.id: String should match",
    ],
    ["a call by the user", { messages: [user(use("a"))] }, "can only be in `assistant` messages"],
    [
      "thinking without signature",
      { messages: [hi, assistant({ type: "thinking", thinking: "t" })] },
      "signature: Field required",
    ],
    ["an unknown block", { messages: [user({ type: "toolCall" })] }, "Input tag 'toolCall'"],
    [
      "a schema that is a choice",
      { tools: [{ name: "read", input_schema: { type: "object", anyOf: [] } }] },
      "does not support oneOf, allOf, or anyOf",
    ],
    ["a tool without schema", { tools: [{ name: "read" }] }, "input_schema.type"],
    [
      "a tool with a dot in its name",
      { tools: [{ name: "a.b", input_schema: { type: "object" } }] },
      "tools.0.name",
    ],
    [
      "two tools of a name",
      { tools: [1, 2].map(() => ({ name: "a", input_schema: { type: "object" } })) },
      "Tool names must be unique",
    ],
    [
      "a small thinking budget",
      { thinking: { type: "enabled", budget_tokens: 10 } },
      "greater than or equal to 1024",
    ],
    [
      "a budget above max_tokens",
      { max_tokens: 1024, thinking: { type: "enabled", budget_tokens: 1024 } },
      "`max_tokens` must be greater",
    ],
    [
      "five cache marks",
      { system: [cached], messages: [user(cached, cached, cached, cached)] },
      "Found 5.",
    ],
    ["a request that does not stream", { stream: false }, "only streams"],
  ];
  test.each(refuses)("refuses %s", async (_, change, message) => {
    expect(await refusalOf("anthropic", change)).toContain(message);
  });
});

describe("openai-completions", () => {
  const call = (id: string) => ({
    id,
    type: "function",
    function: { name: "read", arguments: "{}" },
  });
  const calls = (...ids: string[]) => ({
    role: "assistant",
    content: null,
    tool_calls: ids.map(call),
  });
  const answer = (id: string) => ({ role: "tool", tool_call_id: id, content: "done" });
  const ask = { role: "user", content: "hi" };

  const accepts: [string, object][] = [
    ["a plain question", {}],
    [
      "system and developer words",
      { messages: [{ role: "system", content: "x" }, { role: "developer", content: "y" }, ask] },
    ],
    [
      "calls answered in any order",
      { messages: [ask, calls("a", "b"), answer("b"), answer("a"), ask] },
    ],
    [
      "the same id in two turns",
      { messages: [ask, calls("a"), answer("a"), calls("a"), answer("a")] },
    ],
    [
      "an image of the user",
      {
        messages: [
          {
            role: "user",
            content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } }],
          },
        ],
      },
    ],
    [
      "tools",
      { tools: [{ type: "function", function: { name: "read", parameters: { type: "object" } } }] },
    ],
  ];
  test.each(accepts)("takes %s", async (_, change) => {
    expect(await refusalOf("openai", change)).toBeUndefined();
  });

  const refuses: [string, object, string][] = [
    ["a missing model", { model: undefined }, "you must provide a model parameter"],
    ["no messages", { messages: [] }, "Invalid 'messages': empty array"],
    ["an unknown field", { colour: "red" }, "Unknown parameter: 'colour'."],
    [
      "an unknown field of a message",
      { messages: [{ ...ask, timestamp: 1 }] },
      "Unknown parameter: 'messages[0].timestamp'.",
    ],
    [
      "an unknown role",
      { messages: [{ role: "toolResult", content: "x" }] },
      "Invalid value: 'toolResult'",
    ],
    [
      "an unanswered call",
      { messages: [ask, calls("a"), ask] },
      "did not have response messages: a",
    ],
    ["a call at the end", { messages: [ask, calls("a")] }, "did not have response messages: a"],
    [
      "one of two calls unanswered",
      { messages: [ask, calls("a", "b"), answer("a"), ask] },
      "response messages: b",
    ],
    [
      "an answer without a call",
      { messages: [ask, answer("a")] },
      "must be a response to a preceeding message",
    ],
    [
      "two answers to a call",
      { messages: [ask, calls("a"), answer("a"), answer("a")] },
      "must be a response to",
    ],
    [
      "null content without calls",
      { messages: [{ role: "assistant", content: null }, ask] },
      "expected a string, got null",
    ],
    [
      "an empty list of calls",
      { messages: [{ role: "assistant", content: "x", tool_calls: [] }] },
      "tool_calls': empty array",
    ],
    [
      "arguments that are an object",
      {
        messages: [
          {
            role: "assistant",
            tool_calls: [{ ...call("a"), function: { name: "read", arguments: {} } }],
          },
          answer("a"),
        ],
      },
      "function.arguments': expected a string",
    ],
    [
      "an image in a tool's answer",
      {
        messages: [
          ask,
          calls("a"),
          { ...answer("a"), content: [{ type: "image_url", image_url: { url: "x" } }] },
        ],
      },
      "Invalid value: 'image_url'",
    ],
    ["an empty list of tools", { tools: [] }, "Invalid 'tools': empty array"],
    [
      "a tool with a dot in its name",
      { tools: [{ type: "function", function: { name: "a.b" } }] },
      "tools[0].function.name",
    ],
    [
      "a schema that is no object",
      { tools: [{ type: "function", function: { name: "a", parameters: {} } }] },
      "Invalid schema for function 'a'",
    ],
    [
      "stream_options without stream",
      { stream: false, stream_options: {} },
      "only allowed when 'stream' is enabled",
    ],
    [
      "max_tokens for a reasoning model",
      { model: "gpt-5-mini", max_tokens: 5 },
      "Use 'max_completion_tokens' instead",
    ],
  ];
  test.each(refuses)("refuses %s", async (_, change, message) => {
    expect(await refusalOf("openai", change)).toContain(message);
  });
});

describe("the key", () => {
  test.each([
    ["/v1/messages", { "anthropic-version": "2023-06-01" }, 401],
    ["/v1/messages", { "x-api-key": "k" }, 400],
    ["/v1/messages", { authorization: "Bearer k", "anthropic-version": "2023-06-01" }, 200],
    ["/v1/chat/completions", {}, 401],
    ["/v1/chat/completions", { authorization: "Bearer " }, 401],
    ["/v1/chat/completions", { authorization: "Bearer k" }, 200],
  ])("%s with %p is %d", async (path, headers, status) => {
    await using model = await scriptedModel([turn(say("ok"))]);
    const body = JSON.stringify(BODY[path === "/v1/messages" ? "anthropic" : "openai"]);
    const response = await fetch(model.url + path, {
      method: "POST",
      headers: { ...headers },
      body,
    });
    await response.text();
    expect(response.status).toBe(status);
  });

  test("without strict, anything goes and the turn is played", async () => {
    await using model = await scriptedModel([turn(say("ok"))], { strict: false });
    const response = await fetch(`${model.url}/v1/messages`, { method: "POST", body: "not json" });
    expect(await response.text()).toContain("ok");
    expect(model.requests[0]?.body).toBe("not json");
  });

  test("a refused request takes no turn", async () => {
    await using model = await scriptedModel([turn(say("kept"))]);
    await fetch(`${model.url}/v1/messages`, { method: "POST", body: "{}" });
    expect(model.requests[0]).toMatchObject({ turnIndex: undefined, refusal: { status: 401 } });
    expect(await (await post(model.url, "anthropic", BODY.anthropic)).text()).toContain("kept");
  });
});

type Vendor = "anthropic" | "openai";

const BODY = {
  anthropic: { model: "claude-test", max_tokens: 2000, stream: true, messages: [hi] },
  openai: { model: "gpt-test", stream: true, messages: [{ role: "user", content: "hi" }] },
};

/** The vendor's message when it refuses the valid request with this change. */
async function refusalOf(vendor: Vendor, change: object): Promise<string | undefined> {
  await using model = await scriptedModel([turn(say("accepted"))]);
  const response = await post(model.url, vendor, { ...BODY[vendor], ...change });
  const answered = await response.text();
  if (response.status === 200) return undefined;
  expect(response.status).toBe(400);
  return (JSON.parse(answered) as { error: { message: string } }).error.message;
}

function post(url: string, vendor: Vendor, body: object): Promise<Response> {
  const headers: Record<string, string> =
    vendor === "anthropic"
      ? { "x-api-key": "k", "anthropic-version": "2023-06-01" }
      : { authorization: "Bearer k" };
  const path = vendor === "anthropic" ? "/v1/messages" : "/v1/chat/completions";
  return fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
}
