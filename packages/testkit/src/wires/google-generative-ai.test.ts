/** The chunks of the Gemini wire, and what it refuses, over real HTTP. */

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

const PATH = "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse";
const GEMINI_3 = PATH.replace("2.5", "3");
const PRO = PATH.replace("flash", "pro");
const hi = { role: "user", parts: [{ text: "hi" }] };

async function post(
  url: string,
  body: object,
  path = PATH,
  headers: Record<string, string> = { "x-goog-api-key": "k" },
) {
  return fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function chunks(answer: Answer, path = PATH): Promise<Chunk[]> {
  await using model = await scriptedModel([answer]);
  const text = await (await post(model.url, { contents: [hi] }, path)).text();
  expect(text).toEndWith("\r\n\r\n");
  return [...text.matchAll(/^data: (.*)\r$/gm)].map(([, json]) => JSON.parse(json!));
}

interface Chunk {
  readonly candidates: readonly [
    { readonly content: { readonly parts: readonly object[] }; readonly finishReason?: string },
  ];
  readonly usageMetadata: object;
}

describe("google-generative-ai answers", () => {
  test("thoughts, text and calls are parts, one to a chunk, each with the counts so far", async () => {
    const all = await chunks(
      turn(
        think("hmm", "sealed"),
        thinkHidden("dark"),
        say("hello"),
        callTool("read", { path: "a" }, "c1"),
        callTool("list", ""),
      ).with({ usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 0 }, textPiece: 3 }),
    );
    expect(all.flatMap(({ candidates: [{ content }] }) => content.parts)).toEqual([
      { text: "hmm", thought: true, thoughtSignature: "sealed" },
      { text: "hel" },
      { text: "lo" },
      { functionCall: { id: "c1", name: "read", args: { path: "a" } } },
      { functionCall: { id: "call_0000_4", name: "list", args: {} } },
      { text: "" },
    ]);
    expect(all.at(-1)).toMatchObject({
      candidates: [{ finishReason: "STOP" }],
      modelVersion: "gemini-2.5-flash",
      responseId: "resp-000000000000000000000000",
    });
    for (const { usageMetadata } of all) {
      expect(usageMetadata).toMatchObject({
        promptTokenCount: 40,
        cachedContentTokenCount: 30,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 10,
        totalTokenCount: 60,
      });
    }
  });

  test("a newer model signs the first of its calls", async () => {
    const all = await chunks(turn(callTool("a", {}, "c1"), callTool("b", {}, "c2")), GEMINI_3);
    const parts = all.flatMap(({ candidates: [{ content }] }) => content.parts);
    expect(parts[0]).toMatchObject({ thoughtSignature: "of-c1" });
    expect(parts[1]).not.toHaveProperty("thoughtSignature");
  });

  test.each([
    ["stop", "STOP"],
    ["length", "MAX_TOKENS"],
    ["toolUse", "STOP"],
    ["refused", "SAFETY"],
  ] as const)("stop %s is %s", async (stop, reason) => {
    const all = await chunks(turn(say("x")).with({ stop }));
    expect(all.at(-1)?.candidates[0].finishReason).toBe(reason);
  });

  test("arguments that are no object are a reason to stop, not a call", async () => {
    const all = await chunks(turn(callTool("read", "[1]")));
    expect(all).toHaveLength(1);
    expect(all[0]?.candidates[0].finishReason).toBe("MALFORMED_FUNCTION_CALL");
  });

  test.each([
    [400, "INVALID_ARGUMENT"],
    [401, "UNAUTHENTICATED"],
    [429, "RESOURCE_EXHAUSTED"],
    [503, "UNAVAILABLE"],
  ])("status %d is %s, in a response and in the stream", async (code, status) => {
    const type = TYPES[code] ?? "";
    const fault = { kind: "in-band-error", type, message: "because" } as const;
    await using model = await scriptedModel([
      fail(code, { message: "because" }),
      turn().with({ fault }),
    ]);
    const error = { code, message: "because", status };
    const response = await post(model.url, { contents: [hi] });
    expect([response.status, await response.json()]).toEqual([code, { error }]);
    const stream = await (await post(model.url, { contents: [hi] })).text();
    expect(JSON.parse(stream.slice("data: ".length))).toEqual({ error });
  });
});

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  429: "rate_limit_error",
  503: "overloaded_error",
};

describe("google-generative-ai rules", () => {
  const call = (id: string, more: object = {}) => ({
    functionCall: { id, name: "read", args: {} },
    ...more,
  });
  const calls = (...parts: object[]) => ({ role: "model", parts });
  const response = (id: string) => ({
    functionResponse: { id, name: "read", response: { output: "x" } },
  });
  const results = (...ids: string[]) => ({ role: "user", parts: ids.map(response) });
  const declared = (parameters: object, name = "read") => ({
    tools: [{ functionDeclarations: [{ name, description: "d", parameters }] }],
  });

  const accepts: [string, object, string?][] = [
    ["a question", {}],
    ["an instruction", { systemInstruction: { parts: [{ text: "x" }] } }],
    [
      "calls and their responses",
      { contents: [hi, calls(call("a"), call("b")), results("a", "b"), hi] },
    ],
    [
      "a response with an image beside it",
      {
        contents: [
          hi,
          calls(call("a")),
          {
            role: "user",
            parts: [response("a"), { inlineData: { mimeType: "image/png", data: "AA" } }],
          },
        ],
      },
    ],
    ["tools", declared({ type: "object", properties: { a: { type: "string", nullable: true } } })],
    ["a budget", { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
    [
      "a signed call",
      { contents: [hi, calls(call("a", { thoughtSignature: "s" })), results("a")] },
      GEMINI_3,
    ],
    [
      "an unsigned call of an earlier turn",
      { contents: [hi, calls(call("a")), results("a"), hi] },
      GEMINI_3,
    ],
  ];
  test.each(accepts.map(([name, ...rest]) => [name, rest] as const))(
    "takes %s",
    async (_name, [change, path]) => {
      expect(await refusalOf(change, path)).toBeUndefined();
    },
  );

  const refuses: [string, object, string, string?][] = [
    ["an unknown field", { colour: "red" }, 'Unknown name "colour": Cannot find field.'],
    ["no contents", { contents: [] }, "contents is not specified"],
    [
      "an empty turn",
      { contents: [{ role: "user", parts: [] }] },
      "contents.parts must not be empty",
    ],
    [
      "an unknown role",
      { contents: [{ ...hi, role: "assistant" }] },
      "Please use a valid role: user, model.",
    ],
    [
      "an unknown field of a part",
      { contents: [{ role: "user", parts: [{ text: "x", type: "text" }] }] },
      'Unknown name "type"',
    ],
    [
      "a part without data",
      { contents: [{ role: "user", parts: [{ thought: true }] }] },
      "required oneof field 'data'",
    ],
    [
      "an unanswered call",
      { contents: [hi, calls(call("a")), hi] },
      "number of function response parts is equal",
    ],
    [
      "one response to two calls",
      { contents: [hi, calls(call("a"), call("b")), results("a")] },
      "number of function response parts",
    ],
    [
      "a response without a call",
      { contents: [hi, results("a")] },
      "function response turn comes immediately after",
    ],
    [
      "a call that opens the conversation",
      { contents: [calls(call("a")), results("a")] },
      "function call turn comes immediately after",
    ],
    [
      "arguments as text",
      { contents: [hi, calls({ functionCall: { name: "read", args: "{}" } }), results("a")] },
      "function_call.args",
    ],
    [
      "a response without a name",
      {
        contents: [
          hi,
          calls(call("a")),
          { role: "user", parts: [{ functionResponse: { response: {} } }] },
        ],
      },
      "Name cannot be empty",
    ],
    [
      "a tool with a space in its name",
      declared({ type: "object" }, "a b"),
      "Invalid function name",
    ],
    [
      "a keyword it does not know",
      declared({ type: "object", additionalProperties: false }),
      'Unknown name "additionalProperties"',
    ],
    [
      "one deep inside",
      declared({ type: "object", properties: { a: { type: "array", items: { $ref: "#" } } } }),
      'Unknown name "$ref"',
    ],
    ["a list of types", declared({ type: ["object", "null"] }), "Proto field is not repeating"],
    [
      "an unknown mode",
      { toolConfig: { functionCallingConfig: { mode: "MAYBE" } } },
      "function_calling_config.mode",
    ],
    [
      "names without force",
      { toolConfig: { functionCallingConfig: { mode: "AUTO", allowedFunctionNames: ["a"] } } },
      "mode is ANY",
    ],
    [
      "a level and a budget",
      { generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: "LOW" } } },
      "only one of thinking budget and thinking level",
      GEMINI_3,
    ],
    [
      "a level for an older model",
      { generationConfig: { thinkingConfig: { thinkingLevel: "LOW" } } },
      "Thinking level is not supported",
    ],
    [
      "an unknown level",
      { generationConfig: { thinkingConfig: { thinkingLevel: "xhigh" } } },
      "thinking_level",
      GEMINI_3,
    ],
    [
      "a budget beyond the limit",
      { generationConfig: { thinkingConfig: { thinkingBudget: 30_000 } } },
      "between 0 and 24576",
    ],
    [
      "no thinking where there must be some",
      { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
      "only works in thinking mode",
      PRO,
    ],
    [
      "an unsigned call of this turn",
      { contents: [hi, calls(call("a")), results("a")] },
      "missing a thought_signature",
      GEMINI_3,
    ],
  ];
  test.each(refuses.map(([name, ...rest]) => [name, rest] as const))(
    "refuses %s",
    async (_name, [change, message, path]) => {
      expect(await refusalOf(change, path)).toContain(message);
    },
  );

  test.each([
    [{}, PATH, 403],
    [{ "x-goog-api-key": "k" }, PATH, 200],
    [{ authorization: "Bearer t" }, PATH, 200],
    [{ "x-goog-api-key": "k" }, PATH.replace("?alt=sse", ""), 400],
  ] as const)("%j at %s is %d", async (headers, path, status) => {
    await using model = await scriptedModel([turn(say("ok"))]);
    const answer = await post(model.url, { contents: [hi] }, path, headers);
    await answer.text();
    expect(answer.status).toBe(status);
  });

  /** The vendor's message when it refuses the valid request with this change. */
  async function refusalOf(change: object, path = PATH): Promise<string | undefined> {
    await using model = await scriptedModel([turn(say("accepted"))]);
    const answer = await post(model.url, { contents: [hi], ...change }, path);
    const text = await answer.text();
    if (answer.status === 200) return undefined;
    expect(answer.status).toBe(400);
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  }
});
