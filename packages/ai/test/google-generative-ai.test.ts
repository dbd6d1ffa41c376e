/** Gemini API: the vendor's chunks, field by field, and what its reasons to stop mean. */

import { callTool, say, think, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { modelOf } from "../src/index.ts";
import type { AssistantMessage } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { answering, ask, stage, user } from "./stage.ts";
import { GEMINI, googleAtTest } from "./subjects.ts";

const model = modelOf(googleAtTest, "gemini-2.5-flash", {});

function chunk(parts: readonly object[], more: object = {}) {
  const candidate = { content: { parts, role: "model" }, index: 0, ...more };
  return { candidates: [candidate], modelVersion: "gemini-2.5-flash", responseId: "r1" };
}

async function answer(...chunks: readonly (object | string)[]) {
  return collect(ask(model, { fetch: answering(...chunks) }));
}

const stop = chunk([{ text: "" }], { finishReason: "STOP" });

describe("google-generative-ai answers", () => {
  test("STRM-15 thoughts and texts are blocks, each closed before the next starts", async () => {
    const { types, message } = await answer(
      chunk([{ text: "hm", thought: true }]),
      chunk([{ text: "m", thought: true }, { text: "so" }]),
      chunk([{ text: " be it" }]),
      chunk([{ text: "but", thought: true }]),
      stop,
    );
    expect(types.filter((type) => !type.endsWith("_delta"))).toEqual([
      ...["start", "thinking_start", "thinking_end", "text_start", "text_end"],
      ...["thinking_start", "thinking_end", "done"],
    ]);
    expect(message.content).toEqual([
      { type: "thinking", thinking: "hmm" },
      { type: "text", text: "so be it" },
      { type: "thinking", thinking: "but" },
    ]);
  });

  test("STRM-16 a call is a start, one delta with the JSON of its arguments, and an end", async () => {
    const args = { path: "a", range: [1, 2], deep: { ключ: "🙂" } };
    const { events, types, message } = await answer(
      chunk([{ functionCall: { name: "read", args } }]),
      stop,
    );
    expect(types).toEqual(["start", "toolcall_start", "toolcall_delta", "toolcall_end", "done"]);
    expect(events[2]).toMatchObject({ delta: JSON.stringify(args) });
    expect(message.content).toEqual([
      { type: "toolCall", id: "call_r1_0", name: "read", arguments: args },
    ]);
    expect(message.stopReason).toBe("toolUse");
  });

  test("calls keep the vendor's ids; without ids they stay apart, within an answer and between two", async () => {
    const named = { functionCall: { id: "fc-7", name: "read", args: {} } };
    const nameless = { functionCall: { name: "list" } };
    const first = await answer(chunk([named, nameless, nameless]), stop);
    const idsOf = ({ content }: AssistantMessage) =>
      content.map((block) => (block.type === "toolCall" ? block.id : block.type));
    expect(idsOf(first.message)).toEqual(["fc-7", "call_r1_1", "call_r1_2"]);

    const { responseId: _id, ...anonymous } = chunk([nameless], { finishReason: "STOP" });
    const later = { ...anonymous, usageMetadata: { promptTokenCount: 9 } };
    const ids = [await answer(anonymous), await answer(later)].flatMap(({ message }) =>
      idsOf(message),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    ["STOP", "stop", undefined],
    ["MAX_TOKENS", "length", undefined],
    ["SAFETY", "error", "refused"],
    ["RECITATION", "error", "refused"],
    ["LANGUAGE", "error", "refused"],
    ["BLOCKLIST", "error", "refused"],
    ["PROHIBITED_CONTENT", "error", "refused"],
    ["SPII", "error", "refused"],
    ["MODEL_ARMOR", "error", "refused"],
    ["MALFORMED_FUNCTION_CALL", "error", "malformed"],
    ["UNEXPECTED_TOOL_CALL", "error", "malformed"],
    ["OTHER", "error", "malformed"],
    ["WHAT_NEXT", "error", "malformed"],
  ])("STRM-17 %s means %s", async (finishReason, ours, kind) => {
    const last = chunk([{ text: "so" }], { finishReason, finishMessage: "said the vendor" });
    const { final } = await answer({ ...last, usageMetadata: { promptTokenCount: 3 } });
    expect(final.message.stopReason).toBe(ours as AssistantMessage["stopReason"]);
    expect(final.message.usage.input).toBe(3);
    if (final.type !== "error") return;
    expect(final.fault?.kind).toBe(kind as "refused");
    expect(final.message.errorMessage).toContain(finishReason);
    expect(final.message.errorMessage).toContain("said the vendor");
  });

  test("a blocked prompt is refused, with the vendor's reason", async () => {
    const { final, message } = await answer({
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 8 },
    });
    expect(final).toMatchObject({ type: "error", fault: { kind: "refused" } });
    expect(message.errorMessage).toContain("PROHIBITED_CONTENT");
  });

  test("cached tokens are part of the prompt's count, thoughts are counted apart; ours are not", async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 30,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 11,
      thoughtsTokenCount: 22,
      totalTokenCount: 138,
    };
    const { message } = await answer(chunk([{ text: "a" }]), { ...stop, usageMetadata });
    expect(message.usage).toMatchObject({ input: 75, output: 33, cacheRead: 30, cacheWrite: 0 });
    expect(message.usage.totalTokens).toBe(138);
  });

  test("signatures stay with their parts, and nothing is added to a part that is signed", async () => {
    const { message, events } = await answer(
      chunk([{ text: "hm", thought: true, thoughtSignature: "s1" }]),
      chunk([{ text: "m", thought: true }]),
      chunk([{ text: "one" }, { text: " two", thoughtSignature: "s2" }]),
      chunk([{ functionCall: { id: "a", name: "read", args: {} }, thoughtSignature: "s3" }]),
      chunk([{ functionCall: { id: "b", name: "read", args: {} } }]),
      chunk([{ text: "", thoughtSignature: "s4" }], { finishReason: "STOP" }),
    );
    expect(message.content).toEqual([
      { type: "thinking", thinking: "hm", thinkingSignature: "s1" },
      { type: "thinking", thinking: "m" },
      { type: "text", text: "one two", textSignature: "s2" },
      { type: "toolCall", id: "a", name: "read", arguments: {}, thoughtSignature: "s3" },
      { type: "toolCall", id: "b", name: "read", arguments: {} },
      { type: "text", text: "", textSignature: "s4" },
    ]);
    const deltas = events.filter((event) => event.type.endsWith("_delta"));
    expect(JSON.stringify(deltas.map((event) => "delta" in event && event.delta))).not.toMatch(
      /s\d/,
    );
  });

  test("parts of unknown kinds and chunks without an answer are passed over", async () => {
    const { message } = await answer(
      { usageMetadata: { promptTokenCount: 1 } },
      chunk([{ executableCode: { code: "1" } }, { text: "so" }]),
      { candidates: [{ index: 0 }] },
      stop,
    );
    expect(message.content).toEqual([{ type: "text", text: "so" }]);
  });

  test.each([
    ["a call without a name", chunk([{ functionCall: { args: {} } }])],
    ["a number where text belongs", chunk([{ text: 5 }])],
    ["parts that are no list", { candidates: [{ content: { parts: 5 } }] }],
  ])("%s is malformed", async (_what, wrong) => {
    const { final } = await answer(wrong, stop);
    expect(final).toMatchObject({ type: "error", fault: { kind: "malformed" } });
  });
});

describe("google-generative-ai failures", () => {
  const replying = (status: number, body: unknown) => ({
    fetch: async () =>
      new Response(JSON.stringify(body), {
        status,
        headers: { "content-type": "application/json; charset=UTF-8" },
      }),
  });

  test("a wrong key is status 400, and still a matter of the key", async () => {
    const type = "type.googleapis.com/google.rpc.ErrorInfo";
    const details = [{ "@type": type, reason: "API_KEY_INVALID" }];
    const error = { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT", details };
    const { final, message } = await collect(ask(model, replying(400, { error })));
    expect(final).toMatchObject({ fault: { kind: "auth", reason: "denied" } });
    expect(message.errorMessage).toBe("400 INVALID_ARGUMENT: API key not valid.");
  });

  test("how long to wait is in the details, and the error may come in a list", async () => {
    const type = "type.googleapis.com/google.rpc.RetryInfo";
    const details = [{ "@type": type, retryDelay: "34.074s" }];
    const error = { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED", details };
    const { final, message } = await collect(ask(model, replying(429, [{ error }])));
    expect(final).toMatchObject({ fault: { kind: "rate-limit", retryAfterMs: 34_074 } });
    expect(message.errorMessage).toContain("Quota exceeded");
    expect(message.errorMessage).toContain("retry after 34.1 s");
  });

  test("a prompt that is too long is known by its text, a page by its words", async () => {
    const text = "The input token count (1196265) exceeds the maximum number of tokens allowed";
    const error = { code: 400, message: text, status: "INVALID_ARGUMENT" };
    const long = await collect(ask(model, replying(400, { error })));
    expect(long.final).toMatchObject({ fault: { kind: "context-overflow" } });
    const fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const page = await collect(ask(model, { fetch }));
    expect(page.message.errorMessage).toBe("502: Bad gateway");
  });
});

describe("google-generative-ai conversations", () => {
  test("a newer model takes back the signatures of its calls", async () => {
    const provider = {
      ...googleAtTest,
      models: [{ ...GEMINI, id: "gemini-3-pro-preview" }],
    };
    await using scene = await stage(provider, [
      turn(
        think("hm", "sig-of-thought"),
        callTool("read", { path: "a" }, "c1"),
        callTool("read", {}, "c2"),
      ),
      turn(say("ok")),
    ]);
    const { message } = await collect(ask(scene.model));
    expect(message.content[1]).toMatchObject({ thoughtSignature: "of-c1" });
    const results = ["c1", "c2"].map((toolCallId) => ({
      role: "toolResult" as const,
      toolCallId,
      toolName: "read",
      content: [{ type: "text" as const, text: "seen" }],
      isError: false,
      timestamp: 2,
    }));
    const { final } = await collect(ask(scene.model, {}, [user("hi"), message, ...results]));
    expect(final.message.errorMessage).toBeUndefined();
    const { contents = [] } = (scene.server.requests[1]?.body ?? {}) as { contents?: unknown[] };
    expect(contents[1]).toEqual({
      role: "model",
      parts: [
        { text: "hm", thought: true, thoughtSignature: "sig-of-thought" },
        {
          functionCall: { id: "c1", name: "read", args: { path: "a" } },
          thoughtSignature: "of-c1",
        },
        { functionCall: { id: "c2", name: "read", args: {} } },
      ],
    });
  });
});
