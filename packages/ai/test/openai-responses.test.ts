/** OpenAI Responses: the vendor's events and the vendor's request, and how other servers differ. */

import { callTool, say, think, thinkHidden, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { modelOf } from "../src/index.ts";
import type { AssistantMessage, Message, Model, ModelRequest } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { answering, ask, KEY, providerOf, requestTo, send, stage, TOOLS, user } from "./stage.ts";

const openai = { ...providerOf("openai"), api: "openai-responses" } as const;
const model = modelOf(openai, "gpt-5", {});

async function answer(...events: readonly (object | string)[]) {
  return collect(ask(model, { fetch: answering(...events) }));
}

function ending(status: string, fields: object = {}) {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
    output_tokens: 9,
  };
  return { type: `response.${status}`, response: { id: "resp_1", status, usage, ...fields } };
}

const added = (output_index: number, item: object) => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const done = (output_index: number, item: object) => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const grew = (what: string, output_index: number, delta: string) => ({
  type: `response.${what}.delta`,
  output_index,
  delta,
});
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "read" };
const calling = [added(2, call), done(2, { ...call, arguments: '{"path":"a"}' })];

describe("openai-responses answers", () => {
  test("STRM-11 reasoning, text, refusal and a call become our events", async () => {
    const thought = { type: "reasoning", id: "rs_1", summary: [] };
    const part = { type: "response.reasoning_summary_part.added", output_index: 0 };
    const message = { type: "message", id: "msg_1", content: [] };
    const { types, message: final } = await answer(
      { type: "response.created", response: { id: "resp_1" } },
      added(0, thought),
      { ...part, summary_index: 0 },
      grew("reasoning_summary_text", 0, "one"),
      { ...part, summary_index: 1 },
      grew("reasoning_summary_text", 0, "two"),
      done(0, { ...thought, summary: [{ type: "summary_text", text: "one" }] }),
      added(1, message),
      grew("output_text", 1, "I will"),
      grew("refusal", 1, " not"),
      done(1, message),
      added(2, call),
      grew("function_call_arguments", 2, '{"path"'),
      grew("function_call_arguments", 2, ':"a"}'),
      { type: "response.function_call_arguments.done", output_index: 2, arguments: "ignored" },
      done(2, { ...call, arguments: "ignored" }),
      ending("completed"),
    );
    expect(types).toEqual([
      ...["start", "thinking_start", "thinking_delta", "thinking_delta"],
      ...["thinking_end", "text_start", "text_delta", "text_delta", "text_end"],
      ...["toolcall_start", "toolcall_delta", "toolcall_delta", "toolcall_end", "done"],
    ]);
    expect(final).toMatchObject({
      stopReason: "toolUse",
      responseId: "resp_1",
      usage: { input: 30, output: 9, cacheRead: 60, cacheWrite: 10 },
      content: [
        { thinking: "one\n\ntwo" },
        { text: "I will not" },
        { id: "call_1|fc_1", name: "read", arguments: { path: "a" } },
      ],
    });
  });

  test("STRM-12 arguments that come only when they are done are whole", async () => {
    const whole = { type: "response.function_call_arguments.done", arguments: '{"path":"a"}' };
    const once = await answer(
      added(0, call),
      { ...whole, output_index: 0 },
      done(0, { ...call, arguments: '{"path":"a"}' }),
      ending("completed"),
    );
    const atTheEnd = await answer(
      added(0, call),
      done(0, { ...call, arguments: '{"path":"a"}' }),
      ending("completed"),
    );
    for (const { events, message } of [once, atTheEnd]) {
      expect(message.content).toMatchObject([{ arguments: { path: "a" } }]);
      const end = events.find((event) => event.type === "toolcall_end");
      expect(end?.type === "toolcall_end" && end.toolCall.arguments).toEqual({ path: "a" });
    }
  });

  test("STRM-13 a call's id names the call and its item", async () => {
    const { message } = await answer(...calling, ending("completed"));
    expect(message.content).toMatchObject([{ type: "toolCall", id: "call_1|fc_1" }]);
  });

  test.each([
    ["completed", [], "stop"],
    ["completed", calling, "toolUse"],
    ["incomplete", [], "length"],
    ["incomplete", calling, "length"],
    ["failed", [], "error"],
    ["failed", calling, "error"],
    ["cancelled", [], "error"],
    ["cancelled", calling, "error"],
    ["queued", [], "error"],
  ] as const)("STRM-14 %s with calls %j means %s", async (status, calls, ours) => {
    const { message } = await answer(...calls, ending(status));
    expect(message.stopReason).toBe(ours);
  });

  test("PROV-22 the answer ends at its last event, not with the connection", async () => {
    const text = [added(0, { type: "message" }), grew("output_text", 0, "so")];
    for (const events of [text, [...text, done(0, { type: "message" })], [...text, "[DONE]"]]) {
      const { final } = await answer(...events);
      expect(final).toMatchObject({ type: "error", fault: { kind: "network" } });
    }
    expect((await answer(...text, ending("completed"))).final.type).toBe("done");
    const cut = { incomplete_details: { reason: "max_output_tokens" } };
    expect((await answer(...text, ending("incomplete", cut))).final.reason).toBe("length");
  });

  test("a failed answer says why, and so does an error in the middle", async () => {
    const error = { code: "rate_limit_exceeded", message: "later" };
    const failed = await answer(ending("failed", { error }));
    expect(failed.final).toMatchObject({ fault: { kind: "rate-limit" } });
    expect(failed.message.errorMessage).toContain("later");
    const flat = await answer({ type: "error", code: "context_length_exceeded", message: "long" });
    expect(flat.final).toMatchObject({ fault: { kind: "context-overflow" } });
    const nested = await answer({ type: "error", error: { type: "server_error", message: "no" } });
    expect(nested.final).toMatchObject({ fault: { kind: "overloaded" } });
    const flag = { error: { code: "invalid_prompt", message: "flagged" } };
    const flagged = await answer(ending("failed", flag));
    expect(flagged.final).toMatchObject({ fault: { kind: "invalid-request" } });
    const filtered = { incomplete_details: { reason: "content_filter" } };
    const refused = await answer(ending("incomplete", filtered));
    expect(refused.final).toMatchObject({ fault: { kind: "refused" } });
  });

  test("items that come whole, without places or in pieces of unknown kinds are read", async () => {
    const text = { type: "message", id: "m", content: [{ type: "output_text", text: "so" }] };
    const { message } = await answer(
      { type: "response.output_item.added", item: { type: "web_search_call", id: "ws_1" } },
      { type: "response.web_search_call.searching", item_id: "ws_1" },
      { type: "response.output_item.done", item: { type: "web_search_call", id: "ws_1" } },
      { type: "response.output_item.added", item: { type: "reasoning", id: "r" } },
      { type: "response.reasoning_text.delta", item_id: "r", delta: "hm" },
      { type: "response.output_item.done", item: { type: "reasoning", id: "r" } },
      { type: "response.output_item.done", item: text },
      { type: "response.completed" },
    );
    expect(message.content).toMatchObject([{ thinking: "hm" }, { text: "so" }]);
  });

  test("a model that loops over blanks is stopped", async () => {
    const blanks = Array.from({ length: 5 }, () =>
      grew("function_call_arguments", 2, " \n".repeat(1_000)),
    );
    const text = (delta: string) => grew("function_call_arguments", 2, delta);
    const looped = await answer(added(2, call), text("{"), ...blanks, ending("completed"));
    expect(looped.final).toMatchObject({ fault: { kind: "malformed" } });
    const many = blanks.slice(0, 4);
    const honest = await answer(
      ...[added(2, call), text("{"), ...many, text('"a":1'), ...many, text("}")],
      ending("completed"),
    );
    expect(honest.message.content).toMatchObject([{ arguments: { a: 1 } }]);
  });
});

describe("openai-responses requests", () => {
  test("PROV-22 path, key, roles, cache key and what the answer shall bring", async () => {
    await using scene = await stage(openai, [turn(say("ok"))]);
    const reminder = { role: "developer", content: "Be brief.", timestamp: 2 } as const;
    const request = {
      ...requestTo(scene.model, [user("hi"), reminder]),
      sessionId: "s-1",
      thinking: "high",
    } as const;
    await collect(send(request));
    const [recorded] = scene.server.requests;
    expect(recorded?.path).toBe("/v1/responses");
    expect(recorded?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    expect(recorded?.body).toEqual({
      model: "gpt-5",
      stream: true,
      store: false,
      max_output_tokens: 128_000,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
      prompt_cache_key: "s-1",
      tools: TOOLS.map((tool) => ({ type: "function", ...tool, strict: false })),
      input: [
        { role: "developer", content: "You are a test." },
        { role: "user", content: [{ type: "input_text", text: "hi" }] },
        { role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
      ],
    });
  });

  test("a model that does not reason gets the system's role, and is not asked for thoughts", async () => {
    await using scene = await stage(openai, [turn(say("ok"))]);
    const plain = { ...scene.model, id: "gpt-4.1", reasoning: false };
    await collect(send({ ...requestTo(plain), thinking: "high", cacheRetention: "long" }));
    const body = scene.server.requests[0]?.body;
    expect(body).toMatchObject({ input: [{ role: "system" }, {}], prompt_cache_retention: "24h" });
    expect(body).not.toHaveProperty("include");
    expect(body).not.toHaveProperty("reasoning");
  });

  test.each([
    ["gpt-5", "off", undefined],
    ["gpt-5.1", "off", "none"],
    ["gpt-5.1-codex", "off", undefined],
    ["gpt-5", "minimal", "low"],
    ["gpt-5", "medium", "medium"],
    ["gpt-5", "xhigh", "high"],
  ] as const)("%s at %s is asked for %s", async (id, thinking, effort) => {
    const sent = await bodyOf({ thinking }, { id });
    expect((sent as { reasoning?: { effort: string } }).reasoning?.effort).toBe(effort as string);
  });

  test("what a model is known for wins over what is assumed", async () => {
    const sent = await bodyOf(
      { thinking: "xhigh", toolChoice: { name: "read" }, maxTokens: 3 },
      {
        thinking: { mode: "effort", levels: ["minimal", "xhigh"] },
        compat: {
          reasoningEffortMap: { xhigh: "max" },
          supportsDeveloperRole: false,
          extraBody: { service_tier: "flex" },
        },
      },
    );
    expect(sent).toMatchObject({
      reasoning: { effort: "max" },
      tool_choice: { type: "function", name: "read" },
      max_output_tokens: 16,
      service_tier: "flex",
      input: [{ role: "system" }, {}],
    });
    const bare = { omitsMaxTokens: true, supportsToolChoice: false, supportsStore: false };
    const less = await bodyOf({ toolChoice: "required" }, { compat: bare });
    expect(less).not.toHaveProperty("max_output_tokens");
    expect(less).not.toHaveProperty("tool_choice");
    expect(less).not.toHaveProperty("store");
  });

  test("SN-02 tools say anyOf where they said oneOf, strict or not", async () => {
    const either = { oneOf: [{ type: "string" }, { type: "number" }] };
    const parameters = { type: "object", properties: { either }, required: ["either"] };
    const tools = [false, true].map((strict) => ({
      name: `tool_${strict}`,
      description: "takes either",
      parameters,
      strict,
    }));
    const sent = (await bodyOf({ tools })) as { tools: { strict: boolean; parameters: object }[] };
    expect(sent.tools.map(({ strict }) => strict)).toEqual([false, true]);
    for (const tool of sent.tools) {
      expect(tool.parameters).toMatchObject({ properties: { either: { anyOf: [{}, {}] } } });
      expect(JSON.stringify(tool)).not.toContain("oneOf");
    }
  });

  test("PROV-22 the answer goes back as it came: sealed thoughts, ids, images of results", async () => {
    await using scene = await stage(openai, [
      turn(
        think("deep", "c2VhbGVk"),
        thinkHidden("aGlkZGVu"),
        say("I look."),
        callTool("read", { path: "a" }, "call_7|fc_7"),
      ),
      turn(say("ok")),
    ]);
    const { message } = await collect(ask(scene.model));
    expect(message.content[1]).toMatchObject({ type: "thinking", thinking: "" });
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
    const said = { type: "text", text: "seen" } as const;
    const { final } = await collect(
      ask(scene.model, {}, [user("hi"), message, result("call_7|fc_7", [said, image])]),
    );
    expect(final.type).toBe("done");
    expect(inputOf(scene.server.requests[1]?.body).slice(2)).toEqual([
      {
        type: "reasoning",
        id: "rs_0000_0",
        summary: [{ type: "summary_text", text: "deep" }],
        encrypted_content: "c2VhbGVk",
      },
      { type: "reasoning", id: "rs_0000_1", summary: [], encrypted_content: "aGlkZGVu" },
      {
        type: "message",
        id: "msg_0000_2",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "I look.", annotations: [] }],
      },
      {
        type: "function_call",
        id: "fc_7",
        call_id: "call_7",
        name: "read",
        arguments: '{"path":"a"}',
      },
      {
        type: "function_call_output",
        call_id: "call_7",
        output: [
          { type: "input_text", text: "seen" },
          { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBORw0KGgo=" },
        ],
      },
    ]);
  });

  test("a text keeps the phase that the vendor gave it", async () => {
    const item = { type: "message", id: "msg_1", phase: "commentary" };
    const { message } = await answer(
      added(0, item),
      grew("output_text", 0, "so"),
      done(0, item),
      ending("completed"),
    );
    const sent = await bodyOf({ messages: [user("hi"), message, user("go")] });
    expect(inputOf(sent)[2]).toMatchObject({ id: "msg_1", phase: "commentary" });
  });

  test.each([
    ["of a sibling", { model: "gpt-5.1" }],
    ["that was aborted", { stopReason: "aborted" }],
    ["that failed", { stopReason: "error" }],
  ] as const)("an answer %s goes back without thoughts and ids", async (_what, change) => {
    await using scene = await stage(openai, [
      turn(think("deep"), say("I look."), callTool("read", {})),
      turn(say("ok")),
    ]);
    const { message } = await collect(ask(scene.model));
    const changed = { ...message, ...change };
    await collect(ask(scene.model, {}, [user("hi"), changed, user("go")]));
    expect(inputOf(scene.server.requests[1]?.body).slice(2, 4)).toEqual([
      { role: "assistant", content: "I look." },
      { type: "function_call", call_id: "call_0000_2", name: "read", arguments: "{}" },
    ]);
  });

  test("a thought that nothing came of is left out, and so are ids without their thoughts", async () => {
    await using scene = await stage(openai, [turn(think("deep")), turn(say("ok"))]);
    const { message } = await collect(ask(scene.model));
    const unsealed: AssistantMessage = {
      ...message,
      content: [
        { type: "thinking", thinking: "lost" },
        { type: "text", text: "so", textSignature: '{"v":1,"id":"msg_9"}' },
      ],
    };
    const history = [user("hi"), message, user("and?"), unsealed, user("go")];
    const { final } = await collect(ask(scene.model, {}, history));
    expect(final.type).toBe("done");
    const sent = inputOf(scene.server.requests[1]?.body);
    expect(sent.slice(1).map((item) => (item as { role?: string }).role)).toEqual([
      ...["user", "user", "assistant", "user"],
    ]);
    expect(sent[3]).toEqual({ role: "assistant", content: "so" });
  });

  test("PROV-08 ids are at most 64 long, the same for call and result, and stay apart", async () => {
    const long = "x".repeat(70);
    const own = [`call_${long}|fc_1`, `call_2|${long}`, "call.3:0|fc_3"];
    const foreign = ["toolu_1", `call_${long}a`, `call_${long}b`, "functions.read:0"];
    const messages = [
      user("hi"),
      calls(own, {}),
      ...own.map((id) => result(id, [])),
      calls(foreign, { provider: "anthropic", api: "anthropic-messages" }),
      ...foreign.map((id) => result(id, [])),
    ];
    const items = inputOf(await bodyOf({ messages })) as {
      type?: string;
      id?: string;
      call_id?: string;
    }[];
    const called = items.filter(({ type }) => type === "function_call");
    const ids = called.map(({ call_id }) => call_id ?? "");
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(7);
    for (const id of ids) expect(id.length).toBeWithin(1, 65);
    expect(ids).toContainValues(["call_2", "call.3:0", "toolu_1"]);
    expect(called.map(({ id }) => id)).toEqual([
      ...["fc_1", undefined, "fc_3"],
      ...[undefined, undefined, undefined, undefined],
    ] as string[]);
    const answered = items.filter(({ type }) => type === "function_call_output");
    expect(answered.map(({ call_id }) => call_id ?? "")).toEqual(ids);
  });
});

/** The body of a request that the vendor's rules have accepted. */
async function bodyOf(
  request: Partial<ModelRequest>,
  facts: Partial<Model> = {},
): Promise<unknown> {
  await using scene = await stage(openai, [turn(say("ok"))]);
  const changed = { ...scene.model, ...facts };
  const { message } = await collect(send({ ...requestTo(changed), ...request }));
  expect(message.errorMessage).toBeUndefined();
  return scene.server.requests[0]?.body;
}

function inputOf(body: unknown): unknown[] {
  return (body as { input: unknown[] }).input;
}

function calls(ids: readonly string[], change: Partial<AssistantMessage>): AssistantMessage {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: "assistant",
    content: ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} })),
    provider: model.provider,
    api: model.api,
    model: model.id,
    usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
    stopReason: "toolUse",
    timestamp: 2,
    ...change,
  };
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
