/** What settings and variables make of single providers, down to the requests they get. */

import { stream, type FetchLike } from "@omp/ai";
import type { ModelRequest } from "@omp/ai/schema";
import { systemClock } from "@omp/std";
import {
  callTool,
  fail,
  say,
  scriptedModel,
  think,
  turn,
  workspace,
  type ScriptedModel,
} from "@omp/testkit";
import { expect, test } from "bun:test";
import { providersArea } from "../src/settings/schema/providers.ts";
import { models, modelServer, ollama, type Models } from "./model-server.ts";

/** One turn of a model with its key; whatever host it names, the given server answers. */
async function ask(
  opened: Models,
  selector: string,
  { at, ...more }: Partial<ModelRequest> & { readonly at?: ScriptedModel } = {},
) {
  const model = await opened.model(selector);
  const provider = opened.registry.providers.find(({ id }) => id === model.provider)!;
  const urls: string[] = [];
  const fetch: FetchLike = (url, init) => {
    urls.push(url);
    return globalThis.fetch(at ? at.url + new URL(url).pathname : url, init);
  };
  const request = {
    model,
    systemPrompt: "Be brief.",
    messages: [{ role: "user", content: "Hello", timestamp: 0 } as const],
    tools: [{ name: "read", description: "Reads", parameters: { type: "object" } }],
    ...more,
  };
  const apiKey = await opened.vault.keyFor(provider);
  const { signal } = new AbortController();
  const answered = stream(request, { apiKey, clock: systemClock, signal, fetch });
  const final = await answered.result;
  const fault = final.type === "error" ? final.fault?.kind : undefined;
  return { message: final.message, fault, url: urls[0]! };
}

const ROUTED = JSON.stringify({
  providers: { openrouter: { compat: { openRouterRouting: { only: ["azure"] } } } },
});
const LISTED = "openrouter/deepseek/deepseek-v3.2";

test("PROV-31 OpenRouter over both wires: key, routing, the variant that is set, no thinking, no limit", async () => {
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: ROUTED,
    env: { OPENROUTER_API_KEY: "key-of-openrouter" },
    settings: { openrouterVariant: "nitro" },
  });
  const listed = await opened.model(LISTED);
  for (const [api, path] of [
    ["openai-completions", "/chat/completions"],
    ["openai-responses", "/responses"],
  ] as const) {
    const turns = [
      turn(say("hello")),
      turn(callTool("read", { path: "a" })),
      fail(429, { message: "slow down" }),
      turn(say("free")),
    ];
    await using at = await scriptedModel(turns, { strict: false });
    const model = { ...listed, api };
    const said = await ask(opened, LISTED, { model, thinking: "off", at });
    expect(said.url).toBe(`https://openrouter.ai/api/v1${path}`);
    expect(said.message.content).toMatchObject([{ type: "text", text: "hello" }]);
    const called = await ask(opened, LISTED, { model, at });
    expect(called.message.content).toMatchObject([{ name: "read", arguments: { path: "a" } }]);
    expect((await ask(opened, LISTED, { model, at })).fault).toBe("rate-limit");
    await ask(opened, LISTED, { model: { ...model, id: "a/b:free" }, at });
    const [request] = at.requests;
    expect(request!.headers["authorization"]).toBe("Bearer key-of-openrouter");
    expect(request!.body).toMatchObject({
      model: `${listed.id}:nitro`,
      provider: { only: ["azure"] },
      reasoning: { enabled: false },
    });
    expect(JSON.stringify(request!.body)).not.toMatch(/"max_\w*tokens"/);
    expect(at.requests[3]!.body).toMatchObject({ model: "a/b:free" });
  }
  expect(listed.api).toBe("openai-completions");
});

test("the variant goes to the id on the wire; without one ids are sent as they are", async () => {
  await using place = await workspace();
  await using at = await scriptedModel([turn(say("ok"))], { strict: false, repeatLast: true });
  const env = { OPENROUTER_API_KEY: "key-of-openrouter" };
  for (const openrouterVariant of ["floor", "", "default"]) {
    const settings = { openrouterVariant };
    await using opened = await models(place, { env, settings });
    for (const selector of [LISTED, "openrouter/anthropic/claude-sonnet-4.5"]) {
      const model = { ...(await opened.model(selector)), wireId: "a/b" };
      await ask(opened, selector, { model, at });
    }
  }
  const sent = at.requests.map(({ body }) => (body as { model: string }).model);
  expect(sent).toEqual(["a/b:floor", "a/b:floor", "a/b", "a/b", "a/b", "a/b"]);
  const wires = at.requests.map(({ wire }) => wire);
  expect(wires.slice(0, 2)).toEqual(["openai-completions", "anthropic-messages"]);
});

test("SET-411 providers.kimiApiFormat chooses the wire of Kimi Code, and its address with it", async () => {
  await using place = await workspace();
  expect(providersArea.settings.kimiApiFormat.default).toBe("anthropic");
  for (const [kimiApiFormat, wire, url] of [
    ["openai", "openai-completions", "https://api.kimi.com/coding/v1/chat/completions"],
    ["anthropic", "anthropic-messages", "https://api.kimi.com/coding/v1/messages"],
  ] as const) {
    await using at = await scriptedModel([turn(say("hello"))], { strict: false });
    const env = { KIMI_API_KEY: "key-of-kimi" };
    await using opened = await models(place, { env, settings: { kimiApiFormat } });
    const said = await ask(opened, "kimi-code/kimi-for-coding", { thinking: "high", at });
    expect(said.url).toBe(url);
    expect(at.requests[0]!.wire).toBe(wire);
    expect(said.message.content).toMatchObject([{ type: "text", text: "hello" }]);
  }
});

test("PROV-70 Ollama: found without a key at its address, its window only counted, an answer without a word an overflow", async () => {
  await using scripted = await scriptedModel([
    turn(say("hello")),
    turn(think("so much to think about")).with({ stop: "length" }),
    turn(say("half a sen")).with({ stop: "length" }),
  ]);
  const asked: string[] = [];
  await using server = modelServer({
    ...ollama(["qwen3:8b"], { model_info: { "qwen3.context_length": 40_960 } }),
    "POST /v1/responses": (body) => {
      asked.push(body);
      // The scripted model plays the vendor, who wants a key; that ours sends none is seen before.
      const headers = { "content-type": "application/json", authorization: "Bearer of-the-test" };
      return fetch(`${scripted.url}/v1/responses`, { method: "POST", body, headers });
    },
  });
  await using place = await workspace();
  await using usual = await models(place, { env: { OLLAMA_BASE_URL: "" } });
  const provider = usual.registry.providers.find(({ id }) => id === "ollama");
  expect(provider?.baseUrl).toBe("http://127.0.0.1:11434/v1");
  for (const [env, fault, stopReason] of [
    [{ OLLAMA_BASE_URL: server.url, OLLAMA_HOST: "127.0.0.1:9" }, undefined, "stop"],
    [{ OLLAMA_BASE_URL: "", OLLAMA_HOST: `127.0.0.1:${server.port}` }, "context-overflow", "error"],
    [{ OLLAMA_BASE_URL: "", OLLAMA_HOST: server.url }, undefined, "length"],
  ] as const) {
    await using opened = await models(place, { env: { ...env, OLLAMA_CONTEXT_LENGTH: "8192" } });
    await opened.registry.refresh();
    expect(await opened.selectors()).toEqual(["ollama/qwen3:8b"]);
    expect(await opened.model("ollama/qwen3:8b")).toMatchObject({ contextWindow: 8192 });
    const answer = await ask(opened, "ollama/qwen3:8b");
    expect({ fault: answer.fault, stop: answer.message.stopReason }).toEqual({
      fault,
      stop: stopReason,
    });
  }
  expect(server.lines).toEqual(["GET /api/tags", "POST /api/show", "POST /v1/responses"]);
  expect(server.seen.every(({ headers }) => !headers.has("authorization"))).toBe(true);
  expect(asked.join()).not.toMatch(/num_ctx|8192/);
});
