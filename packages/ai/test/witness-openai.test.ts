/** The vendor's own client as a witness: it sends what we send, and hears from the scripted model what we hear. */

import { callTool, say, think, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import type { Provider } from "../src/index.ts";
import type { AssistantMessage, Message, ToolSchema } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { KEY, providerOf, send, stage, user, type Stage } from "./stage.ts";

const TOOL = {
  name: "read",
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } } },
} as const satisfies ToolSchema;

const WORK = turn(
  think("look first", "c2VhbGVk"),
  say("I look."),
  callTool("read", { path: "a" }, "call_1"),
).with({ usage: { input: 40, output: 20, cacheRead: 60, cacheWrite: 0 } });

describe("witness: responses", () => {
  const openai = { ...providerOf("openai"), api: "openai-responses" } as const;

  test("the vendor's client and ours write the same conversation", async () => {
    await using scene = await sceneOf(openai);
    const client = clientFor(scene);
    const common = {
      model: scene.model.id,
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "medium", summary: "auto" },
      prompt_cache_key: "s-1",
      max_output_tokens: scene.model.maxTokens,
      tools: [{ type: "function", ...TOOL, strict: false }],
    } satisfies Omit<OpenAI.Responses.ResponseCreateParamsStreaming, "input">;
    const input: OpenAI.Responses.ResponseInput = [
      { role: "developer", content: "You are a test." },
      { role: "user", content: [{ type: "input_text", text: "hi" }] },
    ];
    const first = await finalOf(await client.responses.create({ ...common, input }));
    // What the vendor's guide says: append the output as it is, then the results.
    input.push(...first.output.map(sendable), {
      type: "function_call_output",
      call_id: "call_1",
      output: "it says a",
    });
    await finalOf(await client.responses.create({ ...common, input }));

    const message = await ourTurns(scene);
    expect(first.usage).toMatchObject({ input_tokens: 100, output_tokens: 20 });
    expect(message.usage).toMatchObject({ input: 40, cacheRead: 60, output: 20 });
    compareRequests(scene);
  });

  test("the vendor's client puts our server's events together to the same answer", async () => {
    await using scene = await sceneOf(openai);
    const stream = clientFor(scene).responses.stream({
      model: scene.model.id,
      input: "hi",
      include: ["reasoning.encrypted_content"],
    });
    const seen: string[] = [];
    for await (const event of stream) seen.push(event.type);
    const { output, status } = await stream.finalResponse();
    expect(status).toBe("completed");
    expect(seen[0]).toBe("response.created");
    expect(seen.at(-1)).toBe("response.completed");
    expect(output).toMatchObject([
      { type: "reasoning", summary: [{ text: "look first" }], encrypted_content: "c2VhbGVk" },
      { type: "message", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"a"}' },
    ]);
  });

  async function finalOf(stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>) {
    for await (const event of stream)
      if (event.type === "response.completed") return event.response;
    throw new Error("the stream has no end");
  }

  /** The parts of an item that are the vendor's answer, without what it only tells. */
  function sendable(item: OpenAI.Responses.ResponseOutputItem): OpenAI.Responses.ResponseInputItem {
    if (item.type === "function_call") {
      const { status: _status, ...call } = item;
      return call;
    }
    if (item.type !== "message") return item as OpenAI.Responses.ResponseReasoningItem;
    const content = item.content.map((part) =>
      part.type === "output_text"
        ? { type: part.type, text: part.text, annotations: part.annotations }
        : part,
    );
    return { ...item, content } as OpenAI.Responses.ResponseOutputMessage;
  }
});

describe("witness: chat completions", () => {
  const openai = { ...providerOf("openai"), api: "openai-completions" } as const;

  test("the vendor's client and ours write the same conversation", async () => {
    await using scene = await sceneOf(openai);
    const client = clientFor(scene);
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
      { role: "developer", content: "You are a test." },
      { role: "user", content: "hi" },
    ];
    const answer = await answerOf(client, scene, messages);
    expect(answer.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 20 });
    messages.push(
      {
        role: "assistant",
        content: answer.content,
        tool_calls: [
          {
            id: answer.call.id,
            type: "function",
            function: { name: answer.call.name, arguments: answer.call.arguments },
          },
        ],
      },
      { role: "tool", tool_call_id: answer.call.id, content: "it says a" },
    );
    await answerOf(client, scene, messages);

    const message = await ourTurns(scene);
    expect(message.content).toMatchObject([
      { thinking: "look first" },
      { text: answer.content },
      { id: answer.call.id, name: "read", arguments: JSON.parse(answer.call.arguments) },
    ]);
    // The vendor's client has no field for shown thoughts, which other servers want back.
    compareRequests(scene, ["reasoning_content"]);
  });

  async function answerOf(
    client: OpenAI,
    scene: Stage,
    messages: OpenAI.Chat.ChatCompletionMessageParam[],
  ) {
    const stream = await client.chat.completions.create({
      model: scene.model.id,
      messages,
      stream: true,
      stream_options: { include_usage: true },
      store: false,
      reasoning_effort: "medium",
      prompt_cache_key: "s-1",
      max_completion_tokens: scene.model.maxTokens,
      tools: [{ type: "function", function: TOOL }],
    });
    const call = { id: "", name: "", arguments: "" };
    let content = "";
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      usage = chunk.usage ?? usage;
      const delta = chunk.choices[0]?.delta;
      content += delta?.content ?? "";
      for (const piece of delta?.tool_calls ?? []) {
        call.id ||= piece.id ?? "";
        call.name ||= piece.function?.name ?? "";
        call.arguments += piece.function?.arguments ?? "";
      }
    }
    return { content, call, usage };
  }
});

/** Two turns for the witness, the same two for us. */
function sceneOf(provider: Provider): Promise<Stage> {
  const turns = [WORK, turn(say("It says a."))];
  return stage(provider, [...turns, ...turns]);
}

function clientFor({ model }: Stage): OpenAI {
  return new OpenAI({ apiKey: KEY, baseURL: model.baseUrl, maxRetries: 0 });
}

/** Our side of the conversation; the answer with the call. */
async function ourTurns({ model }: Stage): Promise<AssistantMessage> {
  const request = {
    model,
    systemPrompt: "You are a test.",
    tools: [TOOL],
    thinking: "medium",
    sessionId: "s-1",
  } as const;
  const { message } = await collect(send({ ...request, messages: [user("hi")] }));
  const call = message.content.find((block) => block.type === "toolCall");
  const result: Message = {
    role: "toolResult",
    toolCallId: call?.id ?? "",
    toolName: "read",
    content: [{ type: "text", text: "it says a" }],
    isError: false,
    timestamp: 2,
  };
  const { final } = await collect(send({ ...request, messages: [user("hi"), message, result] }));
  expect(final.message.content).toMatchObject([{ text: "It says a." }]);
  return message;
}

/** The first half of the requests is the witness's, the second ours. */
function compareRequests({ server }: Stage, ours: readonly string[] = []): void {
  expect(server.requests.map(({ refusal }) => refusal)).toEqual([
    ...[undefined, undefined, undefined, undefined],
  ]);
  const [first, second, third, fourth] = server.requests;
  for (const [theirs, own] of [
    [first, third],
    [second, fourth],
  ] as const) {
    expect(own?.path).toBe(theirs?.path ?? "");
    expect(own?.headers["authorization"]).toBe(theirs?.headers["authorization"] ?? "");
    expect(own?.headers["content-type"]).toBe(theirs?.headers["content-type"] ?? "");
    expect(plain(own?.body, ours)).toEqual(plain(theirs?.body, []));
  }
}

/** Ids of items differ from turn to turn of the script. */
function plain(body: unknown, without: readonly string[]): unknown {
  const text = JSON.stringify(body, (key, value) => (without.includes(key) ? undefined : value));
  return JSON.parse(text.replace(/(rs|msg|fc)_\d{4}_/g, "$1_"));
}
