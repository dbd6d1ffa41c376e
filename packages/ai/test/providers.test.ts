/**
 * Every provider as data: where requests go, with which key, under which id, and that text, tools and
 * errors come back. The scripted model stands in for the host; the address is the real one.
 */

import { callTool, fail, manualClock, say, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { catalogOf, getEnvApiKey, modelFrom, modelOf, providers } from "../src/index.ts";
import type { Provider, StreamOptions } from "../src/index.ts";
import type { Compat, Message, Model, ModelRequest } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { calledTool, exchangeWith, toolResult } from "./requests.ts";
import { answering, ask, eventStream, providerOf, user } from "./stage.ts";

interface Expected {
  /** The default one, unless given. */
  readonly model?: string;
  readonly url: string;
  readonly keys: readonly string[];
  /** The header with the key; `Bearer` in `authorization` unless given. */
  readonly header?: readonly [name: string, prefix: string];
  /** The id on the wire, where it differs. */
  readonly wireId?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Text, a tool and an error over the provider's own address, and its keys in their order. */
async function shows(id: string, expected: Expected): Promise<Model> {
  const { url, keys, header = ["authorization", "Bearer "], env = {} } = expected;
  const provider = providerOf(id);
  const model = modelOf(provider, expected.model ?? defaultOf(provider), env);
  expect(provider.keyEnv).toEqual(keys);
  for (const name of keys) {
    const weaker = keys.slice(keys.indexOf(name)).map((key) => [key, `value-of-${key}`]);
    const apiKey = getEnvApiKey(provider, Object.fromEntries(weaker));
    const said = await exchangeWith(model, {}, { apiKey, answer: turn(say("hello")) });
    expect(said.url).toBe(url);
    expect(said.request.headers[header[0]]).toBe(`${header[1]}value-of-${name}`);
    expect(said.message.content).toMatchObject([{ type: "text", text: "hello" }]);
    if ("model" in said.body) expect(said.body["model"]).toBe(expected.wireId ?? model.id);
  }
  const call = turn(callTool("read", { path: "a" }));
  const called = await exchangeWith(model, {}, { answer: call });
  expect(called.final.reason).toBe("toolUse");
  expect(called.message.content).toMatchObject([{ name: "read", arguments: { path: "a" } }]);
  const refused = await exchangeWith(model, {}, { answer: fail(429, { message: "slow down" }) });
  expect(refused.final).toMatchObject({ type: "error", fault: { kind: "rate-limit" } });
  expect(refused.message.errorMessage).toContain("slow down");
  return model;
}

function defaultOf({ defaultModel, models, id }: Provider): string {
  return defaultModel ?? models[0]?.id ?? `a-model-of-${id}`;
}

const CHAT = "/chat/completions";
const MESSAGES = "/v1/messages";
const KEY_HEADER = ["x-api-key", ""] as const;

async function bodyOf(model: Model, request: Partial<ModelRequest> = {}) {
  return (await exchangeWith(model, request)).body;
}

async function answerOf(model: Model, ...chunks: readonly (object | string)[]) {
  return collect(ask(model, { fetch: answering(...chunks, "[DONE]") }));
}

function chunk(delta: object, finish_reason: string | null = null) {
  return { id: "c1", choices: [{ index: 0, delta, finish_reason }] };
}

const STOP = chunk({}, "stop");

describe("providers as data", () => {
  test("PROV-01 a new host is a few lines of data and works at once", async () => {
    const host: Provider = {
      id: "new-host",
      name: "New Host",
      api: "openai-completions",
      baseUrl: "https://api.new-host.example/v1",
      keyEnv: ["NEW_HOST_API_KEY"],
      compat: { maxTokensField: "max_completion_tokens" },
      models: [],
    };
    const model = modelOf(host, "anything", {});
    const { url, body, message } = await exchangeWith(model);
    expect(url).toBe("https://api.new-host.example/v1/chat/completions");
    expect(body).toMatchObject({ model: "anything", max_completion_tokens: 16_384 });
    expect(message.content).toMatchObject([{ text: "ok" }]);
  });

  test("PROV-02 the strongest variable that is set gives the key, at every provider", () => {
    for (const provider of providers) {
      const env: Record<string, string> = {};
      for (const name of provider.keyEnv.toReversed()) {
        env[name] = `value-of-${name}`;
        expect(getEnvApiKey(provider, env)).toBe(`value-of-${name}`);
        expect(getEnvApiKey(provider, { ...env, [name]: "" })).not.toBe(`value-of-${name}`);
      }
      expect(getEnvApiKey(provider, {})).toBeUndefined();
    }
  });
});

describe("hosts of Chat Completions", () => {
  test("PROV-33 mistral", async () => {
    const model = await shows("mistral", {
      url: `https://api.mistral.ai/v1${CHAT}`,
      keys: ["MISTRAL_API_KEY"],
    });
    const history = [user("hi"), calledTool(model, "call_long_id"), toolResult("call_long_id")];
    const { messages } = await exchangeWith(model, { messages: [...history, user("go")] });
    expect(messages.map(({ role }) => role).join(" ")).toBe(
      "system user assistant tool assistant user",
    );
    expect(messages[3]).toMatchObject({ name: "read" });
    expect(messages[3]?.tool_call_id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(messages[2]?.tool_calls?.[0]?.id).toBe(messages[3]?.tool_call_id ?? "");
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "so" },
    ];
    const { message } = await answerOf(model, chunk({ content: parts }), STOP);
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "so" },
    ]);
  });

  test("PROV-34 groq", async () => {
    await shows("groq", {
      url: `https://api.groq.com/openai/v1${CHAT}`,
      keys: ["GROQ_API_KEY"],
    });
  });

  test("PROV-40 cerebras: all tools are strict or none, and usage is not asked for", async () => {
    const model = await shows("cerebras", {
      url: `https://api.cerebras.ai/v1${CHAT}`,
      keys: ["CEREBRAS_API_KEY"],
    });
    const body = await bodyOf(model);
    expect(body).not.toHaveProperty("stream_options");
    expect(body["tools"]).toMatchObject([
      { function: { strict: true } },
      { function: { strict: true } },
    ]);
    const odd = { type: "object", properties: { value: { enum: [1, "two", { three: 3 }] } } };
    const tools = [
      { name: "good", description: "", parameters: { type: "object", properties: {} } },
      { name: "odd", description: "", parameters: odd },
    ];
    expect(JSON.stringify(await bodyOf(model, { tools }))).not.toContain('"strict"');
  });

  test("PROV-41 fireworks and firepass have ids of their own on the wire", async () => {
    const url = `https://api.fireworks.ai/inference/v1${CHAT}`;
    await shows("fireworks", {
      url,
      keys: ["FIREWORKS_API_KEY"],
      wireId: "accounts/fireworks/models/glm-5p3",
    });
    await shows("firepass", {
      url,
      keys: ["FIREPASS_API_KEY"],
      wireId: "accounts/fireworks/routers/kimi-k3-fast",
    });
  });

  test("PROV-42 together", async () => {
    await shows("together", {
      url: `https://api.together.xyz/v1${CHAT}`,
      keys: ["TOGETHER_API_KEY"],
    });
  });

  test("PROV-44 huggingface", async () => {
    await shows("huggingface", {
      url: `https://router.huggingface.co/v1${CHAT}`,
      keys: ["HUGGINGFACE_HUB_TOKEN", "HF_TOKEN"],
    });
  });

  test("PROV-45 synthetic, over both wires", async () => {
    await shows("synthetic", {
      url: `https://api.synthetic.new/openai/v1${CHAT}`,
      keys: ["SYNTHETIC_API_KEY"],
    });
    const model = variant("synthetic", "anthropic-messages");
    const { url } = await exchangeWith(model);
    expect(url).toBe(`https://api.synthetic.new/anthropic${MESSAGES}`);
  });

  test("PROV-46 nvidia: markers of the template are cut out, however they are split", async () => {
    const model = await shows("nvidia", {
      url: `https://integrate.api.nvidia.com/v1${CHAT}`,
      keys: ["NVIDIA_API_KEY"],
    });
    const leaked = "<|im_start|>if a <|b and c|> d < e <｜tool▁calls▁begin｜>x<|im_end|>";
    for (let size = 1; size < leaked.length; size++) {
      const pieces = leaked.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
      const { message } = await answerOf(
        model,
        ...pieces.map((content) => chunk({ content })),
        chunk({ tool_calls: [{ index: 0, id: "x", function: { name: "read", arguments: "{}" } }] }),
        STOP,
      );
      expect(message.content).toMatchObject([
        { type: "text", text: "if a <|b and c|> d < e x" },
        { type: "toolCall" },
      ]);
    }
    const { message } = await answerOf(model, chunk({ content: "a <|im" }), STOP);
    expect(message.content).toMatchObject([{ text: "a <|im" }]);
  });

  test("PROV-47 nanogpt", async () => {
    await shows("nanogpt", {
      url: `https://nano-gpt.com/api/v1${CHAT}`,
      keys: ["NANO_GPT_API_KEY"],
    });
  });

  test("PROV-48 venice: thinking is turned on and off among its own parameters", async () => {
    const model = await shows("venice", {
      url: `https://api.venice.ai/api/v1${CHAT}`,
      keys: ["VENICE_API_KEY"],
    });
    const thinks = { ...model, reasoning: true };
    const parameters = async (thinking: "high" | "off") =>
      (await bodyOf(thinks, { thinking }))["venice_parameters"];
    expect(await parameters("high")).toMatchObject({ disable_thinking: false });
    expect(await parameters("off")).toMatchObject({ disable_thinking: true });
    expect(await parameters("off")).toMatchObject({ include_venice_system_prompt: false });
  });

  test("PROV-49 deepseek", async () => {
    const plain = await shows("deepseek", {
      url: `https://api.deepseek.com/v1${CHAT}`,
      keys: ["DEEPSEEK_API_KEY"],
    });
    const model = { ...plain, reasoning: true };
    const forced = { thinking: "high", toolChoice: { name: "read" } } as const;
    const together = await bodyOf(model, forced);
    expect(together).not.toHaveProperty("reasoning_effort");
    expect(together["thinking"]).toEqual({ type: "disabled" });
    const always = await bodyOf({ ...model, id: "deepseek-reasoner" }, forced);
    expect(always).not.toHaveProperty("tool_choice");
    expect(await bodyOf(model, { thinking: "high" })).not.toHaveProperty("tool_choice");

    const thought = " exactly\n this ";
    const messages = [user("hi"), calledTool(model, "c1", { text: thought }), toolResult("c1")];
    const { messages: wire } = await exchangeWith(model, { messages });
    expect(wire[2]).toHaveProperty("reasoning_content", thought);
    const foreign = calledTool({ ...model, provider: "another" }, "c1", { text: "not its own" });
    const other = await exchangeWith(model, { messages: [user("hi"), foreign, toolResult("c1")] });
    expect(other.messages[2]).not.toHaveProperty("reasoning_content");

    const usage = { completion_tokens: 5, prompt_cache_hit_tokens: 70 };
    const { message } = await answerOf(model, chunk({ content: "a" }), STOP, {
      choices: [],
      usage: { ...usage, prompt_cache_miss_tokens: 30 },
    });
    expect(message.usage).toMatchObject({ input: 30, cacheRead: 70, cacheWrite: 0, output: 5 });
  });

  test("PROV-51 minimax, over both wires", async () => {
    await shows("minimax", {
      url: `https://api.minimax.io/anthropic${MESSAGES}`,
      keys: ["MINIMAX_API_KEY"],
      header: KEY_HEADER,
    });
    const model = await shows("minimax-code", {
      url: `https://api.minimax.io/v1${CHAT}`,
      keys: ["MINIMAX_CODE_API_KEY"],
    });
    await shows("minimax-code-cn", {
      url: `https://api.minimaxi.com/v1${CHAT}`,
      keys: ["MINIMAX_CODE_CN_API_KEY"],
    });
    const call = (args: unknown) =>
      chunk({ tool_calls: [{ index: 0, id: "x", function: { name: "read", arguments: args } }] });
    const detail = (text: string) => chunk({ reasoning_details: [{ type: "text", text }] });
    const { message } = await answerOf(
      model,
      chunk({ reasoning_content: "one" }),
      chunk({ reasoning_content: "one two" }),
      detail("one two three"),
      chunk({ content: "so" }),
      call({ path: "a" }),
      call({ path: "ab", deep: { yes: true } }),
      chunk({}, "tool_calls"),
    );
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "one two three" },
      { type: "text", text: "so" },
      { type: "toolCall", arguments: { path: "ab", deep: { yes: true } } },
    ]);
    expect(await systemMessages(model)).toBe(1);
  });

  test("PROV-52 moonshot: tools are written in its own dialect of schemas", async () => {
    const model = await shows("moonshot", {
      url: `https://api.moonshot.ai/v1${CHAT}`,
      keys: ["MOONSHOT_API_KEY", "KIMI_API_KEY"],
    });
    const parameters = {
      type: "object",
      anyOf: [{ required: ["a"] }, { properties: { c: { type: "string" } } }],
      properties: {
        a: { type: "string", anyOf: [{ const: "x" }, { pattern: "y" }] },
        b: { description: "anything" },
        list: { type: "array", items: { enum: [1, 2] } },
        maybe: { type: ["string", "null"] },
      },
    };
    const tools = [{ name: "odd", description: "Odd", parameters }];
    const body = await bodyOf(model, { tools });
    const [tool] = body["tools"] as { function: { parameters: Schema } }[];
    const schema = tool!.function.parameters;
    expect(schema.type).toBe("object");
    expect(Object.keys(schema.properties ?? {}).sort()).toEqual(["a", "b", "c", "list", "maybe"]);
    expectMoonshot(schema);
    expect(JSON.stringify((await bodyOf(model, { tools }))["tools"])).toBe(
      JSON.stringify(body["tools"]),
    );
  });

  test("PROV-54 qwen-portal: one system message", async () => {
    const model = await shows("qwen-portal", {
      url: `https://portal.qwen.ai/v1${CHAT}`,
      keys: ["QWEN_OAUTH_TOKEN", "QWEN_PORTAL_API_KEY"],
    });
    expect(await systemMessages(model)).toBe(1);
  });

  test("PROV-55 alibaba-coding-plan: a key may be JSON with an address", async () => {
    const model = await shows("alibaba-coding-plan", {
      url: `https://coding-intl.dashscope.aliyuncs.com/v1${CHAT}`,
      keys: ["ALIBABA_CODING_PLAN_API_KEY"],
    });
    const token = "secret-of-a-company";
    const apiKey = JSON.stringify({ token, enterpriseUrl: "https://ai.company.example/v1" });
    const there = await exchangeWith(model, {}, { apiKey });
    expect(there.url).toBe(`https://ai.company.example/v1${CHAT}`);
    expect(there.request.headers["authorization"]).toBe(`Bearer ${token}`);
    const here = await exchangeWith(model, {}, { apiKey: JSON.stringify({ token }) });
    expect(here.url).toBe(`https://coding-intl.dashscope.aliyuncs.com/v1${CHAT}`);
    const answer = fail(401, { message: `bad key ${token}` });
    const { message } = await exchangeWith(model, {}, { apiKey, answer });
    expect(message.errorMessage).toContain("bad key ***");
  });

  test("PROV-56 qianfan", async () => {
    await shows("qianfan", {
      url: `https://qianfan.baidubce.com/v2${CHAT}`,
      keys: ["QIANFAN_API_KEY"],
    });
  });

  test("PROV-57 xiaomi: thoughts go back with tool calls", async () => {
    const model = await shows("xiaomi", {
      url: `https://api.xiaomimimo.com/v1${CHAT}`,
      keys: ["XIAOMI_API_KEY"],
    });
    const foreign = calledTool({ ...model, provider: "another" }, "c1", { text: "hm" });
    const messages = [user("hi"), foreign, toolResult("c1")];
    expect((await exchangeWith(model, { messages })).messages[2]).toHaveProperty(
      "reasoning_content",
      "hm",
    );
  });

  test("PROV-63 litellm: tools are named, if only to say that there are none", async () => {
    const model = await shows("litellm", {
      url: `http://localhost:4000/v1${CHAT}`,
      keys: ["LITELLM_API_KEY"],
    });
    const messages = [user("hi"), calledTool(model, "c1"), toolResult("c1")];
    expect((await bodyOf(model, { messages, tools: [] }))["tools"]).toEqual([]);
    expect(await bodyOf(model, { tools: [] })).not.toHaveProperty("tools");
    const groq = modelOf(providerOf("groq"), "x", {});
    expect(await bodyOf(groq, { messages, tools: [] })).not.toHaveProperty("tools");
  });

  test("xai: an effort goes to the models that take one", async () => {
    const expected = { url: `https://api.x.ai/v1${CHAT}` };
    const model = await shows("xai", { ...expected, keys: ["XAI_API_KEY"] });
    await shows("xai-oauth", { ...expected, keys: ["XAI_OAUTH_TOKEN", "XAI_API_KEY"] });
    const effort = async (id: string) =>
      (await bodyOf({ ...model, id, reasoning: true }, { thinking: "high" }))["reasoning_effort"];
    expect(await effort("grok-4.7")).toBe("high");
    expect(await effort("grok-3-mini")).toBe("high");
    expect(await effort("grok-4-0709")).toBeUndefined();
    expect(await effort("grok-4.20-reasoning")).toBeUndefined();
  });

  test("openrouter over Completions: routing, variants, thinking, limits", async () => {
    const model = await shows("openrouter", {
      url: `https://openrouter.ai/api/v1${CHAT}`,
      keys: ["OPENROUTER_API_KEY"],
    });
    const compat: Compat = { openRouterVariant: "nitro", openRouterRouting: { only: ["azure"] } };
    const tuned = { ...model, reasoning: true, compat };
    const body = await bodyOf(tuned, { thinking: "off" });
    expect(body).toMatchObject({
      model: `${model.id}:nitro`,
      provider: { only: ["azure"] },
      reasoning: { enabled: false },
    });
    expect(body).not.toHaveProperty("max_tokens");
    expect(await bodyOf({ ...tuned, id: "a/b:free" })).toMatchObject({ model: "a/b:free" });
    const mandatory = { ...tuned, id: "openai/gpt-5" };
    expect(await bodyOf(mandatory, { thinking: "off" })).not.toHaveProperty("reasoning");
  });

  test.each([
    ["aimlapi", "https://api.aimlapi.com/v1", "AIMLAPI_API_KEY"],
    ["kilo", "https://api.kilo.ai/api/gateway", "KILO_API_KEY"],
    ["kimi-code", "https://api.kimi.com/coding/v1", "KIMI_API_KEY"],
    ["wafer-pass", "https://pass.wafer.ai/v1", "WAFER_PASS_API_KEY"],
    ["wafer-serverless", "https://pass.wafer.ai/v1", "WAFER_SERVERLESS_API_KEY"],
  ])("%s", async (id, base, key) => {
    await shows(id, { url: base + CHAT, keys: [key] });
  });
});

describe("gateways and hosts of several wires", () => {
  test("PROV-50 zai and zhipu-coding-plan, which may be silent for long", async () => {
    await shows("zai", {
      url: `https://api.z.ai/api/anthropic${MESSAGES}`,
      keys: ["ZAI_API_KEY"],
      header: KEY_HEADER,
    });
    const model = await shows("zhipu-coding-plan", {
      url: `https://open.bigmodel.cn/api/coding/paas/v4${CHAT}`,
      keys: ["ZHIPU_API_KEY"],
    });
    const thinks = { ...model, reasoning: true };
    expect(await bodyOf(thinks, { thinking: "high" })).toMatchObject({
      thinking: { type: "enabled" },
    });
    expect(await bodyOf(thinks, { thinking: "off" })).toMatchObject({
      thinking: { type: "disabled" },
    });
    const overAnthropic = { ...modelOf(providerOf("zai"), "glm-5.3", {}), reasoning: true };
    const asked = await bodyOf(overAnthropic, { thinking: "high" });
    expect(asked["thinking"]).toMatchObject({ type: expect.any(String) });
    for (const patient of [model, overAnthropic]) {
      const waited = await silenceEnds(patient);
      expect(waited).toBeGreaterThanOrEqual(600_000);
      expect(waited).toBeLessThan(700_000);
    }
    expect(await silenceEnds(modelOf(providerOf("groq"), "x", {}))).toBeLessThan(600_000);
  });

  test("PROV-59 zenmux: Claude goes over its own wire", async () => {
    await shows("zenmux", {
      model: "z-ai/glm-4.7",
      url: `https://zenmux.ai/api/v1${CHAT}`,
      keys: ["ZENMUX_API_KEY"],
    });
    await shows("zenmux", {
      model: "anthropic/claude-sonnet-4.5",
      url: `https://zenmux.ai/api/anthropic${MESSAGES}`,
      keys: ["ZENMUX_API_KEY"],
      header: KEY_HEADER,
    });
  });

  test("PROV-60 opencode-zen and opencode-go: the catalogue knows the wire of each model", async () => {
    const plans = [
      ["opencode-zen", "https://opencode.ai/zen"],
      ["opencode-go", "https://opencode.ai/zen/go"],
    ] as const;
    for (const [id, base] of plans) {
      await shows(id, { model: "x", url: `${base}/v1${CHAT}`, keys: ["OPENCODE_API_KEY"] });
      const facts = await catalogOf(id);
      const urlOf = async (api: string) => {
        const known = facts.find((entry) => entry.api === api);
        if (!known) throw new Error(`${id} has no model of ${api}`);
        return (await exchangeWith(modelFrom(providerOf(id), known, {}))).url;
      };
      expect(await urlOf("anthropic-messages")).toBe(`${base}${MESSAGES}`);
      expect(await urlOf("openai-completions")).toBe(`${base}/v1${CHAT}`);
      expect(await urlOf("openai-responses")).toBe(`${base}/v1/responses`);
    }
  });

  test("PROV-61 vercel-ai-gateway, over both wires", async () => {
    await shows("vercel-ai-gateway", {
      url: `https://ai-gateway.vercel.sh${MESSAGES}`,
      keys: ["AI_GATEWAY_API_KEY"],
      header: KEY_HEADER,
    });
    const compat: Compat = { vercelGatewayRouting: { order: ["bedrock"] } };
    const model = { ...variant("vercel-ai-gateway", "openai-completions"), compat };
    const { url, body } = await exchangeWith(model);
    expect(url).toBe(`https://ai-gateway.vercel.sh/v1${CHAT}`);
    expect(body["providerOptions"]).toEqual({ gateway: { order: ["bedrock"] } });
  });

  test("PROV-62 cloudflare-ai-gateway: the key has a header of its own", async () => {
    const base = "https://gateway.ai.cloudflare.com/v1/an-account/a-gateway/anthropic";
    const provider = { ...providerOf("cloudflare-ai-gateway"), baseUrl: base };
    expect(providerOf("cloudflare-ai-gateway").baseUrl).toBe(
      "https://gateway.ai.cloudflare.com/v1/<account>/<gateway>/anthropic",
    );
    const model = modelOf(provider, "claude-sonnet-4.5", {});
    const apiKey = getEnvApiKey(provider, { CLOUDFLARE_AI_GATEWAY_API_KEY: "cf-key" });
    const said = await exchangeWith(model, {}, { apiKey });
    expect(said.url).toBe(base + MESSAGES);
    expect(said.request.headers).toMatchObject({ "cf-aig-authorization": "Bearer cf-key" });
    expect(said.request.headers).not.toHaveProperty("x-api-key");
    expect(said.request.headers).not.toHaveProperty("authorization");
    const called = await exchangeWith(model, {}, { answer: turn(callTool("read", {})) });
    expect(called.final.reason).toBe("toolUse");
    const refused = await exchangeWith(model, {}, { answer: fail(401, { message: "who?" }) });
    expect(refused.final).toMatchObject({ fault: { kind: "auth", reason: "denied" } });
  });

  test("github-copilot hears who began a turn, and whether there are images in it", async () => {
    const model = await shows("github-copilot", {
      url: `https://api.githubcopilot.com${CHAT}`,
      keys: ["COPILOT_GITHUB_TOKEN"],
    });
    const sees = { ...model, input: ["text", "image"] } as const;
    const first = await exchangeWith(sees);
    expect(first.request.headers).toMatchObject({ "x-initiator": "user" });
    expect(first.request.headers).not.toHaveProperty("copilot-vision-request");
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
    const messages: Message[] = [
      { role: "user", content: [image], timestamp: 1 },
      calledTool(model, "c1"),
      toolResult("c1"),
    ];
    const second = await exchangeWith(sees, { messages });
    expect(second.request.headers).toMatchObject({
      "x-initiator": "agent",
      "copilot-vision-request": "true",
    });
  });
});

describe("servers on this machine, and Ollama's", () => {
  test("PROV-65 ollama-cloud", async () => {
    await shows("ollama-cloud", {
      url: "https://ollama.com/api/chat",
      keys: ["OLLAMA_CLOUD_API_KEY"],
    });
  });

  test("PROV-71 llama.cpp and lm-studio need no key and take one", async () => {
    const servers = [
      ["llama.cpp", "http://127.0.0.1:8080/v1/responses", "LLAMA_CPP"],
      ["lm-studio", `http://127.0.0.1:1234/v1${CHAT}`, "LM_STUDIO"],
    ] as const;
    for (const [id, url, prefix] of servers) {
      const model = await shows(id, { url, keys: [`${prefix}_API_KEY`] });
      const keyless = await exchangeWith(model, {}, { apiKey: undefined });
      expect(keyless.final.type).toBe("done");
      expect(keyless.request.headers).not.toHaveProperty("authorization");
      const base = "http://127.0.0.1:9/v1";
      const moved = modelOf(providerOf(id), "x", { [`${prefix}_BASE_URL`]: base });
      expect(moved.baseUrl).toBe(base);
    }
  });

  test("PROV-72 vllm is there for who set its variable", async () => {
    const model = await shows("vllm", {
      url: `http://127.0.0.1:8000/v1${CHAT}`,
      keys: ["VLLM_API_KEY"],
    });
    const { final, message } = await collect(ask(model, { apiKey: undefined }));
    expect(final).toMatchObject({ fault: { kind: "auth", reason: "missing" } });
    expect(message.errorMessage).toContain("VLLM_API_KEY");
  });
});

describe("what differs in answers", () => {
  const model = modelOf(providerOf("openrouter"), "some/model", {});
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 10,
    prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 30 },
  };

  test("PROV-07 stop with tool calls is a wait for the tools", async () => {
    const call = { index: 0, id: "x", function: { name: "read", arguments: "{}" } };
    const { final } = await answerOf(model, chunk({ tool_calls: [call] }), STOP);
    expect(final).toMatchObject({ type: "done", reason: "toolUse" });
  });

  test("PROV-11 tokens are counted once, and the provider's own price counts", async () => {
    const said = chunk({ content: "a" });
    const { message } = await answerOf(model, said, STOP, {
      choices: [],
      usage: { ...usage, cost: 0.125 },
    });
    expect(message.usage).toMatchObject({ input: 50, cacheRead: 20, cacheWrite: 30, output: 10 });
    expect(message.usage.totalTokens).toBe(110);
    expect(message.usage.cost.total).toBe(0.125);
    const priced = { ...model, prices: { input: 1e6, output: 0, cacheRead: 0, cacheWrite: 0 } };
    const unpriced = await answerOf(priced, said, STOP, { choices: [], usage });
    expect(unpriced.message.usage.cost.total).toBe(50);
    // Moonshot counts in the last choice, and the cache beside the prompt.
    const inChoice = {
      choices: [
        { delta: {}, finish_reason: "stop", usage: { prompt_tokens: 9, cached_tokens: 4 } },
      ],
    };
    expect((await answerOf(model, said, inChoice)).message.usage).toMatchObject({
      input: 5,
      cacheRead: 4,
    });

    const copilot = { ...modelOf(providerOf("github-copilot"), "x", {}), premiumMultiplier: 3 };
    const first = await exchangeWith(copilot);
    expect(first.message.usage.premiumRequests).toBe(3);
    const messages = [user("hi"), calledTool(copilot, "c1"), toolResult("c1")];
    expect((await exchangeWith(copilot, { messages })).message.usage.premiumRequests).toBe(0);
    expect((await exchangeWith(model)).message.usage).not.toHaveProperty("premiumRequests");
  });

  test("errors in a choice, and MiniMax's numbers, are read like any other", async () => {
    const inChoice = { choices: [{ delta: {}, error: { code: 429, message: "slow" } }] };
    expect((await answerOf(model, inChoice)).final).toMatchObject({
      fault: { kind: "rate-limit" },
    });
    const numbered = { base_resp: { status_code: 1008, status_msg: "insufficient balance" } };
    expect((await answerOf(model, numbered)).final).toMatchObject({
      fault: { kind: "rate-limit", isQuota: true },
    });
    expect((await answerOf(model, chunk({ content: "a" }, "sensitive"))).final).toMatchObject({
      fault: { kind: "refused" },
    });
    const fine = { ...STOP, base_resp: { status_code: 0, status_msg: "" } };
    expect((await answerOf(model, fine)).final.type).toBe("done");
  });
});

/** The default model, as if the catalogue had it under another protocol. */
function variant(id: string, api: "anthropic-messages" | "openai-completions"): Model {
  const { provider: _provider, baseUrl: _baseUrl, ...facts } = modelOf(providerOf(id), "x", {});
  return modelFrom(providerOf(id), { ...facts, api }, {});
}

async function systemMessages(model: Model): Promise<number> {
  const reminder = { role: "developer", content: "Be brief.", timestamp: 1 } as const;
  const { messages } = await exchangeWith(model, { messages: [reminder, user("hi"), reminder] });
  return messages.filter(({ role }) => role === "system").length;
}

/** After how much silence in the middle of an answer the turn is given up. */
async function silenceEnds(model: Model): Promise<number> {
  const clock = manualClock();
  const first =
    model.api === "openai-completions"
      ? `data: ${JSON.stringify(chunk({ content: "a" }))}\n\n`
      : [
          { type: "message_start", message: { id: "m", usage: { input_tokens: 1 } } },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
        ]
          .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join("");
  const silent = new ReadableStream({ start: (body) => body.enqueue(Buffer.from(first)) });
  const fetch: StreamOptions["fetch"] = async () => eventStream(silent);
  const stream = ask(model, { clock, fetch });
  let waited = 0;
  let isOver = false;
  void stream.result.then(() => (isOver = true));
  for await (const event of stream) if (event.type === "text_delta") break;
  while (!isOver && waited < 1_000_000) {
    clock.advance(50_000);
    waited += 50_000;
    await Bun.sleep(1);
  }
  return waited;
}

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Moonshot's published rules: every schema has a type, and beside `anyOf` there is none. */
function expectMoonshot(schema: Schema): void {
  expect(typeof schema.type === "string").toBe(schema.anyOf === undefined);
  expect(schema.oneOf).toBeUndefined();
  const inner = [...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})];
  for (const child of schema.items ? [...inner, schema.items] : inner) expectMoonshot(child);
}
