/** The vendor's own client as a witness: it sends what we send, and hears from the scripted model what we hear. */

import {
  GoogleGenAI,
  ThinkingLevel,
  type Content,
  type GenerateContentConfig,
} from "@google/genai";
import { callTool, say, think, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import type { Provider } from "../src/index.ts";
import type { AssistantMessage, Message, ModelRequest, ToolSchema } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { KEY, send, stage, type Stage } from "./stage.ts";
import { GEMINI, googleAtTest, vertexAtTest } from "./subjects.ts";

const TOOL = {
  name: "read",
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } } },
} as const satisfies ToolSchema;

const WORK = turn(
  think("look first", "c2VhbGVk"),
  say("I look."),
  callTool("read", { path: "a" }, "call_1"),
  callTool("read", { path: "b" }, "call_2"),
).with({ usage: { input: 40, output: 20, cacheRead: 60, cacheWrite: 0 }, textPiece: 100 });

const GEMINI_3 = { ...googleAtTest, models: [{ ...GEMINI, id: "gemini-3-flash-preview" }] };
const IMAGE = { mimeType: "image/png", data: "iVBORw0KGgo=" };

const CASES: readonly (readonly [
  string,
  Provider,
  Pick<ModelRequest, "thinking" | "toolChoice">,
  GenerateContentConfig,
])[] = [
  [
    "a budget",
    googleAtTest,
    { thinking: "medium" },
    { thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 } },
  ],
  [
    "a level and a forced tool",
    GEMINI_3,
    { thinking: "low", toolChoice: { name: "read" } },
    {
      thinkingConfig: { includeThoughts: true, thinkingLevel: ThinkingLevel.LOW },
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["read"] } },
    } as GenerateContentConfig,
  ],
  [
    "Vertex with a key",
    { ...vertexAtTest, baseUrlEnv: "TEST_VERTEX_KEY_BASE_URL" },
    { thinking: "off" },
    { thinkingConfig: { thinkingBudget: 0 } },
  ],
];

describe("witness: generateContent", () => {
  test.each(CASES)(
    "the vendor's client and ours write the same conversation: %s",
    async (_name, provider, ask, config) => {
      const turns = [WORK, turn(say("It says a."))];
      await using scene = await stage(provider, [...turns, ...turns]);
      await theirTurns(scene, config);
      const message = await ourTurns(scene, ask);
      expect(message.usage).toMatchObject({ input: 40, cacheRead: 60, output: 20 });

      const [first, second, ours, again] = scene.server.requests;
      for (const [theirs, own] of [
        [first, ours],
        [second, again],
      ] as const) {
        expect(own?.refusal).toBeUndefined();
        expect(`${own?.path}?${own?.query}`).toBe(`${theirs?.path}?${theirs?.query}`);
        expect(own?.headers["x-goog-api-key"]).toBe(theirs?.headers["x-goog-api-key"] ?? "?");
        expect(own?.body).toEqual(sendable(theirs?.body));
      }
    },
  );

  test("the vendor's client reads our server's chunks as we do", async () => {
    await using scene = await stage(GEMINI_3, [WORK, WORK]);
    const stream = await clientFor(scene).models.generateContentStream({
      model: scene.model.id,
      contents: "hi",
    });
    const seen = { text: "", calls: [] as unknown[], usage: {}, finish: "", id: "" };
    for await (const chunk of stream) {
      const [candidate] = chunk.candidates ?? [];
      for (const part of candidate?.content?.parts ?? [])
        if (!part.thought) seen.text += part.text ?? "";
      seen.calls.push(...(chunk.functionCalls ?? []));
      seen.usage = chunk.usageMetadata ?? seen.usage;
      seen.finish = candidate?.finishReason ?? seen.finish;
      seen.id = chunk.responseId ?? seen.id;
    }
    expect(seen).toMatchObject({
      text: "I look.",
      calls: [
        { id: "call_1", name: "read", args: { path: "a" } },
        { id: "call_2", name: "read", args: { path: "b" } },
      ],
      usage: {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 10,
      },
      finish: "STOP",
      id: expect.stringContaining("resp-"),
    });
  });
});

/** Two turns as the vendor's guide writes them: what the model said goes back part by part. */
async function theirTurns(scene: Stage, own: GenerateContentConfig): Promise<void> {
  const client = clientFor(scene);
  const config = {
    systemInstruction: "You are a test.",
    maxOutputTokens: scene.model.maxTokens,
    tools: [{ functionDeclarations: [TOOL] }],
    ...own,
  } as GenerateContentConfig;
  const contents: Content[] = [{ role: "user", parts: [{ text: "hi" }, { inlineData: IMAGE }] }];
  const answer: Content = { role: "model", parts: [] };
  const request = { model: scene.model.id, config };
  for await (const chunk of await client.models.generateContentStream({ ...request, contents })) {
    const parts = chunk.candidates?.[0]?.content?.parts ?? [];
    answer.parts?.push(...parts.filter(({ text }) => text !== ""));
  }
  const results = ["call_1", "call_2"].map((id) => ({
    functionResponse: { id, name: "read", response: { output: `${id} says a` } },
  }));
  contents.push(answer, { role: "user", parts: results });
  for await (const _chunk of await client.models.generateContentStream({ ...request, contents }));
}

/** Our side of the conversation; the answer with the calls. */
async function ourTurns(
  { model }: Stage,
  own: Pick<ModelRequest, "thinking" | "toolChoice">,
): Promise<AssistantMessage> {
  const request = { model, systemPrompt: "You are a test.", tools: [TOOL], ...own };
  const content = [{ type: "text", text: "hi" } as const, { type: "image", ...IMAGE } as const];
  const prompt: Message = { role: "user", content, timestamp: 1 };
  const { message } = await collect(send({ ...request, messages: [prompt] }));
  const results = message.content
    .filter((block) => block.type === "toolCall")
    .map(({ id, name }) => ({
      role: "toolResult" as const,
      toolCallId: id,
      toolName: name,
      content: [{ type: "text" as const, text: `${id} says a` }],
      isError: false,
      timestamp: 2,
    }));
  const { final } = await collect(send({ ...request, messages: [prompt, message, ...results] }));
  expect(final.message.content).toEqual([{ type: "text", text: "It says a." }]);
  return message;
}

function clientFor({ model, provider }: Stage): GoogleGenAI {
  const { origin, pathname } = new URL(model.baseUrl);
  return new GoogleGenAI({
    apiKey: KEY,
    vertexai: provider.id === "google-vertex",
    httpOptions: { baseUrl: origin, apiVersion: pathname.slice(1) },
  });
}

/**
 * The vendor's client calls the instruction a user's, and writes types in capitals; the API looks at its text
 * only, and takes both spellings, as the vendor's own examples show.
 */
function sendable(body: unknown): unknown {
  const { systemInstruction, tools, ...rest } = body as {
    systemInstruction: Content;
    tools: object;
  };
  const { role: _role, ...instruction } = systemInstruction;
  const lower = (key: string, value: unknown) =>
    key === "type" && typeof value === "string" ? value.toLowerCase() : value;
  const spelt: unknown = JSON.parse(JSON.stringify(tools), lower);
  return { ...rest, systemInstruction: instruction, tools: spelt };
}
