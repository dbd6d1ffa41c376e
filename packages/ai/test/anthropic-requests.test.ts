/** Anthropic Messages: what a request may ask for, generation by generation, and what a configuration adds. */

import { fail, say, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { modelFrom } from "../src/index.ts";
import type { Message, Model, ModelRequest } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { ask, providerOf, requestTo, send, stage, user } from "./stage.ts";

const anthropic = providerOf("anthropic");
const INTERLEAVED = "interleaved-thinking-2025-05-14";

describe("thinking", () => {
  test.each([
    ["minimal", 1024],
    ["low", 2048],
    ["medium", 8192],
    ["high", 16_384],
    ["xhigh", 32_768],
  ] as const)("a budget at %s is %d tokens", async (thinking, budget_tokens) => {
    const { body, headers } = await sent({ thinking });
    expect(body["thinking"]).toEqual({ type: "enabled", budget_tokens });
    expect(body["max_tokens"]).toBe(64_000);
    expect(headers["anthropic-beta"]).toBe(INTERLEAVED);
  });

  test("budgets of the settings count, the least is kept, and the answer has room", async () => {
    const thinkingBudgets = { minimal: 1, low: 2, medium: 9000, high: 1, xhigh: 1 };
    const own = await sent({ thinking: "medium", thinkingBudgets });
    expect(own.body["thinking"]).toMatchObject({ budget_tokens: 9000 });
    const least = await sent({ thinking: "low", thinkingBudgets });
    expect(least.body["thinking"]).toMatchObject({ budget_tokens: 1024 });
    const tight = await sent({ thinking: "high", maxTokens: 3000 });
    expect(tight.body).toMatchObject({ max_tokens: 3000, thinking: { budget_tokens: 2999 } });
    const none = await sent({ thinking: "high", maxTokens: 500 });
    expect(none.body).not.toHaveProperty("thinking");
  });

  test("without interleaving there is no beta, and the limit grows by the budget", async () => {
    const request = { thinking: "medium", maxTokens: 4000 } as const;
    const { body, headers } = await sent({ ...request, interleavedThinking: false });
    expect(body).toMatchObject({ max_tokens: 4000 + 8192, thinking: { budget_tokens: 8192 } });
    expect(headers).not.toHaveProperty("anthropic-beta");
    const usual = await sent(request);
    expect(usual.headers["anthropic-beta"]).toBe(INTERLEAVED);
    const whole = await sent({ thinking: "medium", interleavedThinking: false });
    expect(whole.body["max_tokens"]).toBe(64_000);
  });

  test.each([
    ["claude-opus-4-6", "xhigh", "max"],
    ["claude-sonnet-4-6", "high", "high"],
    ["claude-opus-4-7", "xhigh", "xhigh"],
    ["claude-opus-4-8-20260601", "minimal", "low"],
    ["claude-sonnet-5", "medium", "medium"],
    ["claude-sonnet-5-5", "low", "low"],
    ["claude-opus-5-5", "high", "high"],
    ["claude-fable-5-1", "high", "high"],
    ["claude-mythos-preview", "high", "high"],
  ] as const)("%s judges itself; %s is the effort %s", async (id, thinking, effort) => {
    const { body, headers } = await sent({ thinking }, { id });
    expect(body["thinking"]).toEqual({ type: "adaptive", display: "summarized" });
    expect(body["output_config"]).toEqual({ effort });
    expect(headers).not.toHaveProperty("anthropic-beta");
  });

  test("what a model is known to understand counts, and its own words for it", async () => {
    const levels = ["low", "medium"] as const;
    const capped = await sent(
      { thinking: "xhigh" },
      { id: "claude-new", thinking: { mode: "adaptive", levels } },
    );
    expect(capped.body["output_config"]).toEqual({ effort: "medium" });
    const budget = { mode: "budget", levels } as const;
    const older = await sent({ thinking: "xhigh" }, { id: "claude-opus-4-6", thinking: budget });
    expect(older.body["thinking"]).toMatchObject({ type: "enabled", budget_tokens: 8192 });
    const lying = await sent({ thinking: "low" }, { id: "claude-opus-4-7", thinking: budget });
    expect(lying.body["thinking"]).toMatchObject({ type: "adaptive" });
    const compat = { reasoningEffortMap: { high: "max" } };
    const words = await sent({ thinking: "high" }, { id: "claude-opus-5-5", compat });
    expect(words.body["output_config"]).toEqual({ effort: "max" });
  });

  test.each([
    ["claude-sonnet-4-5", {}],
    ["claude-opus-4-8", {}],
    ["claude-opus-5", { thinking: { type: "disabled" } }],
    ["claude-haiku-5-5", { thinking: { type: "disabled" } }],
    ["claude-sonnet-5-5", { thinking: { type: "between_tools" } }],
    ["claude-opus-5-5", { output_config: { effort: "low" } }],
    ["claude-fable-5", { output_config: { effort: "low" } }],
  ])("%s is told not to think by %j", async (id, fields) => {
    const { body } = await sent({ thinking: "off" }, { id });
    const { thinking, output_config } = body;
    expect({ thinking, output_config }).toEqual({ ...NOTHING, ...fields });
  });

  test("a model that cannot rest keeps its own default when nobody said anything", async () => {
    const { body } = await sent({}, { id: "claude-opus-5-5" });
    expect(body).not.toHaveProperty("output_config");
    expect(body).not.toHaveProperty("thinking");
  });

  test("a model that does not think is not asked to", async () => {
    const { body } = await sent({ thinking: "high" }, { id: "claude-3-haiku", reasoning: false });
    expect(body).not.toHaveProperty("thinking");
  });

  test("the dialect of Z.ai says only whether", async () => {
    const glm = { id: "glm-5", compat: { thinkingFormat: "zai" } } as const;
    expect((await sent({ thinking: "high" }, glm)).body["thinking"]).toEqual({ type: "enabled" });
    expect((await sent({ thinking: "off" }, glm)).body["thinking"]).toEqual({ type: "disabled" });
  });
});

const NOTHING = { thinking: undefined, output_config: undefined };

describe("tool choice", () => {
  test.each([
    ["auto", undefined],
    ["none", { type: "none" }],
    ["required", { type: "any" }],
    [{ name: "read" }, { type: "tool", name: "read" }],
  ] as const)("%j is %j", async (toolChoice, tool_choice) => {
    const { body } = await sent({ toolChoice });
    expect(body["tool_choice"]).toEqual(tool_choice);
  });

  test("a forced tool puts thinking off; a model that always thinks is not forced", async () => {
    const toolChoice = { name: "read" };
    const budget = await sent({ thinking: "high", toolChoice });
    expect(budget.body).not.toHaveProperty("thinking");
    expect(budget.body["tool_choice"]).toEqual({ type: "tool", name: "read" });
    expect(budget.headers).not.toHaveProperty("anthropic-beta");
    const adaptive = await sent({ thinking: "high", toolChoice }, { id: "claude-opus-5" });
    expect(adaptive.body["thinking"]).toEqual({ type: "disabled" });
    for (const id of ["claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1"]) {
      const always = await sent({ thinking: "high", toolChoice }, { id });
      expect(always.body["thinking"]).toMatchObject({ type: "adaptive" });
      expect(always.body).not.toHaveProperty("tool_choice");
    }
  });

  test("nothing is chosen where there are no tools", async () => {
    const { body } = await sent({ tools: [], toolChoice: "required" });
    expect(body).not.toHaveProperty("tool_choice");
    expect(body).not.toHaveProperty("tools");
  });
});

describe("caches", () => {
  test("system, tools and the last two turns of the person are marked", async () => {
    const messages = [user("one"), said("a"), user("two"), said("b"), user("three")];
    const { body } = await sent({ messages });
    const marks = (value: unknown) => JSON.stringify(value).split("cache_control").length - 1;
    expect(marks(body["system"])).toBe(1);
    expect(marks(body["tools"])).toBe(1);
    const wire = body["messages"] as object[];
    expect(wire.map(marks)).toEqual([0, 0, 1, 0, 1]);
  });

  test("of a system prompt in blocks the first and the last are marked, and the tools lie under the first", async () => {
    const messages = [user("one"), said("a"), user("two"), said("b"), user("three")];
    const systemPrompt = ["stable", "added", "facts"];
    const { body } = await sent({ messages, systemPrompt });
    const mark = { cache_control: { type: "ephemeral" } };
    expect(body["system"]).toEqual([
      { type: "text", text: "stable", ...mark },
      { type: "text", text: "added" },
      { type: "text", text: "facts", ...mark },
    ]);
    expect(JSON.stringify(body["tools"])).not.toContain("cache_control");
    expect(JSON.stringify(body).split("cache_control").length - 1).toBe(4);
  });

  test("long retention is asked of Anthropic, and of nobody who copies it", async () => {
    const long = await sent({ cacheRetention: "long" });
    expect(long.body["system"]).toMatchObject([
      { cache_control: { type: "ephemeral", ttl: "1h" } },
    ]);
    const usual = await sent({});
    expect(JSON.stringify(usual.body)).not.toContain("ttl");
    const copy = await sent({ cacheRetention: "long" }, { provider: "zai" });
    expect(JSON.stringify(copy.body)).not.toContain("ttl");
  });
});

describe("strict tools", () => {
  const names = ["read", "bash", "python", "edit", "find", "write"];
  const tools = names.map((name) => ({
    name,
    description: name,
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  }));
  const strictIn = (body: Record<string, unknown>) =>
    (body["tools"] as { name: string; strict?: boolean }[])
      .filter(({ strict }) => strict)
      .map(({ name }) => name);
  const TOO_LARGE =
    "The compiled grammar is too large, which would cause performance issues. Simplify your tool " +
    "schemas or reduce the number of strict tools.";

  test("PM-95 four tools are strict, and no other", async () => {
    expect(strictIn((await sent({ tools })).body)).toEqual(["bash", "python", "edit", "find"]);
  });

  test("SN-06 keywords that the vendor does not know stay at home", async () => {
    const parameters = {
      type: "object",
      properties: { path: { type: "string", "x-secret": 1, contentEncoding: "base64" } },
      $comment: "for us",
    };
    const { body } = await sent({ tools: [{ name: "write", description: "w", parameters }] });
    const [tool] = body["tools"] as { input_schema: object }[];
    expect(tool?.input_schema).toMatchObject({ properties: { path: { type: "string" } } });
    expect(JSON.stringify(tool)).not.toMatch(/x-secret|\$comment/);
  });

  test("a provider can be spared them, and so can a tool", async () => {
    expect(strictIn((await sent({ tools }, { disableStrictTools: true })).body)).toEqual([]);
    const loose = tools.map((tool) => ({ ...tool, strict: false }));
    expect(strictIn((await sent({ tools: loose })).body)).toEqual([]);
  });

  test.each([
    TOO_LARGE,
    "Schema is too complex for compilation. Try reducing the number of tools.",
  ])("PM-97 a grammar that is too large is tried once more without: %s", async (message) => {
    await using scene = await stage(anthropic, [
      fail(400, { message }),
      turn(say("ok")),
      turn(say("never")),
    ]);
    const { final, types } = await collect(send({ ...requestTo(scene.model), tools }));
    expect(final.message.content).toEqual([{ type: "text", text: "ok" }]);
    expect(types.filter((type) => type === "start")).toHaveLength(1);
    const bodies = scene.server.requests.map(({ body }) => body as Record<string, unknown>);
    expect(bodies.map(strictIn)).toEqual([["bash", "python", "edit", "find"], []]);
    expect(bodies[1]).toMatchObject({
      tools: [{}, { name: "bash", input_schema: { required: ["path"] } }, {}, {}, {}, {}],
    });
  });

  test("PM-97 not twice, not without strict tools, not after the first token, not for other errors", async () => {
    await using scene = await stage(anthropic, [
      fail(400, { message: TOO_LARGE }),
      fail(400, { message: TOO_LARGE }),
      fail(400, { message: TOO_LARGE }),
      turn(say("half")).with({
        fault: { kind: "in-band-error", type: "invalid_request_error", message: TOO_LARGE },
      }),
      fail(400, { message: "messages: something else" }),
    ]);
    const request = { ...requestTo(scene.model), tools };
    const count = () => scene.server.requests.length;
    expect((await collect(send(request))).final.type).toBe("error");
    expect(count()).toBe(2);
    await collect(send({ ...request, tools: tools.slice(0, 1) }));
    expect(count()).toBe(3);
    const late = await collect(send(request));
    expect(late.message.content).toEqual([{ type: "text", text: "half" }]);
    expect(count()).toBe(4);
    await collect(send(request));
    expect(count()).toBe(5);
  });
});

describe("what a configuration adds", () => {
  test("PM-22 authHeader also sends the key as a bearer", async () => {
    await using scene = await stage(anthropic, [turn(say("a")), turn(say("b")), turn(say("c"))]);
    await collect(ask({ ...scene.model, authHeader: true }, { apiKey: "key-of-a-proxy" }));
    await collect(ask(scene.model, { apiKey: "key-of-a-proxy" }));
    const keyless = { ...scene.model, authHeader: true, isKeyless: true };
    await collect(ask({ ...keyless, headers: { "x-api-key": "own" } }, { apiKey: undefined }));
    const [both, one, none] = scene.server.requests.map(({ headers }) => headers);
    expect(both).toMatchObject({
      authorization: "Bearer key-of-a-proxy",
      "x-api-key": "key-of-a-proxy",
    });
    expect(one).not.toHaveProperty("authorization");
    expect(none).not.toHaveProperty("authorization");
  });

  test("headers of a model are sent, win over ours, and add to lists", async () => {
    const headers = {
      "X-Team": "blue",
      "Anthropic-Version": "2099-01-01",
      "anthropic-beta": "own",
    };
    const { headers: seen } = await sent({ thinking: "low" }, { headers });
    expect(seen).toMatchObject({
      "x-team": "blue",
      "anthropic-version": "2099-01-01",
      "anthropic-beta": `${INTERLEAVED},own`,
    });
  });

  test("PM-23 headers of a provider are the base, those of a model replace the same names", async () => {
    await using scene = await stage(anthropic, [turn(say("ok"))]);
    const provider = { ...anthropic, headers: { "X-A": "provider", "X-B": "provider" } };
    const facts = { ...anthropic.models[0]!, headers: { "x-b": "model" } };
    await collect(ask(modelFrom(provider, facts, scene.server.environment())));
    expect(scene.server.requests[0]?.headers).toMatchObject({ "x-a": "provider", "x-b": "model" });
  });

  test("PM-49 one base URL with a version reaches both wires", async () => {
    await using scene = await stage(anthropic, [turn(say("ok"))]);
    const openai = providerOf("openai").models[0]!;
    for (const end of ["/v1", "/v1/", ""]) {
      await collect(ask({ ...scene.model, baseUrl: scene.server.url + end }));
    }
    const api = "openai-completions";
    const baseUrl = `${scene.server.url}/v1`;
    await collect(ask({ ...openai, provider: "proxy", api, baseUrl }));
    expect(scene.server.requests.map(({ path }) => path)).toEqual([
      "/v1/messages",
      "/v1/messages",
      "/v1/messages",
      "/v1/chat/completions",
    ]);
  });

  test("a name on the wire takes the place of the id, and thoughts stay the model's own", async () => {
    await using scene = await stage(anthropic, [turn(say("ok"))]);
    const { provider, api, id } = scene.model;
    const thought = { type: "thinking", thinking: "hm", thinkingSignature: "sig" } as const;
    const own: Message = { ...said("so"), provider, api, model: id };
    own.content.unshift(thought);
    const wireId = "vendor/claude";
    const { message } = await collect(
      ask({ ...scene.model, wireId }, {}, [user("hi"), own, user("go")]),
    );
    expect(message.model).toBe(id);
    expect(scene.server.requests[0]?.body).toMatchObject({
      model: wireId,
      messages: [{}, { content: [{ signature: "sig" }, { text: "so" }] }, {}],
    });
  });
});

/** What the vendor gets for a request; its rules have accepted it where the model is its own. */
async function sent(change: Partial<ModelRequest>, facts: Partial<Model> = {}) {
  await using scene = await stage(anthropic, [turn(say("ok"))]);
  await collect(send({ ...requestTo({ ...scene.model, ...facts }), ...change }));
  const [request] = scene.server.requests;
  const isOfVendor = !facts.id || /^claude-(opus|sonnet|haiku|fable|mythos)/.test(facts.id);
  if (isOfVendor) expect(request?.refusal).toBeUndefined();
  return { body: request?.body as Record<string, unknown>, headers: request?.headers ?? {} };
}

function said(text: string): Extract<Message, { role: "assistant" }> {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "other",
    api: "other",
    model: "other",
    usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
    stopReason: "stop",
    timestamp: 2,
  };
}
