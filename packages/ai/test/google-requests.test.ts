/** Gemini API: the vendor's request, field by field. */

import { say, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { modelOf, type ModelFacts } from "../src/index.ts";
import type { AssistantMessage, Message, ModelRequest } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { ask, KEY, requestTo, send, stage, user } from "./stage.ts";
import { GEMINI, googleAtTest } from "./subjects.ts";

const IMAGE = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };

interface Sent {
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly contents: readonly { readonly role: string; readonly parts: readonly object[] }[];
    readonly tools?: unknown;
    readonly toolConfig?: unknown;
    readonly generationConfig?: { readonly thinkingConfig?: unknown };
  };
}

/** What the vendor gets for this; its rules have accepted it. */
async function sent(change: Partial<ModelRequest>, facts: Partial<ModelFacts> = {}): Promise<Sent> {
  const provider = { ...googleAtTest, models: [{ ...GEMINI, ...facts }] };
  await using scene = await stage(provider, [turn(say("ok"))]);
  const { message } = await collect(send({ ...requestTo(scene.model), ...change }));
  expect(message.errorMessage).toBeUndefined();
  return scene.server.requests[0] as unknown as Sent;
}

describe("google-generative-ai requests", () => {
  test("path, key, instruction, tools and limits", async () => {
    const { path, query, headers, body } = await sent({ tools: [TOOL] });
    expect(path).toBe("/v1beta/models/gemini-2.5-flash:streamGenerateContent");
    expect(query).toBe("alt=sse");
    expect(headers["x-goog-api-key"]).toBe(KEY);
    expect(headers).not.toHaveProperty("authorization");
    expect(body).toMatchObject({
      systemInstruction: { parts: [{ text: "You are a test." }] },
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      tools: [{ functionDeclarations: [{ name: "read", description: "Reads" }] }],
      generationConfig: { maxOutputTokens: 65_536, thinkingConfig: { thinkingBudget: 0 } },
    });
    expect(body).not.toHaveProperty("toolConfig");
  });

  test("PROV-25 the vendor's address and key, its schema dialect, and signatures part by part", async () => {
    const real = modelOf({ ...googleAtTest, baseUrlEnv: "UNSET" }, "gemini-2.5-flash", {});
    let asked = "";
    const fetch = async (url: string) => {
      asked = url;
      return new Response("", { status: 500 });
    };
    await collect(ask(real, { fetch }));
    expect(asked).toBe(
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    );
    expect(googleAtTest.keyEnv).toEqual(["GEMINI_API_KEY"]);

    const { body } = await sent({
      tools: [TOOL],
      messages: [
        user("hi"),
        assistant([
          { type: "thinking", thinking: "unsigned" },
          { type: "thinking", thinking: "deep", thinkingSignature: "s1" },
          { type: "text", text: "so", textSignature: "s2" },
          { ...call("a"), thoughtSignature: "s3" },
          call("b"),
          { type: "text", text: "", textSignature: "s4" },
        ]),
        result("a", "one"),
        result("b", "two"),
      ],
    });
    const [{ functionDeclarations }] = body.tools as [{ functionDeclarations: unknown[] }];
    const written = JSON.stringify(functionDeclarations);
    for (const key of ["$ref", "$defs", "additionalProperties", '"pattern"']) {
      expect(written).not.toContain(key);
    }
    expect(written).toContain('"nullable":true');
    expect(body.contents[1]?.parts).toEqual([
      { text: "deep", thought: true, thoughtSignature: "s1" },
      { text: "so", thoughtSignature: "s2" },
      { functionCall: { id: "a", name: "read", args: { path: "a" } }, thoughtSignature: "s3" },
      { functionCall: { id: "b", name: "read", args: { path: "b" } } },
      { text: "", thoughtSignature: "s4" },
    ]);
  });

  const PRO_25 = { id: "gemini-2.5-pro" };
  const LITE_25 = { id: "gemini-2.5-flash-lite" };
  const FLASH_3 = { id: "gemini-3-flash-preview" };
  const PRO_3 = { id: "gemini-3-pro-preview" };
  const LEVELS = {
    id: "gemini-3.1-pro",
    thinking: { mode: "effort", levels: ["low", "medium", "high"] },
  } as const;
  const GEMMA = {
    id: "gemma-4-31b-it",
    thinking: { mode: "effort", levels: ["minimal", "high"] },
  } as const;
  const ADAPTIVE = { thinking: { mode: "adaptive", levels: ["low", "high"] } } as const;
  const thoughts = (more: object) => ({ includeThoughts: true, ...more });

  test.each([
    ["low", {}, thoughts({ thinkingBudget: 2048 })],
    ["xhigh", {}, thoughts({ thinkingBudget: 24_576 })],
    ["xhigh", PRO_25, thoughts({ thinkingBudget: 32_768 })],
    ["off", {}, { thinkingBudget: 0 }],
    [undefined, {}, { thinkingBudget: 0 }],
    ["off", PRO_25, { thinkingBudget: 128 }],
    [undefined, PRO_25, undefined],
    ["low", FLASH_3, thoughts({ thinkingLevel: "LOW" })],
    ["xhigh", FLASH_3, thoughts({ thinkingLevel: "HIGH" })],
    ["off", FLASH_3, { thinkingLevel: "MINIMAL" }],
    [undefined, FLASH_3, undefined],
    ["medium", PRO_3, thoughts({ thinkingLevel: "LOW" })],
    ["minimal", PRO_3, thoughts({ thinkingLevel: "LOW" })],
    ["medium", LEVELS, thoughts({ thinkingLevel: "MEDIUM" })],
    ["minimal", LEVELS, thoughts({ thinkingLevel: "LOW" })],
    ["medium", GEMMA, thoughts({ thinkingLevel: "MINIMAL" })],
    ["high", ADAPTIVE, thoughts({})],
    ["high", { reasoning: false }, undefined],
  ] as const)("thinking %s on %j is %j", async (thinking, facts, config) => {
    const { body } = await sent(thinking === undefined ? {} : { thinking }, facts);
    expect(body.generationConfig?.thinkingConfig).toEqual(config as object);
  });

  test("budgets of the user's are held within the vendor's limits", async () => {
    const budgets = { minimal: 1, low: 100_000, medium: 5_000, high: 1, xhigh: 1 };
    const budgetAt = async (thinking: "minimal" | "low" | "medium") => {
      const { body } = await sent({ thinking, thinkingBudgets: budgets }, LITE_25);
      return body.generationConfig?.thinkingConfig;
    };
    expect(await budgetAt("minimal")).toEqual(thoughts({ thinkingBudget: 512 }));
    expect(await budgetAt("low")).toEqual(thoughts({ thinkingBudget: 24_576 }));
    expect(await budgetAt("medium")).toEqual(thoughts({ thinkingBudget: 5_000 }));
  });

  test.each([
    ["auto", undefined],
    ["none", { mode: "NONE" }],
    ["required", { mode: "ANY" }],
    [{ name: "read" }, { mode: "ANY", allowedFunctionNames: ["read"] }],
  ] as const)("tool choice %j is %j", async (toolChoice, functionCallingConfig) => {
    const { body } = await sent({ toolChoice });
    expect(body.toolConfig).toEqual(functionCallingConfig && ({ functionCallingConfig } as object));
  });

  test("results of one answer are the turn after it, with their images beside them", async () => {
    const { body } = await sent({
      messages: [
        { role: "user", content: [{ type: "text", text: "see" }, IMAGE], timestamp: 1 },
        assistant([call("a"), call("b")]),
        { ...result("a", "seen"), content: [{ type: "text", text: "seen" }, IMAGE] },
        { role: "developer", content: "Mind the gap.", timestamp: 3 },
        { ...result("b", ""), isError: true },
        user("and now?"),
      ],
    });
    const inlineData = { mimeType: "image/png", data: "iVBORw0KGgo=" };
    expect(body.contents).toMatchObject([
      { role: "user", parts: [{ text: "see" }, { inlineData }] },
      { role: "model", parts: [{ functionCall: { id: "a" } }, { functionCall: { id: "b" } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "a", name: "read", response: { output: "seen" } } },
          { functionResponse: { id: "b", name: "read", response: { error: "(no output)" } } },
          { inlineData },
        ],
      },
      {
        role: "user",
        parts: [{ text: "<system-reminder>\nMind the gap.\n</system-reminder>" }],
      },
      { role: "user", parts: [{ text: "and now?" }] },
    ]);
  });

  test("a newer model gets the image inside the result", async () => {
    const { body } = await sent(
      { messages: [user("hi"), assistant([call("a")]), { ...result("a", ""), content: [IMAGE] }] },
      FLASH_3,
    );
    expect(body.contents[2]?.parts).toEqual([
      {
        functionResponse: {
          id: "a",
          name: "read",
          response: { output: "(see the image)" },
          parts: [{ inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }],
        },
      },
    ]);
  });

  test("another model's thoughts and signatures stay at home; its calls are marked as unsigned", async () => {
    const foreign = {
      ...assistant([
        { type: "thinking", thinking: "deep", thinkingSignature: "sig" },
        { type: "text", text: "so", textSignature: "sig" },
        { ...call("call_1|fc_1"), thoughtSignature: "sig" },
        call("b"),
      ]),
      provider: "openai",
      api: "openai-responses",
      model: "gpt-5",
    };
    const messages = [user("hi"), foreign, result("call_1|fc_1", "x"), result("b", "y")];
    const { body } = await sent({ messages }, PRO_3);
    const [, answer, results] = body.contents;
    const id = expect.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(answer?.parts).toEqual([
      { text: "so" },
      {
        functionCall: { id, name: "read", args: { path: "call_1|fc_1" } },
        thoughtSignature: "skip_thought_signature_validator",
      },
      { functionCall: { id: "b", name: "read", args: { path: "b" } } },
    ]);
    expect(results?.parts).toMatchObject([
      { functionResponse: { id } },
      { functionResponse: { id: "b" } },
    ]);
    const latest = await sent({ messages }, { id: "gemini-flash-lite-latest" });
    expect(JSON.stringify(latest.body)).toContain("skip_thought_signature_validator");
    const older = await sent({ messages });
    expect(JSON.stringify(older.body)).not.toContain("thoughtSignature");
  });

  test("what models.yml adds is sent: limits left out, fields merged in", async () => {
    const compat = { omitsMaxTokens: true, extraBody: { labels: { team: "a" } } };
    const { body } = await sent({}, { compat });
    expect(body).toMatchObject({ labels: { team: "a" } });
    expect(body.generationConfig).not.toHaveProperty("maxOutputTokens");
  });
});

const TOOL = {
  name: "read",
  description: "Reads",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", pattern: "^/" },
      range: { $ref: "#/$defs/range" },
      note: { type: ["string", "null"] },
    },
    required: ["path"],
    additionalProperties: false,
    $defs: { range: { type: "array", items: { type: "integer" } } },
  },
};

function assistant(content: AssistantMessage["content"]): AssistantMessage {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: "assistant",
    content,
    provider: "google",
    api: "google-generative-ai",
    model: "gemini-2.5-flash",
    usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
    stopReason: "stop",
    timestamp: 2,
  };
}

function call(id: string) {
  return { type: "toolCall" as const, id, name: "read", arguments: { path: id } };
}

function result(toolCallId: string, text: string): Extract<Message, { role: "toolResult" }> {
  const content = text === "" ? [] : [{ type: "text" as const, text }];
  const common = { toolName: "read", isError: false, timestamp: 2 };
  return { role: "toolResult", toolCallId, content, ...common };
}
