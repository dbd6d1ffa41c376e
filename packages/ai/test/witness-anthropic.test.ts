/** The vendor's own client as a witness: it sends what we send, and hears from the scripted model what we hear. */

import Anthropic from "@anthropic-ai/sdk";
import { callTool, fail, say, think, thinkHidden, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import type { AssistantMessage, Message, ModelRequest, ToolSchema } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { KEY, providerOf, send, stage, type Stage } from "./stage.ts";

type Params = Anthropic.Messages.MessageCreateParamsStreaming;

const anthropic = providerOf("anthropic");
const MARK = { cache_control: { type: "ephemeral" } } as const;
const IMAGE = { mimeType: "image/png", data: "iVBORw0KGgo=" };

const READ: ToolSchema = {
  name: "read",
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } } },
};
const BASH: ToolSchema = {
  name: "bash",
  description: "Runs a command",
  parameters: {
    type: "object",
    properties: { command: { type: "string" } },
    required: ["command"],
  },
};

const WORK = turn(
  think("look first", "c2VhbGVk"),
  thinkHidden("aGlkZGVu"),
  say("I look."),
  callTool("read", { path: "a" }, "toolu_1"),
  callTool("bash", { command: "ls" }, "toolu_2"),
).with({ usage: { input: 40, output: 20, cacheRead: 60, cacheWrite: 7 } });

/** The same conversation in the vendor's types. */
const PARAMS: Params = {
  model: "claude-haiku-4-5",
  max_tokens: 64_000,
  stream: true,
  system: [{ type: "text", text: "You are a test.", ...MARK }],
  tools: [
    {
      name: "read",
      description: "Reads a file",
      input_schema: { type: "object", properties: { path: { type: "string" } } },
    },
    {
      name: "bash",
      description: "Runs a command",
      input_schema: {
        type: "object",
        properties: { command: { type: "string" } },
        required: ["command"],
        additionalProperties: false,
      },
      strict: true,
      ...MARK,
    },
  ],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "what is this?" },
        {
          type: "image",
          source: { type: "base64", media_type: "image/png", data: IMAGE.data },
          ...MARK,
        },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "look first", signature: "c2VhbGVk" },
        { type: "redacted_thinking", data: "aGlkZGVu" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
        { type: "tool_use", id: "toolu_2", name: "bash", input: { command: "ls" } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [{ type: "text", text: "words" }],
          is_error: false,
        },
        {
          type: "tool_result",
          tool_use_id: "toolu_2",
          content: [{ type: "text", text: "(no output)" }],
          is_error: true,
        },
        { type: "text", text: "and now?", ...MARK },
      ],
    },
  ],
};

const CASES: readonly (readonly [string, Partial<ModelRequest>, Partial<Params>])[] = [
  ["nothing more", {}, {}],
  [
    "a budget for thinking",
    { thinking: "medium" },
    { thinking: { type: "enabled", budget_tokens: 8192 } },
  ],
  [
    "a forced tool",
    { toolChoice: { name: "read" }, maxTokens: 500 },
    { tool_choice: { type: "tool", name: "read" }, max_tokens: 500 },
  ],
  ["any tool", { toolChoice: "required" }, { tool_choice: { type: "any" } }],
  ["no tool", { toolChoice: "none" }, { tool_choice: { type: "none" } }],
];

describe("the vendor's client", () => {
  test.each(CASES)("sends the same body: %s", async (_name, ours, theirs) => {
    await using scene = await stage(anthropic, [WORK, turn(say("ok")), turn(say("ok"))]);
    const request = await conversation(scene);
    await collect(send({ ...request, ...ours }));
    await client(scene)
      .messages.stream({ ...PARAMS, ...theirs })
      .finalMessage();
    const [, mine, witness] = scene.server.requests;
    expect(mine?.refusal).toBeUndefined();
    expect(mine?.body).toEqual(witness?.body);
    expect(mine?.path).toBe(witness?.path ?? "");
    // It sends its key as a bearer and names a later version; both ways are open.
    expect(mine?.headers["content-type"]).toBe(witness?.headers["content-type"] ?? "");
  });

  test.each([
    [
      "claude-opus-4-7",
      "high",
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
    ],
    ["claude-opus-5", "off", { thinking: { type: "disabled" } }],
    ["claude-sonnet-5-5", "off", { thinking: { type: "between_tools" } }],
    ["claude-opus-5-5", "off", { output_config: { effort: "low" } }],
  ] as const satisfies readonly (readonly [string, ModelRequest["thinking"], Partial<Params>])[])(
    "sends the same body to %s at %s",
    async (id, thinking, theirs) => {
      await using scene = await stage(anthropic, [turn(say("ok")), turn(say("ok"))]);
      const model = { ...scene.model, id };
      const messages: Message[] = [{ role: "user", content: "hi", timestamp: 1 }];
      await collect(send({ model, systemPrompt: "", messages, tools: [], thinking }));
      const content = [{ type: "text", text: "hi", ...MARK }] as const;
      const params: Params = {
        model: id,
        max_tokens: 64_000,
        stream: true,
        messages: [{ role: "user", content: [...content] }],
        ...theirs,
      };
      await client(scene).messages.stream(params).finalMessage();
      const [mine, witness] = scene.server.requests;
      expect(mine?.body).toEqual(witness?.body);
    },
  );

  test("hears the same answer", async () => {
    await using scene = await stage(anthropic, [WORK, WORK]);
    const request = { ...requestOf(scene), messages: [QUESTION] };
    const { message } = await collect(send(request));
    const heard = await client(scene).messages.stream(PARAMS).finalMessage();
    expect(message.content.map(inVendorsWords)).toEqual(heard.content.map(withoutExtras));
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
      heard.usage;
    expect(message.usage).toMatchObject({
      input: input_tokens,
      output: output_tokens,
      cacheRead: cache_read_input_tokens,
      cacheWrite: cache_creation_input_tokens,
    });
    expect([message.stopReason, heard.stop_reason]).toEqual(["toolUse", "tool_use"]);
  });

  test("hears the same error", async () => {
    await using scene = await stage(anthropic, [
      fail(529, { message: "busy" }),
      fail(529, { message: "busy" }),
    ]);
    const { final } = await collect(send({ ...requestOf(scene), messages: [QUESTION] }));
    const heard = await client(scene)
      .messages.stream(PARAMS)
      .finalMessage()
      .catch((error: unknown) => error);
    expect(heard).toMatchObject({ status: final.message.errorStatus });
    expect(final).toMatchObject({ fault: { kind: "overloaded" } });
  });
});

const QUESTION: Message = {
  role: "user",
  content: [
    { type: "text", text: "what is this?" },
    { type: "image", ...IMAGE },
  ],
  timestamp: 1,
};

function requestOf(scene: Stage): Omit<ModelRequest, "messages"> {
  const model = { ...scene.model, id: "claude-haiku-4-5" };
  return { model, systemPrompt: "You are a test.", tools: [READ, BASH] };
}

/** A turn with everything in it, and what follows it. */
async function conversation(scene: Stage): Promise<ModelRequest> {
  const request = requestOf(scene);
  const { message } = await collect(send({ ...request, messages: [QUESTION] }));
  const results = [
    { toolCallId: "toolu_1", content: [{ type: "text" as const, text: "words" }], isError: false },
    { toolCallId: "toolu_2", content: [], isError: true },
  ].map((result) => ({ role: "toolResult" as const, toolName: "read", timestamp: 2, ...result }));
  const next: Message = { role: "user", content: "and now?", timestamp: 3 };
  return { ...request, messages: [QUESTION, message, ...results, next] };
}

function client(scene: Stage): Anthropic {
  return new Anthropic({ apiKey: KEY, baseURL: scene.server.url, maxRetries: 0 });
}

function inVendorsWords(block: AssistantMessage["content"][number]): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking": {
      const { thinking, thinkingSignature: signature, redacted } = block;
      return redacted
        ? { type: "redacted_thinking", data: signature }
        : { type: "thinking", thinking, signature };
    }
    case "toolCall":
      return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
  }
}

/** The client leaves fields in place that it alone knows. */
function withoutExtras(block: Anthropic.Messages.ContentBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: block.input };
    default:
      return block;
  }
}
