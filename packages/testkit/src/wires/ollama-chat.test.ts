/** The lines of Ollama's chat, and what it refuses, over real HTTP. */

import { describe, expect, test } from "bun:test";
import {
  callTool,
  fail,
  say,
  scriptedModel,
  think,
  thinkHidden,
  turn,
  type Answer,
} from "../index.ts";

const hi = { role: "user", content: "hi" };

function post(url: string, body: object): Promise<Response> {
  return fetch(`${url}/api/chat`, { method: "POST", body: JSON.stringify(body) });
}

async function lines(answer: Answer): Promise<Line[]> {
  await using model = await scriptedModel([answer]);
  const response = await post(model.url, { model: "qwen3", messages: [hi] });
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  const text = await response.text();
  expect(text).toEndWith("\n");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

interface Line {
  readonly message: object;
  readonly done: boolean;
  readonly done_reason?: string;
}

describe("ollama-chat answers", () => {
  test("thoughts, text and calls are messages, one to a line; the last line has the counts", async () => {
    const all = await lines(
      turn(
        think("hm"),
        thinkHidden("dark"),
        say("hello"),
        callTool("read", { path: "a" }, "c1"),
      ).with({
        usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 0 },
        textPiece: 3,
      }),
    );
    const role = "assistant";
    expect(all.map(({ message }) => message)).toEqual([
      { role, content: "", thinking: "hm" },
      { role, content: "hel" },
      { role, content: "lo" },
      {
        role,
        content: "",
        tool_calls: [{ id: "c1", function: { index: 3, name: "read", arguments: { path: "a" } } }],
      },
      { role, content: "" },
    ]);
    expect(all.map(({ done }) => done)).toEqual([false, false, false, false, true]);
    expect(all.at(-1)).toMatchObject({
      model: "qwen3",
      done_reason: "stop",
      prompt_eval_count: 40,
      eval_count: 20,
    });
  });

  test("a call that cannot be read stays text; a length finish is called so", async () => {
    const all = await lines(turn(callTool("read", '{"a":')).with({ stop: "length" }));
    expect(all[0]?.message).toEqual({ role: "assistant", content: '{"a":' });
    expect(all.at(-1)?.done_reason).toBe("length");
  });

  test("errors are a text, in a response and in the stream", async () => {
    const fault = { kind: "in-band-error", type: "any", message: "because" } as const;
    await using model = await scriptedModel([
      fail(404, { message: "because" }),
      turn().with({ fault }),
    ]);
    const request = { model: "qwen3", messages: [hi] };
    const response = await post(model.url, request);
    expect([response.status, await response.json()]).toEqual([404, { error: "because" }]);
    expect(await (await post(model.url, request)).json()).toEqual({ error: "because" });
  });
});

describe("ollama-chat rules", () => {
  const accepts: [string, object][] = [
    ["a question", {}],
    ["fields it does not know", { colour: "red" }],
    ["a level of thinking", { think: "high" }],
    ["no thinking", { think: false }],
    [
      "calls and their results",
      {
        messages: [
          hi,
          {
            role: "assistant",
            content: "",
            thinking: "hm",
            tool_calls: [{ function: { name: "a", arguments: {} } }],
          },
          { role: "tool", content: "x", tool_name: "a" },
        ],
      },
    ],
    ["an image", { messages: [{ ...hi, images: ["iVBORw0KGgo="] }] }],
  ];
  test.each(accepts)("takes %s", async (_name, change) => {
    expect(await refusalOf(change)).toBeUndefined();
  });

  const refuses: [string, object, string][] = [
    ["no model", { model: "" }, "model is required"],
    [
      "an unknown role",
      { messages: [{ role: "developer", content: "x" }] },
      'invalid role: "developer"',
    ],
    [
      "content in parts",
      { messages: [{ role: "user", content: [{ type: "text" }] }] },
      "messages.content of type string",
    ],
    [
      "arguments as text",
      {
        messages: [
          {
            role: "assistant",
            content: "",
            tool_calls: [{ function: { name: "a", arguments: "{}" } }],
          },
        ],
      },
      "function.arguments",
    ],
    [
      "an image that is an address",
      { messages: [{ ...hi, images: ["data:image/png;base64,AA"] }] },
      "illegal base64 data",
    ],
    ["an unknown level", { think: "xhigh" }, "invalid think value"],
    ["a limit that is no number", { options: { num_predict: "all" } }, "must be of type integer"],
    ["a tool without its function", { tools: [{ type: "function", name: "a" }] }, "tools.function"],
    [
      "a thought that is no text",
      { messages: [{ role: "assistant", content: "", thinking: {} }] },
      "messages.thinking",
    ],
  ];
  test.each(refuses)("refuses %s", async (_name, change, message) => {
    expect(await refusalOf(change)).toContain(message);
  });

  async function refusalOf(change: object): Promise<string | undefined> {
    await using model = await scriptedModel([turn(say("accepted"))]);
    const response = await post(model.url, { model: "qwen3", messages: [hi], ...change });
    const text = await response.text();
    if (response.status === 200) return undefined;
    expect(response.status).toBe(400);
    return (JSON.parse(text) as { error: string }).error;
  }
});
