/** Bedrock's frames as bytes, and what it refuses. */

import { describe, expect, test } from "bun:test";
import { callTool, fail, say, scriptedModel, think, thinkHidden, turn } from "../index.ts";

const PATH = "/model/anthropic.claude-test-v1%3A0/converse-stream";
const HI = { role: "user", content: [{ text: "hi" }] };
const USE = {
  role: "assistant",
  content: [{ toolUse: { toolUseId: "a", name: "read", input: {} } }],
};
const RESULT = {
  role: "user",
  content: [{ toolResult: { toolUseId: "a", content: [{ text: "x" }], status: "success" } }],
};
const TOOL = { toolSpec: { name: "read", inputSchema: { json: { type: "object" } } } };

test("an answer is the vendor's events in the vendor's order, each with its checksums", async () => {
  await using model = await scriptedModel([
    turn(
      think("hm", "sig"),
      thinkHidden("c2Vj"),
      say("hello"),
      callTool("read", { a: 1 }, "t1"),
    ).with({
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      textPiece: 3,
      argumentPiece: 4,
    }),
  ]);
  const response = await post(model.url, { messages: [HI] });
  expect(response.headers.get("content-type")).toBe("application/vnd.amazon.eventstream");
  const events = eventsIn(Buffer.from(await response.bytes()));
  expect(events.map(([type]) => type)).toEqual([
    "messageStart",
    ...["contentBlockDelta", "contentBlockDelta", "contentBlockStop"],
    ...["contentBlockDelta", "contentBlockStop"],
    ...["contentBlockDelta", "contentBlockDelta", "contentBlockStop"],
    ...["contentBlockStart", "contentBlockDelta", "contentBlockDelta", "contentBlockStop"],
    ...["messageStop", "metadata"],
  ]);
  const bodies = events.map(([, body]) => body);
  expect(bodies[2]).toMatchObject({ delta: { reasoningContent: { signature: "sig" } } });
  expect(bodies[4]).toMatchObject({ delta: { reasoningContent: { redactedContent: "c2Vj" } } });
  expect(bodies[9]).toMatchObject({ start: { toolUse: { toolUseId: "t1", name: "read" } } });
  expect(bodies[13]).toMatchObject({ stopReason: "tool_use" });
  expect(bodies[14]).toMatchObject({ usage: { inputTokens: 1, outputTokens: 2, totalTokens: 10 } });
});

test("an error is a message of the vendor's, or an exception in the stream", async () => {
  const fault = { kind: "in-band-error", type: "rate_limit_error", message: "slow" } as const;
  await using model = await scriptedModel([
    fail(400, { message: "no" }),
    turn(say("x")).with({ fault }),
  ]);
  const failed = await post(model.url, { messages: [HI] });
  expect([failed.status, await failed.json()]).toEqual([400, { message: "no" }]);
  const broken = await post(model.url, { messages: [HI] });
  const [last] = eventsIn(Buffer.from(await broken.bytes())).slice(-1);
  expect(last).toEqual(["throttlingException", { message: "slow" }]);
});

describe("rules", () => {
  const takes: [string, object][] = [
    ["a question", { messages: [HI] }],
    ["a call and its result", { messages: [HI, USE, RESULT], toolConfig: { tools: [TOOL] } }],
  ];
  test.each(takes)("takes %s", async (_, body) => {
    expect(await refusalOf(body)).toBeUndefined();
  });

  const refuses: [string, object, string][] = [
    ["an unknown field", { messages: [HI], model: "x" }, "Unexpected field 'model'"],
    ["an assistant first", { messages: [USE] }, "must start with a user message"],
    ["two users in a row", { messages: [HI, HI] }, "must alternate"],
    ["blank text", { messages: [{ role: "user", content: [{ text: " " }] }] }, "is blank"],
    ["no content", { messages: [{ role: "user", content: [] }] }, "is empty"],
    [
      "a block of two kinds",
      { messages: [{ role: "user", content: [{ text: "a", image: {} }] }] },
      "must set one",
    ],
    [
      "an open call",
      { messages: [HI, USE, HI], toolConfig: { tools: [TOOL] } },
      "Expected toolResult blocks",
    ],
    [
      "a stray result",
      { messages: [RESULT], toolConfig: { tools: [TOOL] } },
      "exceeds the number of toolUse",
    ],
    ["calls without tools", { messages: [HI, USE, RESULT] }, "toolConfig field must be defined"],
    [
      "a budget beyond the limit",
      {
        messages: [HI],
        inferenceConfig: { maxTokens: 2000 },
        additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 2000 } },
      },
      "must be greater than",
    ],
    [
      "five cache points",
      { messages: [HI], system: Array(5).fill({ cachePoint: { type: "default" } }) },
      "maximum of 4",
    ],
  ];
  test.each(refuses)("refuses %s", async (_, body, words) => {
    expect(await refusalOf(body)).toContain(words);
  });

  test("refuses a request that proves nothing", async () => {
    expect(await refusalOf({ messages: [HI] }, {})).toContain("Missing Authentication Token");
    expect(await refusalOf({ messages: [HI] }, { authorization: "AWS4-HMAC-SHA256 x" })).toContain(
      "Missing Authentication Token",
    );
  });
});

async function refusalOf(
  body: object,
  headers?: Record<string, string>,
): Promise<string | undefined> {
  await using model = await scriptedModel([turn(say("ok"))]);
  await (await post(model.url, body, headers)).bytes();
  return model.requests[0]?.refusal?.message;
}

function post(
  url: string,
  body: object,
  headers: Record<string, string> = { authorization: "Bearer k" },
): Promise<Response> {
  return fetch(url + PATH, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Type and payload of each message, after a look at its checksums. */
function eventsIn(bytes: Buffer): [string, unknown][] {
  const events: [string, unknown][] = [];
  for (let at = 0; at < bytes.length;) {
    const total = bytes.readUInt32BE(at);
    const payloadAt = at + 12 + bytes.readUInt32BE(at + 4);
    const end = at + total - 4;
    expect(bytes.readUInt32BE(at + 8)).toBe(Bun.hash.crc32(bytes.subarray(at, at + 8)));
    expect(bytes.readUInt32BE(end)).toBe(Bun.hash.crc32(bytes.subarray(at, end)));
    const head = bytes.toString("latin1", at + 12, payloadAt);
    const type = /:(?:event|exception)-type\x07[\s\S]{2}(\w+?)(?=\x0d|$)/.exec(head)?.[1] ?? "";
    events.push([type, JSON.parse(bytes.toString("utf8", payloadAt, end))]);
    at += total;
  }
  return events;
}
