/** Every switch of `compat`: what it does to a request, and what is assumed where nobody set it. */

import { think, turn, say } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import type { Compat, Message, Model, ModelRequest } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { calledTool, exchangeWith, toolResult } from "./requests.ts";
import { answering, ask, TOOLS, user } from "./stage.ts";

const PLAIN: Model = {
  provider: "somebody",
  id: "some-model",
  name: "Some Model",
  api: "openai-completions",
  baseUrl: "https://llm.example.com/v1",
  contextWindow: 100_000,
  maxTokens: 4_096,
  reasoning: true,
  input: ["text"],
  prices: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
};
const OPENAI: Model = { ...PLAIN, baseUrl: "https://api.openai.com/v1" };
const LOCAL: Model = { ...PLAIN, baseUrl: "http://localhost:8000/v1" };

function at(host: string, facts: Partial<Model> = {}): Model {
  return { ...PLAIN, baseUrl: `https://${host}/v1`, ...facts };
}

function withCompat(compat: Compat, model = PLAIN): Model {
  return { ...model, compat };
}

async function bodyOf(model: Model, request: Partial<ModelRequest> = {}) {
  return (await exchangeWith(model, request)).body;
}

const FORCED = { toolChoice: { name: "read" } } as const;
const REASONING_FIELDS = ["reasoning_effort", "reasoning", "enable_thinking"];
const THINKING_FIELDS = [...REASONING_FIELDS, "thinking", "chat_template_kwargs"];

function thinkingIn(body: object): string[] {
  return THINKING_FIELDS.filter((field) => field in body);
}

describe("the shape of requests", () => {
  test("PM-72 store is sent to those who know it", async () => {
    expect(await bodyOf(withCompat({ supportsStore: true }))).toHaveProperty("store", false);
    expect(await bodyOf(withCompat({ supportsStore: false }, OPENAI))).not.toHaveProperty("store");
    expect(await bodyOf(OPENAI)).toHaveProperty("store", false);
    expect(await bodyOf(PLAIN)).not.toHaveProperty("store");
  });

  test("PM-73 only reasoning models of those who know the role have developers", async () => {
    const roleOf = async (model: Model) => (await exchangeWith(model)).messages[0]?.role;
    expect(await roleOf(withCompat({ supportsDeveloperRole: true }))).toBe("developer");
    expect(await roleOf(withCompat({ supportsDeveloperRole: false }, OPENAI))).toBe("system");
    expect(await roleOf({ ...OPENAI, reasoning: false })).toBe("system");
    expect(await roleOf(OPENAI)).toBe("developer");
    expect(await roleOf(PLAIN)).toBe("system");
  });

  test("PM-74 system messages at the beginning are joined where templates are strict", async () => {
    const reminder = (content: string): Message => ({ role: "developer", content, timestamp: 1 });
    const messages = [reminder("One."), reminder("Two."), user("hi"), reminder("Three.")];
    const rolesOf = async (model: Model) =>
      (await exchangeWith(model, { messages })).messages.map(({ role }) => role).join(" ");
    expect(await rolesOf(at("api.groq.com"))).toBe("system system system user system");
    expect(await rolesOf(LOCAL)).toBe("system user user");
    const { messages: joined } = await exchangeWith(LOCAL, { messages });
    expect(joined[0]?.content).toBe("You are a test.\n\nOne.\n\nTwo.");
    const keeps = withCompat({ supportsMultipleSystemMessages: true }, LOCAL);
    expect(await rolesOf(keeps)).toBe("system system system user system");
    const joins = withCompat({ supportsMultipleSystemMessages: false }, at("api.groq.com"));
    expect(await rolesOf(joins)).toBe("system user user");
  });

  test("SET-020 SET-021 SET-023 sampling has the names that the server knows, or is not sent", async () => {
    const sampling = {
      temperature: 0.4,
      topK: 7,
      minP: 0.1,
      presencePenalty: 0.5,
      repetitionPenalty: 1.1,
    };
    const namesOf = async (model: Model) => {
      const body = await bodyOf(model, { sampling });
      const names = Object.keys(body).filter((name) => /temper|_[kp]$|penalty/.test(name));
      return names.toSorted().join(" ");
    };
    const full = "min_p presence_penalty repetition_penalty temperature top_k";
    expect(await namesOf(PLAIN)).toBe("presence_penalty temperature");
    expect(await namesOf(at("openrouter.ai"))).toBe(full);
    expect(await namesOf({ ...LOCAL, provider: "vllm" })).toBe(full);
    expect(await namesOf({ ...LOCAL, provider: "lm-studio" })).toBe(full.replace("tition", "at"));
    expect(await namesOf(at("api.z.ai"))).toBe("temperature");
    expect(await namesOf(at("api.x.ai"))).toBe("temperature");
    expect(await namesOf(at("api.x.ai", { reasoning: false }))).toBe(
      "presence_penalty temperature",
    );
    for (const id of ["gpt-5.1", "openai/o3", "anthropic/claude-sonnet-4.5", "kimi-k2.6"]) {
      expect(await namesOf(at("openrouter.ai", { id }))).toBe("");
    }
    const own = { samplingFields: { minP: "minimum_p" } };
    expect(await namesOf(withCompat(own, at("openrouter.ai")))).toBe("minimum_p");
  });

  test("PM-75 usage is asked for unless the server does not know how", async () => {
    const asked = { stream_options: { include_usage: true } };
    expect(await bodyOf(PLAIN)).toMatchObject(asked);
    const silent = withCompat({ supportsUsageInStreaming: false });
    expect(await bodyOf(silent)).not.toHaveProperty("stream_options");
    expect(await bodyOf(at("api.cerebras.ai"))).not.toHaveProperty("stream_options");
  });

  test("PM-76 the limit has one of two names", async () => {
    const namesIn = async (model: Model) =>
      Object.keys(await bodyOf(model)).filter((name) => name.startsWith("max_"));
    expect(await namesIn(withCompat({ maxTokensField: "max_completion_tokens" }))).toEqual([
      "max_completion_tokens",
    ]);
    expect(await namesIn(withCompat({ maxTokensField: "max_tokens" }, OPENAI))).toEqual([
      "max_tokens",
    ]);
    expect(await namesIn(OPENAI)).toEqual(["max_completion_tokens"]);
    expect(await namesIn(PLAIN)).toEqual(["max_tokens"]);
    expect(await namesIn(withCompat({ omitsMaxTokens: true }))).toEqual([]);
    const asked = await bodyOf(withCompat({ omitsMaxTokens: true }), { maxTokens: 77 });
    expect(asked).toHaveProperty("max_tokens", 77);
  });

  test("PM-77 a forced tool is named, unless the server cannot be told", async () => {
    const named = { type: "function", function: { name: "read" } };
    expect(await bodyOf(PLAIN, FORCED)).toHaveProperty("tool_choice", named);
    expect(await bodyOf(PLAIN)).not.toHaveProperty("tool_choice");
    const deaf = await exchangeWith(withCompat({ supportsToolChoice: false }), FORCED);
    expect(deaf.body).not.toHaveProperty("tool_choice");
    expect(deaf.final.type).toBe("done");
  });

  test("PM-80 extra fields stand at the top, and objects are joined", async () => {
    const extraBody = { gateway: "m1-01", stream_options: { chunk: 1 } };
    expect(await bodyOf(withCompat({ extraBody }))).toMatchObject({
      gateway: "m1-01",
      stream_options: { include_usage: true, chunk: 1 },
    });
  });

  test("PM-94 gateways alone hear which vendors to use", async () => {
    const compat: Compat = {
      openRouterRouting: { only: ["anthropic"] },
      vercelGatewayRouting: { order: ["openai", "azure"] },
    };
    const router = await bodyOf(at("openrouter.ai", { compat }));
    expect(router["provider"]).toEqual({ only: ["anthropic"] });
    expect(router).not.toHaveProperty("providerOptions");
    const vercel = await bodyOf(at("ai-gateway.vercel.sh", { compat }));
    expect(vercel["providerOptions"]).toEqual({ gateway: { order: ["openai", "azure"] } });
    expect(vercel).not.toHaveProperty("provider");
    for (const host of ["example.com", "notopenrouter.ai"]) {
      const elsewhere = await bodyOf(at(host, { compat, provider: "openrouter" }));
      expect(elsewhere).not.toHaveProperty("provider");
      expect(elsewhere).not.toHaveProperty("providerOptions");
    }
  });
});

describe("thinking", () => {
  test("PM-78 PROV-10 a forced tool and thinking exclude each other at some hosts", async () => {
    const compat = { disableReasoningOnForcedToolChoice: true };
    const high = { thinking: "high" } as const;
    expect(thinkingIn(await bodyOf(withCompat(compat), { ...high, ...FORCED }))).toEqual([]);
    expect(thinkingIn(await bodyOf(withCompat(compat), high))).toEqual(["reasoning_effort"]);
    expect(thinkingIn(await bodyOf(PLAIN, { ...high, ...FORCED }))).toEqual(["reasoning_effort"]);
    const claude = at("openrouter.ai", { id: "anthropic/claude-sonnet-5" });
    expect(thinkingIn(await bodyOf(claude, { ...high, ...FORCED }))).toEqual([]);
    expect(thinkingIn(await bodyOf(claude, { ...high, toolChoice: "auto" }))).toEqual([
      "reasoning",
    ]);
    const kimi = await bodyOf(at("api.moonshot.ai", { id: "kimi-k3" }), { ...high, ...FORCED });
    expect(kimi).toMatchObject({ thinking: { type: "disabled" } });
    expect(REASONING_FIELDS.filter((field) => field in kimi)).toEqual([]);
  });

  test("PM-79 some cannot think in a request that speaks of tools at all", async () => {
    const request = { thinking: "high", toolChoice: "auto" } as const;
    const compat = { disableReasoningOnToolChoice: true };
    const body = await bodyOf(withCompat(compat), request);
    expect(body).toHaveProperty("tool_choice", "auto");
    expect(thinkingIn(body)).toEqual([]);
    expect(thinkingIn(await bodyOf(PLAIN, request))).toEqual(["reasoning_effort"]);
    const deepseek = at("api.deepseek.com", { id: "deepseek-flash" });
    expect(await bodyOf(deepseek, request)).not.toHaveProperty("reasoning_effort");
    expect(await bodyOf(deepseek, { thinking: "high" })).toHaveProperty("reasoning_effort", "high");
    const plain = await bodyOf({ ...deepseek, reasoning: false }, request);
    expect(thinkingIn(plain)).toEqual([]);
  });

  test("PM-81 an effort is sent to those who take one", async () => {
    const high = { thinking: "high" } as const;
    expect(await bodyOf(OPENAI, high)).toHaveProperty("reasoning_effort", "high");
    const grok = at("api.x.ai", { id: "grok-4" });
    expect(await bodyOf(grok, high)).not.toHaveProperty("reasoning_effort");
    expect(await bodyOf(at("api.z.ai"), high)).not.toHaveProperty("reasoning_effort");
    const told = withCompat({ supportsReasoningEffort: true }, grok);
    expect(await bodyOf(told, high)).toHaveProperty("reasoning_effort", "high");
    const untold = withCompat({ supportsReasoningEffort: false }, OPENAI);
    expect(await bodyOf(untold, high)).not.toHaveProperty("reasoning_effort");
    expect(thinkingIn(await bodyOf({ ...OPENAI, reasoning: false }, high))).toEqual([]);
    expect(thinkingIn(await bodyOf(OPENAI, { thinking: "off" }))).toEqual([]);
  });

  test("PM-82 levels have the words of the host", async () => {
    const effortOf = async (model: Model, thinking: "low" | "xhigh") =>
      (await bodyOf(model, { thinking }))["reasoning_effort"];
    const mapped = withCompat({ reasoningEffortMap: { xhigh: "max" } });
    expect(await effortOf(mapped, "xhigh")).toBe("max");
    expect(await effortOf(mapped, "low")).toBe("low");
    const deepseek = at("api.deepseek.com");
    expect(await effortOf(deepseek, "xhigh")).toBe("max");
    const own = withCompat({ reasoningEffortMap: { low: "some" } }, deepseek);
    expect(await effortOf(own, "low")).toBe("some");
    expect(await effortOf(own, "xhigh")).toBe("max");
  });

  test("PM-83 each format has a field of its own", async () => {
    const formats = [
      ["openai", { reasoning_effort: "high" }, {}],
      ["openrouter", { reasoning: { effort: "high" } }, { reasoning: { enabled: false } }],
      ["zai", { thinking: { type: "enabled" } }, { thinking: { type: "disabled" } }],
      ["qwen", { enable_thinking: true }, { enable_thinking: false }],
      [
        "qwen-chat-template",
        { chat_template_kwargs: { enable_thinking: true } },
        { chat_template_kwargs: { enable_thinking: false } },
      ],
    ] as const;
    for (const [thinkingFormat, on, off] of formats) {
      const model = withCompat({ thinkingFormat });
      const high = await bodyOf(model, { thinking: "high" });
      expect(high).toMatchObject(on);
      expect(thinkingIn(high)).toEqual(Object.keys(on));
      const none = await bodyOf(model, { thinking: "off" });
      expect(none).toMatchObject(off);
      expect(thinkingIn(none)).toEqual(Object.keys(off));
    }
    expect(thinkingIn(await bodyOf(PLAIN, { thinking: "high" }))).toEqual(["reasoning_effort"]);
  });

  test("PM-84 PROV-06 a thought comes in one of three fields, and goes back in the host's", async () => {
    for (const field of ["reasoning_content", "reasoning", "reasoning_text"] as const) {
      const chunks = [
        { choices: [{ delta: { [field]: "hm" } }] },
        { choices: [{ delta: { reasoning_content: "", reasoning: null, [field]: "m" } }] },
        { choices: [{ delta: { content: "so" }, finish_reason: "stop" }] },
      ];
      for (const model of [PLAIN, withCompat({ reasoningContentField: field })]) {
        const { message } = await collect(ask(model, { fetch: answering(...chunks, "[DONE]") }));
        expect(message.content).toMatchObject([
          { type: "thinking", thinking: "hmm" },
          { type: "text", text: "so" },
        ]);
        const { messages } = await exchangeWith(model, { messages: [user("hi"), message] });
        expect(messages[2]).toEqual({ role: "assistant", content: "so", [field]: "hmm" });
      }
    }
    // Two fields in one chunk repeat each other: one of them counts, the host's own first.
    const both = { choices: [{ delta: { reasoning_content: "a", reasoning: "b" } }] };
    const end = { choices: [{ delta: {}, finish_reason: "stop" }] };
    const model = withCompat({ reasoningContentField: "reasoning" });
    const thoughts = async (of: Model) =>
      (await collect(ask(of, { fetch: answering(both, end, "[DONE]") }))).message.content;
    expect(await thoughts(PLAIN)).toMatchObject([{ thinking: "a" }]);
    expect(await thoughts(model)).toMatchObject([{ thinking: "b" }]);
  });
});

describe("the history", () => {
  const FOREIGN = { ...PLAIN, provider: "another" };

  async function replayed(model: Model, call: Message, ...more: readonly Message[]) {
    const messages = [user("hi"), call, toolResult("call_1"), ...more];
    const exchange = await exchangeWith(model, { messages });
    expect(exchange.final.type).toBe("done");
    return exchange.messages;
  }

  test("PM-85 thoughts go back with tool calls where the server insists", async () => {
    const requires = withCompat({ requiresReasoningContentForToolCalls: true });
    const own = await replayed(requires, calledTool(requires, "call_1", { text: "hm" }));
    expect(own[2]).toHaveProperty("reasoning_content", "hm");
    const foreign = calledTool(FOREIGN, "call_1", { text: "of another" });
    expect((await replayed(requires, foreign))[2]).toHaveProperty(
      "reasoning_content",
      "of another",
    );
    expect((await replayed(PLAIN, foreign))[2]).not.toHaveProperty("reasoning_content");
  });

  test("PM-86 a placeholder stands in for a thought, unless the server checks them", async () => {
    const compat = { requiresReasoningContentForToolCalls: true };
    const silent = calledTool(FOREIGN, "call_1");
    const allowed = (await replayed(withCompat(compat), silent))[2];
    expect(allowed?.["reasoning_content"]).toMatch(/./);
    const strict = { ...compat, allowsSyntheticReasoningContentForToolCalls: false };
    const refused = (await replayed(withCompat(strict), silent))[2];
    expect(refused).not.toHaveProperty("reasoning_content");
  });

  test("PM-87 a tool call has words beside it where the server insists", async () => {
    const call = calledTool(PLAIN, "call_1");
    expect((await replayed(PLAIN, call))[2]?.content).toBeNull();
    const wordy = withCompat({ requiresAssistantContentForToolCalls: true });
    expect((await replayed(wordy, call))[2]?.content).toMatch(/\w/);
  });

  test("PM-88 results have the name of their tool where the server asks for it", async () => {
    const nameFor = async (model: Model) =>
      (await replayed(model, calledTool(model, "call_1")))[3]?.name;
    expect(await nameFor(at("api.mistral.ai"))).toBe("read");
    expect(await nameFor(OPENAI)).toBeUndefined();
    expect(await nameFor(withCompat({ requiresToolResultName: true }))).toBe("read");
  });

  test("PM-89 the model speaks between a result and a person where templates ask for it", async () => {
    const rolesOf = async (model: Model) =>
      (await replayed(model, calledTool(model, "call_1"), user("stop")))
        .slice(3)
        .map(({ role }) => role);
    expect(await rolesOf(withCompat({ requiresAssistantAfterToolResult: true }))).toEqual([
      "tool",
      "assistant",
      "user",
    ]);
    expect(await rolesOf(at("api.mistral.ai"))).toEqual(["tool", "assistant", "user"]);
    expect(await rolesOf(PLAIN)).toEqual(["tool", "user"]);
  });

  test("PM-90 thoughts are text where the wire has no place for them", async () => {
    for (const model of [withCompat({ requiresThinkingAsText: true }), at("api.mistral.ai")]) {
      const [, , wire] = await replayed(model, calledTool(model, "call_1", { text: "hm" }));
      expect(wire?.content).toBe("<thinking>\nhm\n</thinking>");
      expect(wire).not.toHaveProperty("reasoning_content");
    }
    const [, , plain] = await replayed(PLAIN, calledTool(PLAIN, "call_1", { text: "hm" }));
    expect(plain).toMatchObject({ content: null, reasoning_content: "hm" });
  });

  test("PM-91 PROV-08 ids have nine letters and digits at Mistral", async () => {
    const ids = ["toolu_01AbCdEfGhIjKlMnOpQrStUv", "call_1|fc_2", "abcdefghi", "x"];
    for (const model of [withCompat({ requiresMistralToolIds: true }), at("api.mistral.ai")]) {
      const messages = ids.flatMap((id) => [calledTool(FOREIGN, id), toolResult(id)]);
      const wire = (await exchangeWith(model, { messages: [user("hi"), ...messages] })).messages;
      const calls = wire.flatMap(({ tool_calls }) => tool_calls?.map(({ id }) => id) ?? []);
      const results = wire.flatMap(({ tool_call_id }) => tool_call_id ?? []);
      expect(calls).toHaveLength(ids.length);
      for (const id of calls) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
      expect(results).toEqual(calls);
      expect(new Set(calls).size).toBe(ids.length);
      expect(calls[2]).toBe("abcdefghi");
    }
  });

  test("PROV-10 images become words where the model sees none", async () => {
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
    const messages: Message[] = [{ role: "user", content: [image], timestamp: 1 }];
    const { messages: blind } = await exchangeWith(PLAIN, { messages });
    expect(blind[1]?.content).toContain("An image was left out");
    const sees = { ...PLAIN, input: ["text", "image"] } as const;
    const { messages: seen } = await exchangeWith(sees, { messages });
    expect(JSON.stringify(seen[1]?.content)).toContain("data:image/png;base64,iVBORw0KGgo=");
  });
});

describe("tools", () => {
  const strict = { ...TOOLS[0]!, strict: true };
  const tools = [strict, TOOLS[1]!];

  async function strictOnes(model: Model, offered: ModelRequest["tools"] = tools) {
    const body = await bodyOf(model, { tools: offered });
    const sent = body["tools"] as { function: { name: string; strict?: boolean } }[];
    expect(sent).toHaveLength(offered.length);
    return sent.filter((tool) => tool.function.strict).map((tool) => tool.function.name);
  }

  test("PM-92 nobody hears of strict tools who does not know them", async () => {
    expect(await strictOnes(withCompat({ supportsStrictMode: false }, OPENAI))).toEqual([]);
    expect(await strictOnes(withCompat({ supportsStrictMode: true }))).toEqual(["read"]);
    expect(await strictOnes(OPENAI)).toEqual(["read"]);
    expect(await strictOnes(PLAIN)).toEqual([]);
    expect(await strictOnes({ ...OPENAI, disableStrictTools: true })).toEqual([]);
  });

  test("PM-93 all tools are strict, or none, or those that want to", async () => {
    const model = (toolStrictMode: "all_strict" | "none") => withCompat({ toolStrictMode }, OPENAI);
    expect(await strictOnes(model("all_strict"))).toEqual(["read", "bash"]);
    expect(await strictOnes(withCompat({ toolStrictMode: "all_strict" }))).toHaveLength(2);
    expect(await strictOnes(model("none"))).toEqual([]);
    expect(await strictOnes(OPENAI)).toEqual(["read"]);
  });

  test("a tool that cannot be strict makes all of them loose where they must be alike", async () => {
    const mixed = { type: "object", properties: { value: { enum: [1, "two", { three: 3 }] } } };
    const loose = { name: "odd", description: "Odd", parameters: mixed };
    const model = withCompat({ toolStrictMode: "all_strict" });
    expect(await strictOnes(model, [strict, loose])).toEqual([]);
    expect(await strictOnes(withCompat({}, OPENAI), [strict, { ...loose, strict: true }])).toEqual([
      "read",
    ]);
  });

  test("a server without named choices gets the nearest one", async () => {
    const model = withCompat({ supportsNamedToolChoice: false });
    expect(await bodyOf(model, FORCED)).toHaveProperty("tool_choice", "required");
    for (const toolChoice of ["auto", "none", "required"] as const) {
      expect(await bodyOf(model, { toolChoice })).toHaveProperty("tool_choice", toolChoice);
    }
  });
});

test("what the model says wins over what is known of its provider and its host", async () => {
  const answer = turn(think("hm"), say("ok"));
  const model = { ...at("api.mistral.ai"), provider: "mistral" };
  const own = {
    ...model,
    compat: { requiresThinkingAsText: false, requiresToolResultName: false },
  };
  const { message } = await exchangeWith(own, {}, { answer });
  const { messages } = await exchangeWith(own, { messages: [user("hi"), message] });
  expect(messages[2]).toMatchObject({ content: "ok", reasoning_content: "hm" });
});
