/** Ollama's own chat: its lines and its request, field by field. */

import { callTool, fail, say, think, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { modelOf, type ModelFacts } from "../src/index.ts";
import type { AssistantMessage, Message, ModelRequest } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { ask, KEY, requestTo, send, stage, TOOLS, user } from "./stage.ts";
import { GPT_OSS, ollamaAtTest } from "./subjects.ts";

const model = modelOf(ollamaAtTest, "gpt-oss:120b", {});
const IMAGE = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };

function line(message: object, more: object = { done: false }) {
  const created_at = "2026-01-01T00:00:00.123456789Z";
  return { model: "gpt-oss:120b", created_at, message: { role: "assistant", ...message }, ...more };
}

function ending(done_reason?: string, counts: object = {}) {
  return line({ content: "" }, { done: true, ...(done_reason && { done_reason }), ...counts });
}

/** An answer without a network, with or without the end of its last line. */
async function answer(lines: readonly object[], end = "\n") {
  const body = lines.map((value) => JSON.stringify(value)).join("\n") + end;
  const headers = { "content-type": "application/x-ndjson" };
  return collect(ask(model, { fetch: async () => new Response(body, { headers }) }));
}

describe("ollama-chat answers", () => {
  test("thoughts, texts and calls are blocks; counts come with the last line", async () => {
    const counts = { prompt_eval_count: 26, eval_count: 282, total_duration: 5 };
    const { events, message, types } = await answer([
      line({ content: "", thinking: "hm" }),
      line({ content: "", thinking: "m" }),
      line({ content: "so" }),
      line({
        content: "",
        tool_calls: [{ id: "c1", function: { name: "read", arguments: { path: "ü" } } }],
      }),
      line({ content: "", tool_calls: [{ function: { name: "list", arguments: {} } }] }),
      ending("stop", counts),
    ]);
    expect(types.filter((type) => !type.endsWith("_delta"))).toEqual([
      ...["start", "thinking_start", "thinking_end", "text_start", "text_end"],
      ...["toolcall_start", "toolcall_end", "toolcall_start", "toolcall_end", "done"],
    ]);
    expect(events.find((event) => event.type === "toolcall_delta")?.delta).toBe('{"path":"ü"}');
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "hmm" },
      { type: "text", text: "so" },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "ü" } },
      { type: "toolCall", id: expect.stringMatching(/^call_\w+_1$/), name: "list", arguments: {} },
    ]);
    expect(message.stopReason).toBe("toolUse");
    expect(message.usage).toMatchObject({ input: 26, output: 282, cacheRead: 0, cacheWrite: 0 });
  });

  test("without counts usage is zero; the last line needs no end", async () => {
    const { message } = await answer([line({ content: "so" }), ending("stop")], "");
    expect(message).toMatchObject({ stopReason: "stop", usage: { input: 0, output: 0 } });
  });

  test.each([
    ["stop", "stop"],
    [undefined, "stop"],
    ["length", "length"],
    ["what_next", "error"],
  ])("%s means %s", async (vendor, ours) => {
    const { message } = await answer([line({ content: "so" }), ending(vendor)]);
    expect(message.stopReason).toBe(ours as AssistantMessage["stopReason"]);
  });

  test.each([
    ["no word", []],
    ["thoughts only", [line({ content: "", thinking: "hm" })]],
  ])("a length finish with %s is a context error", async (_what, lines) => {
    const { final } = await answer([...lines, ending("length")]);
    expect(final).toMatchObject({ type: "error", fault: { kind: "context-overflow" } });
  });

  test("an error inside the stream is known by its text", async () => {
    const failed = await answer([line({ content: "half" }), { error: "model runner has stopped" }]);
    expect(failed.final).toMatchObject({ type: "error", fault: { kind: "overloaded" } });
    expect(failed.message.errorMessage).toBe("model runner has stopped");
    expect(failed.message.content).toEqual([{ type: "text", text: "half" }]);
    const long = await answer([{ error: "the input length exceeds the context length" }]);
    expect(long.final).toMatchObject({ type: "error", fault: { kind: "context-overflow" } });
  });

  test("arguments as text are taken as such; a call without a name is malformed", async () => {
    const textual = { function: { name: "read", arguments: '{"path":"a"}' } };
    const { message } = await answer([
      line({ content: "", tool_calls: [textual] }),
      ending("stop"),
    ]);
    expect(message.content).toMatchObject([{ name: "read", arguments: { path: "a" } }]);
    const nameless = { function: { arguments: {} } };
    const { final } = await answer([line({ content: "", tool_calls: [nameless] }), ending("stop")]);
    expect(final).toMatchObject({ fault: { kind: "malformed" } });
  });
});

describe("ollama-chat requests", () => {
  test("PROV-65 a turn of text, one of tools and one that fails, with the key as a bearer", async () => {
    expect(ollamaAtTest).toMatchObject({
      id: "ollama-cloud",
      api: "ollama-chat",
      baseUrl: "https://ollama.com",
      keyEnv: ["OLLAMA_CLOUD_API_KEY"],
    });
    await using scene = await stage(ollamaAtTest, [
      turn(think("hm"), callTool("read", { path: "a" }, "c1")),
      turn(say("It says hello.")),
      fail(401, { message: "unauthorized" }),
    ]);
    const first = await collect(ask(scene.model));
    const history = [user("hi"), first.message, result("c1", "hello")];
    const second = await collect(ask(scene.model, {}, history));
    expect(second.message.content).toEqual([{ type: "text", text: "It says hello." }]);
    const third = await collect(ask(scene.model));
    expect(third.final).toMatchObject({ fault: { kind: "auth", reason: "denied" } });
    expect(third.message.errorMessage).toBe("401: unauthorized");

    const [, request] = scene.server.requests;
    expect(request?.path).toBe("/api/chat");
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      accept: "application/x-ndjson",
    });
    expect(request?.body).toEqual({
      model: "gpt-oss:120b",
      stream: true,
      think: false,
      tools: TOOLS.map((declared) => ({ type: "function", function: declared })),
      messages: [
        { role: "system", content: "You are a test." },
        { role: "user", content: "hi" },
        {
          role: "assistant",
          content: "",
          thinking: "hm",
          tool_calls: [{ id: "c1", function: { name: "read", arguments: { path: "a" } } }],
        },
        { role: "tool", content: "hello", tool_name: "read", tool_call_id: "c1" },
      ],
      options: { num_predict: 32_768 },
    });
  });

  const QWEN = { id: "qwen3", thinking: { mode: "budget", levels: ["low", "high"] } } as const;
  test.each([
    ["off", {}, false],
    ["minimal", {}, "low"],
    ["medium", {}, "medium"],
    ["xhigh", {}, "high"],
    ["low", QWEN, true],
    ["off", QWEN, false],
    ["high", { reasoning: false }, undefined],
  ] as const)("thinking %s on %j is %j", async (thinking, facts, think) => {
    expect((await sent({ thinking }, facts))["think"]).toEqual(think);
  });

  test("tools are left out where none may be called; the server's memory is its own affair", async () => {
    const body = await sent({ toolChoice: "none", maxTokens: 7 });
    expect(body).not.toHaveProperty("tools");
    expect(body["options"]).toEqual({ num_predict: 7 });
    const compat = { omitsMaxTokens: true, extraBody: { keep_alive: "5m" } };
    const other = await sent({}, { compat });
    expect(other).toMatchObject({ keep_alive: "5m" });
    expect(other).not.toHaveProperty("options");
  });

  test("images go beside the text of a user, and after a row of results", async () => {
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: "see" }, IMAGE], timestamp: 1 },
      assistant([call("a"), call("b")]),
      { ...result("a", ""), content: [IMAGE] },
      { ...result("b", ""), isError: true },
      { role: "developer", content: "Mind the gap.", timestamp: 3 },
    ];
    const body = await sent({ messages }, { input: ["text", "image"] });
    expect((body["messages"] as unknown[]).slice(1)).toMatchObject([
      { role: "user", content: "see", images: ["iVBORw0KGgo="] },
      { role: "assistant", tool_calls: [{ id: "a" }, { id: "b" }] },
      { role: "tool", content: "(image below)", tool_call_id: "a" },
      { role: "tool", content: "(no output)", tool_call_id: "b" },
      { role: "user", content: "Images of the tool results above:", images: ["iVBORw0KGgo="] },
      { role: "system", content: "Mind the gap." },
    ]);
  });

  test("the thoughts of another model stay at home", async () => {
    const foreign = {
      ...assistant([
        { type: "thinking", thinking: "deep" },
        { type: "text", text: "so" },
      ]),
      model: "other",
    };
    const body = await sent({ messages: [user("hi"), foreign, user("go")] });
    expect((body["messages"] as unknown[])[2]).toEqual({ role: "assistant", content: "so" });
  });
});

/** What the server gets for this; its rules have accepted it. */
async function sent(
  change: Partial<ModelRequest>,
  facts: Partial<ModelFacts> = {},
): Promise<Record<string, unknown>> {
  const provider = { ...ollamaAtTest, models: [{ ...GPT_OSS, ...facts }] };
  await using scene = await stage(provider, [turn(say("ok"))]);
  const { message } = await collect(send({ ...requestTo(scene.model), ...change }));
  expect(message.errorMessage).toBeUndefined();
  return scene.server.requests[0]?.body as Record<string, unknown>;
}

function assistant(content: AssistantMessage["content"]): AssistantMessage {
  const { provider, api, id } = model;
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const usage = { ...none, totalTokens: 0, cost: { ...none, total: 0 } };
  const stopReason = "stop";
  return { role: "assistant", content, provider, api, model: id, usage, stopReason, timestamp: 2 };
}

function call(id: string) {
  return { type: "toolCall" as const, id, name: "read", arguments: { path: id } };
}

function result(toolCallId: string, text: string): Extract<Message, { role: "toolResult" }> {
  const content = text === "" ? [] : [{ type: "text" as const, text }];
  const common = { toolName: "read", isError: false, timestamp: 2 };
  return { role: "toolResult", toolCallId, content, ...common };
}
