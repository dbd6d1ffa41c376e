/** OpenAI Chat Completions: the vendor's chunks and the vendor's request, and how other servers differ. */

import { callTool, say, think, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { modelOf } from "../src/index.ts";
import type { AssistantMessage, Message } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { answering, ask, KEY, providerOf, stage, TOOLS, user } from "./stage.ts";

const openai = { ...providerOf("openai"), api: "openai-completions" } as const;
const model = modelOf(openai, "gpt-5", {});

function chunk(delta: object, finish_reason: string | null = null) {
  return { id: "chatcmpl-1", choices: [{ index: 0, delta, finish_reason }] };
}

async function answer(...chunks: readonly (object | string)[]) {
  return collect(ask(model, { fetch: answering(...chunks) }));
}

describe("openai-completions answers", () => {
  test("cached tokens are part of the prompt's, ours are not", async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
    };
    const { message } = await answer(
      chunk({ content: "so" }),
      chunk({}, "stop"),
      { id: "chatcmpl-1", choices: [], usage },
      "[DONE]",
    );
    expect(message.usage).toMatchObject({ input: 30, output: 7, cacheRead: 60, cacheWrite: 10 });
    expect(message.responseId).toBe("chatcmpl-1");
  });

  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["tool_calls", "toolUse"],
    ["function_call", "toolUse"],
    ["content_filter", "error"],
    ["what_next", "error"],
  ])("%s means %s", async (vendor, ours) => {
    const { message } = await answer(chunk({ content: "so" }), chunk({}, vendor), "[DONE]");
    expect(message.stopReason).toBe(ours as AssistantMessage["stopReason"]);
  });

  test("stop with tool calls waits for the tools", async () => {
    const call = { index: 0, id: "c1", function: { name: "read", arguments: "{}" } };
    const { final } = await answer(chunk({ tool_calls: [call] }), chunk({}, "stop"), "[DONE]");
    expect(final.reason).toBe("toolUse");
  });

  test("a server that forgets [DONE] is whole after the finish reason, and cut before it", async () => {
    const whole = await answer(chunk({ content: "so" }), chunk({}, "stop"));
    expect(whole.final.type).toBe("done");
    const cut = await answer(chunk({ content: "so" }));
    expect(cut.final).toMatchObject({ type: "error", fault: { kind: "network" } });
    const empty = await answer("[DONE]");
    expect(empty.final).toMatchObject({ type: "error", fault: { kind: "network" } });
  });

  test("calls that arrive side by side are kept apart", async () => {
    const part = (index: number, args: string, id?: string) =>
      chunk({
        tool_calls: [{ index, ...(id && { id }), function: { name: id, arguments: args } }],
      });
    const { message } = await answer(
      part(0, '{"a"', "one"),
      part(1, '{"b"', "two"),
      part(0, ":1}"),
      part(1, ":2}"),
      chunk({}, "tool_calls"),
      "[DONE]",
    );
    expect(message.content).toMatchObject([
      { id: "one", arguments: { a: 1 } },
      { id: "two", arguments: { b: 2 } },
    ]);
  });

  test("calls without index or id get both", async () => {
    const whole = (name: string, id?: string) => ({ id, function: { name, arguments: "{}" } });
    const numbered = await answer(
      chunk({ tool_calls: [whole("read", "x"), whole("bash", "y")] }),
      chunk({}, "tool_calls"),
      "[DONE]",
    );
    expect(numbered.message.content).toMatchObject([{ id: "x" }, { id: "y" }]);
    const named = await answer(chunk({ tool_calls: [{ index: 0, ...whole("read") }] }), "[DONE]");
    expect(named.message.content).toMatchObject([{ id: "call_chatcmpl-1_0", name: "read" }]);
  });

  test.each(["reasoning_content", "reasoning", "reasoning_text"])(
    "a thought may come as %s, and goes back that way",
    async (field) => {
      const { message, types } = await answer(
        chunk({ role: "assistant", content: "", [field]: "let me " }),
        chunk({ [field]: "see" }),
        chunk({ content: "so" }),
        chunk({ [field]: "wait" }),
        chunk({}, "stop"),
        "[DONE]",
      );
      const kinds = types.filter((type) => type.endsWith("_start"));
      expect(kinds).toEqual(["thinking_start", "text_start", "thinking_start"]);
      expect(message.content[0]).toMatchObject({ type: "thinking", thinking: "let me see" });
      await using scene = await stage(openai, [turn(say("ok"))]);
      await collect(ask(scene.model, {}, [user("hi"), message, user("go")]));
      expect(wireMessages(scene.server.requests[0]?.body)[2]).toEqual({
        role: "assistant",
        content: "so",
        [field]: "let me seewait",
      });
    },
  );

  test("errors with a number for a code are read like a status", async () => {
    const { final } = await answer(chunk({ content: "a" }), {
      error: { code: 429, message: "no" },
    });
    expect(final).toMatchObject({ type: "error", fault: { kind: "rate-limit" } });
  });
});

describe("openai-completions requests", () => {
  test("headers, limits, tools and the role of the instructions", async () => {
    await using scene = await stage(openai, [turn(say("ok"))]);
    const reminder = { role: "developer", content: "Be brief.", timestamp: 2 } as const;
    await collect(ask(scene.model, {}, [user("hi"), reminder]));
    const [request] = scene.server.requests;
    expect(request?.path).toBe("/v1/chat/completions");
    expect(request?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    expect(request?.body).toEqual({
      model: "gpt-5",
      stream: true,
      stream_options: { include_usage: true },
      store: false,
      max_completion_tokens: 128_000,
      tools: TOOLS.map((tool) => ({ type: "function", function: tool })),
      messages: [
        { role: "developer", content: "You are a test." },
        { role: "user", content: "hi" },
        { role: "developer", content: "Be brief." },
      ],
    });
  });

  test("other servers get the older names, and no key where none is asked for", async () => {
    await using scene = await stage(openai, [turn(say("ok"))]);
    const local = { ...scene.model, provider: "local", isKeyless: true };
    await collect(ask(local, { apiKey: undefined }));
    const [request] = scene.server.requests;
    expect(request?.headers).not.toHaveProperty("authorization");
    expect(request?.body).toMatchObject({
      max_tokens: 128_000,
      messages: [{ role: "system" }, {}],
    });
  });

  test("images of results follow the row of results", async () => {
    await using scene = await stage(openai, [
      turn(say("reading"), callTool("read", { path: "a" }, "c1"), callTool("read", {}, "c2")),
      turn(say("ok")),
    ]);
    const { message } = await collect(ask(scene.model));
    const image = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };
    const history = [user("hi"), message, result("c1", [image]), result("c2", []), user("go")];
    await collect(ask(scene.model, {}, history));
    expect(wireMessages(scene.server.requests[1]?.body).slice(2)).toEqual([
      {
        role: "assistant",
        content: "reading",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
          { id: "c2", type: "function", function: { name: "read", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "(image below)" },
      { role: "tool", tool_call_id: "c2", content: "(no output)" },
      {
        role: "user",
        content: [
          { type: "text", text: "Images of the tool results above:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
        ],
      },
      { role: "user", content: "go" },
    ]);
  });

  test("another model's thoughts and ids do not travel as they are", async () => {
    await using away = await stage(providerOf("anthropic"), [
      turn(think("deep"), callTool("read", {}, `toolu_${"x".repeat(60)}`)),
    ]);
    const { message } = await collect(ask(away.model));
    await using home = await stage(openai, [turn(say("ok"))]);
    const id = `toolu_${"x".repeat(60)}`;
    const { final } = await collect(ask(home.model, {}, [user("hi"), message, result(id, [])]));
    expect(final.type).toBe("done");
    const [, , wire, tool] = wireMessages(home.server.requests[0]?.body) as WireCallMessage[];
    expect(Object.keys(wire ?? {})).toEqual(["role", "content", "tool_calls"]);
    const sentId = wire?.tool_calls?.[0]?.id ?? "";
    expect(sentId).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(tool?.tool_call_id).toBe(sentId);
  });

  test("ids that the server made itself are sent back as they were", async () => {
    const id = "functions.read:0";
    await using scene = await stage(openai, [turn(callTool("read", {}, id)), turn(say("ok"))]);
    const { message } = await collect(ask(scene.model));
    await collect(ask(scene.model, {}, [user("hi"), message, result(id, [])]));
    const [, , , tool] = wireMessages(scene.server.requests[1]?.body) as WireCallMessage[];
    expect(tool?.tool_call_id).toBe(id);
  });
});

interface WireCallMessage {
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

function wireMessages(body: unknown): unknown[] {
  return (body as { messages: unknown[] }).messages;
}

type ToolResult = Extract<Message, { role: "toolResult" }>;

function result(toolCallId: string, content: ToolResult["content"]): ToolResult {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content,
    isError: false,
    timestamp: 2,
  };
}
