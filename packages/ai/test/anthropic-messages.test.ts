/** Anthropic Messages: the vendor's events and the vendor's request, field by field. */

import { callTool, say, think, thinkHidden, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { modelOf } from "../src/index.ts";
import type { AssistantMessage, Message } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { answering, ask, KEY, providerOf, stage, TOOLS, user } from "./stage.ts";

const anthropic = providerOf("anthropic");
const model = modelOf(anthropic, "claude-sonnet-4-5", {});
const start = {
  type: "message_start",
  message: { id: "msg_1", usage: { input_tokens: 3, output_tokens: 1 } },
};

function ending(stop_reason: string) {
  const usage = { output_tokens: 9 };
  return [{ type: "message_delta", delta: { stop_reason }, usage }, { type: "message_stop" }];
}

describe("anthropic-messages answers", () => {
  test("STRM-08 the vendor's events become ours, usage is the vendor's, the signature is silent", async () => {
    const usage = { input: 11, output: 22, cacheRead: 33, cacheWrite: 44 };
    const signature = "c2lnbmF0dXJlIG9mIGEgdGhvdWdodA==";
    await using scene = await stage(anthropic, [
      turn(think("hm", signature), say("yes"), callTool("read", { path: "a" })).with({ usage }),
    ]);
    const { types, events, message } = await collect(ask(scene.model));
    expect(types).toEqual([
      ...["start", "thinking_start", "thinking_delta", "thinking_end"],
      ...["text_start", "text_delta", "text_end"],
      ...["toolcall_start", "toolcall_delta", "toolcall_end", "done"],
    ]);
    expect(message.usage).toMatchObject(usage);
    expect(message.content[0]).toEqual({
      type: "thinking",
      thinking: "hm",
      thinkingSignature: signature,
    });
    const ownFields = events.map((event) => JSON.stringify({ ...event, partial: 0, message: 0 }));
    expect(ownFields.join()).not.toContain(signature);
    expect(message.responseId).toStartWith("msg_");
  });

  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "toolUse"],
    ["refusal", "error"],
    ["safety", "error"],
    ["sensitive", "error"],
    ["what_next", "error"],
  ])("STRM-09 %s means %s", async (vendor, ours) => {
    const { final } = await collect(ask(model, { fetch: answering(start, ...ending(vendor)) }));
    expect(final.message.stopReason).toBe(ours as AssistantMessage["stopReason"]);
    expect(final.message.usage).toMatchObject({ input: 3, output: 9 });
  });

  test("pings, new events and blocks of unknown kinds are passed over", async () => {
    const fetch = answering(
      start,
      { type: "ping" },
      { type: "news", anything: [1] },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "server_tool_use", id: "x" },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: "{" },
      },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "citations_delta", citation: {} } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "so" } },
      { type: "content_block_stop", index: 1 },
      ...ending("end_turn"),
    );
    const { message } = await collect(ask(model, { fetch }));
    expect(message.content).toEqual([{ type: "text", text: "so" }]);
  });

  test.each([
    ["a number where text belongs", { type: "text_delta", text: 5 }],
    ["arguments for a text", { type: "input_json_delta", partial_json: "{}" }],
  ])("%s is malformed", async (_what, delta) => {
    const fetch = answering(
      start,
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta },
      ...ending("end_turn"),
    );
    const { final } = await collect(ask(model, { fetch }));
    expect(final).toMatchObject({ type: "error", fault: { kind: "malformed" } });
  });
});

describe("anthropic-messages requests", () => {
  test("headers, limits, tools and cache marks", async () => {
    await using scene = await stage(anthropic, [turn(say("ok"))]);
    await collect(ask(scene.model, {}, [user("one"), assistant([]), user("two")]));
    const [request] = scene.server.requests;
    expect(request?.path).toBe("/v1/messages");
    expect(request?.headers).toMatchObject({
      "x-api-key": KEY,
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    });
    const cache_control = { type: "ephemeral" };
    expect(request?.body).toEqual({
      model: "claude-sonnet-4-5",
      max_tokens: 64_000,
      stream: true,
      system: [{ type: "text", text: "You are a test.", cache_control }],
      tools: TOOLS.map(({ name, description, parameters }) =>
        name === "bash"
          ? {
              name,
              description,
              input_schema: { ...parameters, additionalProperties: false },
              strict: true,
              cache_control,
            }
          : { name, description, input_schema: parameters },
      ),
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "one" },
            { type: "text", text: "two", cache_control },
          ],
        },
      ],
    });
  });

  test("a refusal is explained in the vendor's words where it has some", async () => {
    const stop_details = { type: "refusal", category: "cyber", explanation: "It would do harm." };
    const delta = { stop_reason: "refusal", stop_details };
    const frames = [start, { type: "message_delta", delta }, { type: "message_stop" }];
    const { final } = await collect(ask(model, { fetch: answering(...frames) }));
    expect(final).toMatchObject({ fault: { kind: "refused" } });
    expect(final.message.errorMessage).toContain("It would do harm.");
  });

  test("a login's token goes out as a bearer", async () => {
    await using scene = await stage(anthropic, [turn(say("ok"))]);
    await collect(ask(scene.model, { apiKey: "sk-ant-oat01-token" }));
    const headers = scene.server.requests[0]?.headers ?? {};
    expect(headers["authorization"]).toBe("Bearer sk-ant-oat01-token");
    expect(headers["anthropic-beta"]).toBe("oauth-2025-04-20");
    expect(headers).not.toHaveProperty("x-api-key");
  });

  test("STRM-10 thoughts go back with their signature, hidden ones too", async () => {
    await using scene = await stage(anthropic, [
      turn(think("deep", "sig-1"), thinkHidden("c2VjcmV0"), callTool("read", { path: "a" }, "t1")),
      turn(say("ok")),
    ]);
    const { message } = await collect(ask(scene.model));
    await collect(ask(scene.model, {}, [user("hi"), message, result("t1", "text")]));
    expect(wireMessages(scene.server.requests[1]?.body)[1]).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "deep", signature: "sig-1" },
        { type: "redacted_thinking", data: "c2VjcmV0" },
        { type: "tool_use", id: "t1", name: "read", input: { path: "a" } },
      ],
    });
  });

  test("the thoughts of another model stay at home", async () => {
    const thought = { type: "thinking" as const, thinking: "deep", thinkingSignature: "sig" };
    const foreign = { ...assistant([thought, { type: "text", text: "so" }]), model: "other" };
    expect(await sent([user("hi"), foreign, user("go")])).toMatchObject([
      {},
      { role: "assistant", content: [{ type: "text", text: "so" }] },
      {},
    ]);
  });

  test("results of one answer are one message, and come before anything else in it", async () => {
    const calls = ["a", "b"].map((id) => call(id));
    const image = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };
    const messages = await sent([
      user("hi"),
      assistant(calls),
      { ...result("a", "text"), content: [{ type: "text", text: "seen" }, image] },
      { role: "developer", content: "Mind the gap.", timestamp: 3 },
      { ...result("b", ""), isError: true },
      user("and now?"),
    ]);
    expect(messages[2]).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "a",
          is_error: false,
          content: [
            { type: "text", text: "seen" },
            {
              type: "image",
              source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
            },
          ],
        },
        {
          type: "tool_result",
          tool_use_id: "b",
          is_error: true,
          content: [{ type: "text", text: "(no output)" }],
        },
        { type: "text", text: "<system-reminder>\nMind the gap.\n</system-reminder>" },
        { type: "text", text: "and now?", cache_control: { type: "ephemeral" } },
      ],
    });
  });

  test("ids of other APIs become legal, the same for call and result, and stay apart", async () => {
    const ids = ["call_1|fc_1", "call_1_fc_1", `call_${"x".repeat(90)}`];
    const messages = await sent([
      user("hi"),
      { ...assistant(ids.map(call)), provider: "openai", api: "openai-responses" },
      ...ids.map((id) => result(id, "ok")),
    ]);
    const [, calls, results] = messages as { content: { id?: string; tool_use_id?: string }[] }[];
    const sentIds = calls?.content.map(({ id }) => id ?? "") ?? [];
    expect(results?.content.map(({ tool_use_id }) => tool_use_id ?? "")).toEqual(sentIds);
    expect(new Set(sentIds).size).toBe(3);
    for (const id of sentIds) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  test("a model that sees nothing is told that there was an image", async () => {
    const image = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };
    await using scene = await stage(anthropic, [turn(say("ok"))]);
    const blind = { ...scene.model, input: ["text"] as const };
    await collect(ask(blind, {}, [{ role: "user", content: [image], timestamp: 1 }]));
    const body = JSON.stringify(scene.server.requests[0]?.body);
    expect(body).toContain("An image was left out");
    expect(body).not.toContain(image.data);
  });
});

/** What the vendor gets for these messages; its rules have accepted them. */
async function sent(messages: readonly Message[]): Promise<unknown[]> {
  await using scene = await stage(anthropic, [turn(say("ok"))]);
  const { message } = await collect(ask(scene.model, {}, messages));
  expect(message.errorMessage).toBeUndefined();
  return wireMessages(scene.server.requests[0]?.body);
}

function wireMessages(body: unknown): unknown[] {
  return (body as { messages: unknown[] }).messages;
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
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content,
    isError: false,
    timestamp: 2,
  };
}
