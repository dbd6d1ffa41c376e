/** Models that servers tell: servers of one's own, proxies, slow ones and liars, and what is kept of their answers. */

import { limitClock, manualClock, workspace } from "@omp/testkit";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { models, modelServer, ollama, type Routes } from "./model-server.ts";

const never = () => new Promise<Response>(() => {});
const found = (list: readonly { provider: string; id: string }[]) => list.map(({ id }) => id);

test("ENV-084 PM-40 PM-41 Ollama is found by its own protocol and called over Responses", async () => {
  await using server = modelServer(ollama(["qwen3:8b", "llama3:latest"]));
  await using place = await workspace();
  for (const env of [
    { OLLAMA_BASE_URL: "", OLLAMA_HOST: `127.0.0.1:${server.port}` },
    { OLLAMA_BASE_URL: "", OLLAMA_HOST: server.url },
    { OLLAMA_BASE_URL: server.url, OLLAMA_HOST: "127.0.0.1:9" },
  ]) {
    await using opened = await models(place, { env });
    await opened.registry.refresh();
    expect(await opened.selectors()).toEqual(["ollama/qwen3:8b", "ollama/llama3:latest"]);
    expect(await opened.model("ollama/qwen3:8b")).toMatchObject({
      api: "openai-responses",
      isKeyless: true,
    });
  }
  expect(server.lines).toEqual(["GET /api/tags", "POST /api/show"]);
  await using opened = await models(place, { env: { OLLAMA_BASE_URL: server.url } });
  await opened.ask("ollama/qwen3:8b");
  expect(server.lines).toContain("POST /v1/responses");
  expect(server.seen.every(({ headers }) => !headers.has("authorization"))).toBe(true);
});

test("PM-40 without any variable Ollama is at its usual address", async () => {
  await using place = await workspace();
  await using opened = await models(place, { env: { OLLAMA_BASE_URL: "" } });
  const provider = opened.registry.providers.find(({ id }) => id === "ollama");
  expect(provider?.baseUrl).toBe("http://127.0.0.1:11434/v1");
});

test("PM-42 Ollama's window: the variable, else what it says, else 128000; never told to it", async () => {
  const told = { model_info: { "qwen3.context_length": 40_960, "qwen3.block_count": 36 } };
  for (const [details, length, window] of [
    [told, "8192", 8192],
    [told, "", 40_960],
    [told, "many", 40_960],
    [{}, "", 128_000],
  ] as const) {
    await using server = modelServer(ollama(["m"], details));
    await using place = await workspace();
    const env = { OLLAMA_BASE_URL: server.url, OLLAMA_CONTEXT_LENGTH: length };
    await using opened = await models(place, { env });
    expect((await opened.model("ollama/m")).contextWindow).toBe(window);
    await opened.ask("ollama/m");
    expect(server.seen.map(({ body }) => body).join()).not.toContain("num_ctx");
  }
});

test("what Ollama says its models can do is believed", async () => {
  await using server = modelServer({
    ...ollama(["eyes", "vectors"]),
    "POST /api/show": (body) =>
      Response.json({
        capabilities: body.includes("vectors")
          ? ["embedding"]
          : ["completion", "tools", "vision", "thinking"],
      }),
  });
  await using place = await workspace();
  await using opened = await models(place, { env: { OLLAMA_BASE_URL: server.url } });
  expect(found(await opened.registry.modelsOf("ollama"))).toEqual(["eyes"]);
  expect(await opened.model("ollama/eyes")).toMatchObject({
    reasoning: true,
    input: ["text", "image"],
  });
});

test("ENV-084 PM-43 a llama.cpp server is found and called over Responses", async () => {
  await using server = modelServer({
    "GET /v1/models": { data: [{ id: "gemma.gguf", meta: { n_ctx_train: 32_768 } }, { id: "b" }] },
  });
  await using place = await workspace();
  await using opened = await models(place, { env: { LLAMA_CPP_BASE_URL: server.url } });
  expect(await opened.model("llama.cpp/gemma.gguf")).toMatchObject({
    api: "openai-responses",
    contextWindow: 32_768,
    isKeyless: true,
  });
  expect((await opened.model("llama.cpp/b")).contextWindow).toBe(128_000);
  await opened.ask("llama.cpp/b");
  expect(server.lines).toContain("POST /v1/responses");
});

test("ENV-084 PM-44 LM Studio, or any server like it, is found by its list and called over Completions", async () => {
  await using server = modelServer({
    "GET /some/v1/models": { object: "list", data: [{ id: "a" }, { id: "text-embedding-nomic" }] },
  });
  await using place = await workspace();
  const env = { LM_STUDIO_BASE_URL: `${server.url}/some/v1` };
  await using opened = await models(place, { env });
  expect(await opened.selectors()).toEqual(["lm-studio/a"]);
  expect(await opened.model("lm-studio/a")).toMatchObject({ api: "openai-completions" });
  await opened.ask("lm-studio/a");
  expect(server.lines).toEqual(["GET /some/v1/models", "POST /some/v1/chat/completions"]);
});

test("PM-45 a configured server of the same id is asked, the implicit one never", async () => {
  await using implicit = modelServer(ollama(["implicit"]));
  await using configured = modelServer(ollama(["configured"]));
  await using place = await workspace();
  const env = { OLLAMA_BASE_URL: implicit.url, OLLAMA_HOST: implicit.url };
  const ollamaAt = (more: object) =>
    JSON.stringify({ providers: { ollama: { baseUrl: configured.url, ...more } } });
  await using explicit = await models(place, {
    yaml: ollamaAt({ api: "openai-responses", auth: "none", discovery: { type: "ollama" } }),
    env,
  });
  expect(await explicit.selectors()).toEqual(["ollama/configured"]);
  await using listed = await models(place, {
    yaml: ollamaAt({ api: "openai-responses", auth: "none", models: [{ id: "listed" }] }),
    env,
  });
  expect(await listed.selectors()).toEqual(["ollama/listed"]);
  expect(implicit.seen).toEqual([]);
  expect(configured.lines).toEqual(["GET /api/tags", "POST /api/show"]);
});

const MINE = (url: string, more: object) =>
  JSON.stringify({ providers: { mine: { baseUrl: url, auth: "none", ...more } } });

test("PM-46 openai-models-list reads /models under the address; its models have the given protocol", async () => {
  await using server = modelServer({
    "GET /v1/models": {
      data: [{ id: "a", max_model_len: 9000 }, { id: "b" }, { id: "paint", type: "image" }],
    },
  });
  await using place = await workspace();
  for (const [api, path] of [
    ["openai-completions", "POST /v1/chat/completions"],
    ["openai-responses", "POST /v1/responses"],
  ] as const) {
    await using opened = await models(place, {
      yaml: MINE(`${server.url}/v1`, { api, discovery: { type: "openai-models-list" } }),
    });
    await opened.registry.refresh();
    expect(await opened.selectors()).toEqual(["mine/a", "mine/b"]);
    expect(await opened.model("mine/a")).toMatchObject({ api, contextWindow: 9000 });
    await opened.ask("mine/b");
    expect(server.lines).toContain(path);
  }
});

const PROXIED = {
  "GET /v1/models": {
    data: [
      { id: "both", supported_endpoint_types: ["openai", "anthropic"] },
      { id: "open", supported_endpoint_types: ["openai"] },
      { id: "none", supported_endpoint_types: ["jina-rerank"] },
      { id: "silent" },
    ],
  },
} satisfies Routes;

test("PM-48 PM-49 a proxy tells the protocol of each model; one address reaches both", async () => {
  await using server = modelServer(PROXIED);
  await using place = await workspace();
  const yaml = MINE(`${server.url}/v1`, { discovery: { type: "proxy" } });
  await using opened = await models(place, { yaml });
  const list = await opened.registry.modelsOf("mine");
  expect(list.map(({ id, api }) => `${id} ${api}`)).toEqual([
    "both anthropic-messages",
    "open openai-completions",
  ]);
  await opened.ask("mine/both");
  await opened.ask("mine/open");
  expect(server.lines).toEqual([
    "GET /v1/models",
    "POST /v1/chat/completions",
    "POST /v1/messages",
  ]);
  await using withApi = await models(place, {
    yaml: MINE(`${server.url}/v1`, { api: "openai-responses", discovery: { type: "proxy" } }),
  });
  await withApi.registry.refresh();
  expect((await withApi.model("mine/silent")).api).toBe("openai-responses");
  expect((await withApi.model("mine/none")).api).toBe("openai-responses");
});

test("a proxy's model with a vendor's id has what the vendor says of it, but not its price", async () => {
  const supported_endpoint_types = ["anthropic"];
  await using server = modelServer({
    "GET /v1/models": {
      data: [
        { id: "claude-haiku-4-5", supported_endpoint_types },
        { id: "anthropic/claude-opus-4.5", supported_endpoint_types, context_length: 9000 },
      ],
    },
  });
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: MINE(`${server.url}/v1`, { discovery: { type: "proxy" } }),
  });
  const own = await opened.model("anthropic/claude-haiku-4-5");
  expect(await opened.model("mine/claude-haiku-4-5")).toMatchObject({
    name: "Claude Haiku 4.5",
    contextWindow: own.contextWindow,
    maxTokens: own.maxTokens,
    reasoning: true,
    thinking: own.thinking!,
    input: ["text", "image"],
    prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  });
  expect((await opened.model("mine/anthropic/claude-opus-4.5")).contextWindow).toBe(9000);
});

test("PM-48 a proxy that hangs is given up after ten seconds", async () => {
  await using server = modelServer({ "GET /v1/models": never });
  await using place = await workspace();
  const { clock, pass, isWaiting } = limitClock();
  await using opened = await models(place, {
    yaml: MINE(`${server.url}/v1`, { discovery: { type: "proxy" } }),
    clock,
  });
  let isDone = false;
  const asked = opened.registry.modelsOf("mine").finally(() => (isDone = true));
  await isWaiting;
  pass(9_999);
  await Bun.sleep(50);
  expect(isDone).toBe(false);
  pass(1);
  expect(await asked).toEqual([]);
  expect(opened.registry.problems).toEqual([
    {
      place: `${server.url}/v1`,
      message: "the models of mine could not be listed: no answer in time",
    },
  ]);
});

test("PM-50 PROV-73 servers that hang, lie, redirect or are not there harm nobody and cost a quarter second", async () => {
  await using hanging = modelServer({ "GET /api/tags": never });
  await using lying = modelServer({ "GET /v1/models": () => new Response("<html>") });
  await using moved = modelServer({
    "GET /v1/models": () => Response.redirect("http://127.0.0.1:9/elsewhere"),
  });
  await using odd = modelServer({
    "GET /v1/models": {
      data: [{ id: 7 }, null, "x", { id: "" }, { id: "fine", context_length: -1 }],
    },
  });
  await using place = await workspace();
  const clock = manualClock();
  await using opened = await models(place, {
    yaml: JSON.stringify({
      providers: {
        odd: {
          baseUrl: `${odd.url}/v1`,
          auth: "none",
          api: "openai-completions",
          discovery: { type: "openai-models-list" },
        },
      },
    }),
    env: {
      OLLAMA_BASE_URL: hanging.url,
      LLAMA_CPP_BASE_URL: lying.url,
      LM_STUDIO_BASE_URL: `${moved.url}/v1`,
      ANTHROPIC_API_KEY: "key-000001",
    },
    clock,
  });
  const listed = opened.selectors();
  while (hanging.seen.length === 0) await Bun.sleep(5);
  clock.advance(250);
  const selectors = await listed;
  expect(selectors).toContain("anthropic/claude-haiku-4-5");
  expect(selectors.filter((one) => !one.startsWith("anthropic/"))).toEqual(["odd/fine"]);
  expect((await opened.model("odd/fine")).contextWindow).toBe(128_000);
  // Nobody configured the others: that they are not there is no news.
  expect(opened.registry.problems).toEqual([]);
});

test("PROV-72 vLLM is asked only by those who say that they have it", async () => {
  await using server = modelServer({ "GET /v1/models": { data: [{ id: "v" }] } });
  await using place = await workspace();
  const yaml = JSON.stringify({ providers: { vllm: { baseUrl: `${server.url}/v1` } } });
  await using without = await models(place, { yaml });
  expect(await without.registry.modelsOf("vllm")).toEqual([]);
  expect(server.seen).toEqual([]);
  await using opted = await models(place, { yaml, env: { VLLM_API_KEY: "key-000001" } });
  expect(await opted.selectors()).toEqual(["vllm/v"]);
  await opted.ask("vllm/v");
  expect(server.seen.map(({ headers }) => headers.get("authorization"))).toEqual([
    "Bearer key-000001",
    "Bearer key-000001",
  ]);
});

test("PM-24 configured models replace discovered ones, and overrides hold for all of them", async () => {
  await using server = modelServer({ "GET /v1/models": { data: [{ id: "a" }, { id: "b" }] } });
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: MINE(`${server.url}/v1`, {
      api: "openai-completions",
      discovery: { type: "openai-models-list" },
      headers: { "X-Team": "t" },
      compat: { supportsStore: false },
      disableStrictTools: true,
      models: [{ id: "b", name: "Own" }],
      modelOverrides: { a: { name: "Renamed", contextWindow: 77 } },
    }),
  });
  const list = await opened.registry.modelsOf("mine");
  expect(list.map(({ id, name }) => `${id} ${name}`)).toEqual(["a Renamed", "b Own"]);
  for (const model of list) {
    expect(model).toMatchObject({
      headers: { "X-Team": "t" },
      compat: { supportsStore: false },
      disableStrictTools: true,
    });
  }
  expect(list[0]!.contextWindow).toBe(77);
});

test("provider-level words reach the built-in models", async () => {
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: JSON.stringify({
      providers: {
        anthropic: {
          baseUrl: "http://proxy.test",
          headers: { "X-Team": "t" },
          disableStrictTools: true,
          compat: { supportsStore: true },
        },
      },
    }),
  });
  for (const model of await opened.registry.modelsOf("anthropic")) {
    expect(model).toMatchObject({
      baseUrl: "http://proxy.test",
      headers: { "X-Team": "t" },
      disableStrictTools: true,
      compat: { supportsStore: true },
    });
  }
});

const cacheOf = (home: string) => join(home, ".omp/agent/models.db");

test("what a server said is kept: the next start need not ask, a later one asks again", async () => {
  await using server = modelServer(ollama(["m"]));
  await using place = await workspace();
  const clock = manualClock();
  const env = { OLLAMA_BASE_URL: server.url };
  const list = async () => {
    await using opened = await models(place, { env, clock });
    return found(await opened.registry.modelsOf("ollama"));
  };
  expect(await list()).toEqual(["m"]);
  expect(await list()).toEqual(["m"]);
  expect(server.seen).toHaveLength(2);
  expect(statSync(cacheOf(place.home)).mode & 0o777).toBe(0o600);
  clock.advance(5 * 60 * 1000);
  expect(await list()).toEqual(["m"]);
  expect(server.seen).toHaveLength(4);
});

test("PM-29 a row of an older version is not used", async () => {
  await using server = modelServer(ollama(["new"]));
  await using place = await workspace();
  const env = { OLLAMA_BASE_URL: server.url };
  const list = async () => {
    await using opened = await models(place, { env });
    return found(await opened.registry.modelsOf("ollama"));
  };
  await list();
  using database = new Database(cacheOf(place.home));
  expect(database.query("SELECT version FROM model_cache").get()).toEqual({ version: 3 });
  database.run("UPDATE model_cache SET version = 2, models = '[]'");
  expect(await list()).toEqual(["new"]);
  expect(server.seen).toHaveLength(4);
  database.run("UPDATE model_cache SET models = 'not json'");
  expect(await list()).toEqual(["new"]);
});

test("PM-30 a row of today's catalogue is used as it is; with another catalogue it is merged anew", async () => {
  await using server = modelServer({ "GET /v1/models": { data: [{ id: "told" }] } });
  await using place = await workspace();
  const yaml = JSON.stringify({
    providers: {
      groq: {
        baseUrl: `${server.url}/v1`,
        apiKey: "K",
        api: "openai-completions",
        discovery: { type: "openai-models-list" },
      },
    },
  });
  const list = async () => {
    await using opened = await models(place, { yaml });
    return opened.registry.modelsOf("groq");
  };
  const first = await list();
  const builtIn = found(first).filter((id) => id !== "told");
  expect(found(first)).toEqual([...builtIn, "told"]);
  expect(builtIn.length).toBeGreaterThan(2);
  // A row without the catalogue's models cannot come from a merge: it tells which way was taken.
  using database = new Database(cacheOf(place.home));
  const row = database.query("SELECT models FROM model_cache").get() as { models: string };
  const told = (JSON.parse(row.models) as { id: string }[]).filter(({ id }) => id === "told");
  database.run("UPDATE model_cache SET models = ?", [JSON.stringify(told)]);
  expect(found(await list())).toEqual(["told"]);
  for (const fingerprint of ["another", ""]) {
    database.run("UPDATE model_cache SET static_fingerprint = ?", [fingerprint]);
    expect(found(await list())).toEqual([...builtIn, "told"]);
  }
  expect(server.seen).toHaveLength(1);
});

test("a server that is gone leaves what it said last; a damaged cache is no cache", async () => {
  await using place = await workspace();
  const clock = manualClock();
  let env: Record<string, string>;
  {
    await using server = modelServer(ollama(["m"]));
    env = { OLLAMA_BASE_URL: server.url };
    await using opened = await models(place, { env, clock });
    await opened.registry.modelsOf("ollama");
  }
  clock.advance(60 * 60 * 1000);
  await using later = await models(place, { env, clock });
  expect(found(await later.registry.modelsOf("ollama"))).toEqual(["m"]);
  await place.write("../home/.omp/agent/models.db", "this is no database".repeat(500));
  await using damaged = await models(place, { env, clock });
  expect(await damaged.registry.modelsOf("ollama")).toEqual([]);
});

test("refresh asks again whatever is kept", async () => {
  await using server = modelServer(ollama(["m"]));
  await using place = await workspace();
  await using opened = await models(place, { env: { OLLAMA_BASE_URL: server.url } });
  await opened.registry.modelsOf("ollama");
  await opened.registry.modelsOf("ollama");
  expect(server.seen).toHaveLength(2);
  await opened.registry.refresh();
  expect(found(await opened.registry.modelsOf("ollama"))).toEqual(["m"]);
  expect(server.seen).toHaveLength(4);
});
