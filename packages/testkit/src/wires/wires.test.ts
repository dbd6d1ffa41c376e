/** The frames of every wire, and what it refuses, over real HTTP. */

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

describe("anthropic-messages", () => {
  test("text, thinking with signature and tool calls are the vendor's events in the vendor's order", async () => {
    const answer = turn(
      think("let me see", "sig-1"),
      thinkHidden("ciphertext"),
      say("hello"),
      callTool("read", { path: "a" }, "toolu_x"),
      callTool("list", {}),
    ).with({
      usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 },
      textPiece: 3,
      argumentPiece: 8,
    });
    expect(await events("anthropic", answer)).toEqual([
      {
        type: "message_start",
        message: {
          id: "msg_000000000000000000000000",
          type: "message",
          role: "assistant",
          model: "claude-test",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: 10,
            cache_creation_input_tokens: 40,
            cache_read_input_tokens: 30,
            output_tokens: 1,
          },
        },
      },
      { type: "ping" },
      start(0, { type: "thinking", thinking: "", signature: "" }),
      ...["let", " me", " se", "e"].map((thinking) =>
        delta(0, { type: "thinking_delta", thinking }),
      ),
      delta(0, { type: "signature_delta", signature: "sig-1" }),
      stop(0),
      start(1, { type: "redacted_thinking", data: "ciphertext" }),
      stop(1),
      start(2, { type: "text", text: "" }),
      ...["hel", "lo"].map((text) => delta(2, { type: "text_delta", text })),
      stop(2),
      start(3, { type: "tool_use", id: "toolu_x", name: "read", input: {} }),
      ...["", '{"path":', '"a"}'].map((partial_json) =>
        delta(3, { type: "input_json_delta", partial_json }),
      ),
      stop(3),
      start(4, { type: "tool_use", id: "toolu_0000_4", name: "list", input: {} }),
      delta(4, { type: "input_json_delta", partial_json: "" }),
      stop(4),
      {
        type: "message_delta",
        delta: { stop_reason: "tool_use", stop_sequence: null },
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 40,
          cache_read_input_tokens: 30,
          output_tokens: 20,
        },
      },
      { type: "message_stop" },
    ]);

    function start(index: number, content_block: object) {
      return { type: "content_block_start", index, content_block };
    }
    function delta(index: number, change: object) {
      return { type: "content_block_delta", index, delta: change };
    }
    function stop(index: number) {
      return { type: "content_block_stop", index };
    }
  });

  test("the event line names the type of its data", async () => {
    await using model = await scriptedModel([turn(say("x"))]);
    const response = await post(model.url, "anthropic", VALID.anthropic);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const pairs = [...(await response.text()).matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)];
    expect(pairs.length).toBe(7);
    for (const [, name, json] of pairs) expect(JSON.parse(json!).type).toBe(name);
  });

  test.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["toolUse", "tool_use"],
    ["refused", "refusal"],
  ] as const)("stop %s is %s", async (stop, reason) => {
    const all = await events("anthropic", turn(say("x")).with({ stop }));
    expect(all.at(-2)).toMatchObject({ delta: { stop_reason: reason } });
  });

  test.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [413, "request_too_large"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [503, "api_error"],
    [529, "overloaded_error"],
  ])("status %d is %s", async (status, type) => {
    await using model = await scriptedModel([fail(status, { message: "because" })]);
    const response = await post(model.url, "anthropic", VALID.anthropic);
    expect([response.status, await response.json()]).toEqual([
      status,
      { type: "error", error: { type, message: "because" } },
    ]);
  });
});

describe("openai-completions", () => {
  test("reasoning, text and parallel tool calls are the vendor's chunks in the vendor's order", async () => {
    const answer = turn(
      think("hm"),
      say("hello"),
      callTool("read", { path: "a" }),
      callTool("list", {}, "call_y"),
    ).with({
      usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 5 },
      textPiece: 3,
      argumentPiece: 8,
    });
    const all = await events("openai", answer);
    expect(all[0]).toEqual({
      id: "chatcmpl-000000000000000000000000",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: "gpt-test",
      service_tier: "default",
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          delta: { role: "assistant", content: "", refusal: null },
          logprobs: null,
          finish_reason: null,
        },
      ],
      usage: null,
    });
    expect(all.slice(1, -1).map((chunk) => (chunk as Chunk).choices[0]!.delta)).toEqual([
      { reasoning_content: "hm" },
      { content: "hel" },
      { content: "lo" },
      {
        tool_calls: [
          {
            index: 0,
            id: "call_0000_0",
            type: "function",
            function: { name: "read", arguments: "" },
          },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] },
      {
        tool_calls: [
          { index: 1, id: "call_y", type: "function", function: { name: "list", arguments: "" } },
        ],
      },
      { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
      {},
    ]);
    expect(all.at(-2)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
    expect(all.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 45,
        completion_tokens: 20,
        total_tokens: 65,
        prompt_tokens_details: { cached_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 10 },
      },
    });
  });

  test("the stream ends with [DONE], and has usage only when it was asked for", async () => {
    await using model = await scriptedModel([turn(say("x"))]);
    const { stream_options: _, ...body } = VALID.openai;
    const text = await (await post(model.url, "openai", body)).text();
    expect(text).toEndWith("data: [DONE]\n\n");
    expect(text).not.toContain("usage");
  });

  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["toolUse", "tool_calls"],
    ["refused", "content_filter"],
  ] as const)("stop %s is %s", async (stop, reason) => {
    const all = await events("openai", turn(say("x")).with({ stop }));
    expect(all.at(-2)).toMatchObject({ choices: [{ finish_reason: reason }] });
  });

  test.each([
    [400, "invalid_request_error", null],
    [401, "invalid_request_error", "invalid_api_key"],
    [429, "requests", "rate_limit_exceeded"],
    [500, "server_error", null],
  ])("status %d is %s", async (status, type, code) => {
    await using model = await scriptedModel([fail(status, { message: "because" })]);
    const response = await post(model.url, "openai", VALID.openai);
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: { message: "because", type, param: null, code } },
    ]);
  });
});

test.each(["anthropic", "openai"] as const)(
  "%s: usage is never all zero by default",
  async (vendor) => {
    const text = JSON.stringify((await events(vendor, turn())).slice(-2));
    const numbers = [...text.matchAll(/"(?:input|prompt)_tokens":(\d+)/g)].map(([, digits]) =>
      Number(digits),
    );
    expect(numbers.length).toBeGreaterThan(0);
    expect(Math.min(...numbers)).toBeGreaterThan(0);
  },
);

test.each(["anthropic", "openai"] as const)(
  "%s: text pieces join to the text, surrogates whole",
  async (vendor) => {
    const said = "a🎉b👩‍👩‍👧c";
    const text = JSON.stringify(await events(vendor, turn(say(said)).with({ textPiece: 1 })));
    const pieces = [...text.matchAll(/"(?:text|content)":"([^"]*)"/g)].map(([, piece]) => piece!);
    expect(pieces.join("")).toBe(said);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  },
);

interface Chunk {
  choices: { delta: object }[];
}

type Vendor = "anthropic" | "openai";

const VALID = {
  anthropic: {
    model: "claude-test",
    max_tokens: 100,
    stream: true,
    messages: [{ role: "user", content: "hello" }],
  },
  openai: {
    model: "gpt-test",
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: "hello" }],
  },
};

async function events(vendor: Vendor, answer: Answer): Promise<unknown[]> {
  await using model = await scriptedModel([answer]);
  const text = await (await post(model.url, vendor, VALID[vendor])).text();
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => json!);
  return data.filter((json) => json !== "[DONE]").map((json) => JSON.parse(json));
}

function post(url: string, vendor: Vendor, body: object): Promise<Response> {
  const headers: Record<string, string> =
    vendor === "anthropic"
      ? { "x-api-key": "k", "anthropic-version": "2023-06-01" }
      : { authorization: "Bearer k" };
  const path = vendor === "anthropic" ? "/v1/messages" : "/v1/chat/completions";
  return fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
}
