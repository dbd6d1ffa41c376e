/** models.yml on the way to requests: keys, headers, overrides, own models. */

import { createCredentialStore } from "../src/vault/credential-store.ts";
import { limitClock, say, scriptedModel, turn, workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { resolveModel } from "../src/model/resolve.ts";
import { createSecretResolver } from "../src/model/secrets-in-config.ts";
import { models, modelServer } from "./model-server.ts";

const answers = (strict = true) => scriptedModel([turn(say("ok"))], { repeatLast: true, strict });
const own = (url: string, more: object, model: object = {}) =>
  JSON.stringify({
    providers: {
      mine: {
        baseUrl: `${url}/v1`,
        api: "openai-completions",
        apiKey: "literal-key-1",
        ...more,
        models: [{ id: "m", ...model }],
      },
    },
  });

test("PM-05 the id in the file is the one for selectors and for stored keys", async () => {
  await using server = modelServer({ "GET /v1/models": { data: [{ id: "x" }] } });
  await using place = await workspace();
  const store = createCredentialStore(join(place.home, ".omp/agent/agent.db"));
  await store.setApiKey("my-provider", "stored-key-0001");
  await using opened = await models(place, {
    yaml: JSON.stringify({
      providers: {
        "my-provider": {
          baseUrl: `${server.url}/v1`,
          api: "openai-completions",
          discovery: { type: "openai-models-list" },
        },
      },
    }),
  });
  const { registry } = opened;
  const choice = await resolveModel("my-provider/x", { registry, environment: {}, roles: {} });
  expect(choice.model).toMatchObject({ provider: "my-provider", id: "x" });
  await opened.ask("my-provider/x");
  for (const line of ["GET /v1/models", "POST /v1/chat/completions"]) {
    const { headers } = server.seen.find((one) => one.line === line)!;
    expect(headers.get("authorization")).toBe("Bearer stored-key-0001");
  }
});

test("PM-07 what the file says of a model is on the model", async () => {
  await using place = await workspace();
  const cost = { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 0.25 };
  const thinking = { mode: "effort", levels: ["low", "high"] };
  const fields = {
    name: "Mine",
    reasoning: true,
    thinking,
    input: ["text", "image"],
    premiumMultiplier: 2,
    contextWindow: 1234,
    maxTokens: 56,
    headers: { "X-A": "a" },
    compat: { supportsStore: true },
    contextPromotionTarget: "mine/larger",
  };
  await using opened = await models(place, {
    yaml: own("http://127.0.0.1:9", {}, { ...fields, cost, api: "anthropic-messages" }),
  });
  expect(await opened.model("mine/m")).toEqual({
    ...fields,
    id: "m",
    provider: "mine",
    api: "anthropic-messages",
    baseUrl: "http://127.0.0.1:9/v1",
    prices: cost,
  } as never);
});

test("PM-08 an id is enough for a model of a keyless provider", async () => {
  await using server = await answers(false);
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: own(server.url, { apiKey: undefined, auth: "none" }, { name: "Named" }),
  });
  expect(await opened.model("mine/m")).toMatchObject({
    name: "Named",
    contextWindow: 128_000,
    maxTokens: 16_384,
    input: ["text"],
    isKeyless: true,
  });
  expect(await opened.selectors()).toContain("mine/m");
  await opened.ask("mine/m");
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]!.turnIndex).toBe(0);
});

test("PM-17 a broken file leaves the built-in models and a readable error", async () => {
  await using place = await workspace();
  await using opened = await models(place, { yaml: "providers:\n  mine: [\n" });
  expect((await opened.registry.modelsOf("anthropic")).length).toBeGreaterThan(3);
  const [problem] = opened.registry.problems;
  expect(problem!.place).toEndWith("models.yml:2");
  expect(problem!.message).toContain("cannot be read");
});

test("PM-18 PM-20 a command tells keys and headers, and runs once for fifty models", async () => {
  await using server = await answers();
  await using place = await workspace();
  const count = "echo x >> runs; echo ' secret-1 '";
  const list = Array.from({ length: 50 }, (_, index) => ({
    id: `m${index}`,
    headers: { "X-Model": `!${count}` },
  }));
  const provider = {
    baseUrl: `${server.url}/v1`,
    api: "openai-completions",
    apiKey: "!echo sk-1; echo noise >&2",
    headers: { "X-Team": `!${count}` },
    models: list,
  };
  await using opened = await models(place, {
    yaml: JSON.stringify({ providers: { mine: provider } }),
  });
  await opened.ask("mine/m7");
  expect(server.requests[0]!.headers).toMatchObject({
    authorization: "Bearer sk-1",
    "x-team": "secret-1",
    "x-model": "secret-1",
  });
  expect(await place.read("runs")).toBe("x\n");
});

test("PM-19 a command that fails, says nothing or hangs leaves its header out", async () => {
  await using server = await answers();
  await using place = await workspace();
  const { clock, pass, isWaiting } = limitClock();
  await using opened = await models(place, {
    yaml: own(server.url, {
      headers: {
        "X-Fails": "!echo no; false",
        "X-Empty": "!true",
        "X-Hangs": "!sleep 60; echo late",
        "X-Fine": "!echo yes",
      },
    }),
    clock,
  });
  const asked = opened.ask("mine/m");
  await isWaiting;
  await Bun.sleep(300);
  expect(server.requests).toHaveLength(0);
  pass(9_999);
  await Bun.sleep(100);
  expect(server.requests).toHaveLength(0);
  pass(1);
  await asked;
  const names = Object.keys(server.requests[0]!.headers).filter((name) => name.startsWith("x-"));
  expect(names).toEqual(["x-fine"]);
});

test("a command that failed is tried again, and its success is kept", async () => {
  const results = [undefined, "", "value", "other"];
  const secrets = createSecretResolver({}, () => Promise.resolve(results.shift()));
  expect(await secrets.key("!c")).toBeUndefined();
  expect(await secrets.key("!c")).toBeUndefined();
  expect(await secrets.key("!c")).toBe("value");
  expect(await secrets.key("!c")).toBe("value");
  expect(results).toEqual(["other"]);
});

test("PM-21 a key is the name of a variable first, else the key itself", async () => {
  await using server = await answers();
  await using place = await workspace();
  const yaml = own(server.url, { apiKey: "MY_KEY" });
  await using exported = await models(place, { yaml, env: { MY_KEY: "!echo not-a-command" } });
  await exported.ask("mine/m");
  await using missing = await models(place, { yaml });
  await missing.ask("mine/m");
  expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer !echo not-a-command",
    "Bearer MY_KEY",
  ]);
});

test("PM-22 authHeader adds the key as a bearer, also where it goes elsewhere", async () => {
  await using server = await answers();
  await using place = await workspace();
  for (const authHeader of [true, false]) {
    await using opened = await models(place, {
      yaml: own(server.url, { api: "anthropic-messages", authHeader }),
    });
    await opened.ask("mine/m");
  }
  const [withBearer, without] = server.requests;
  expect(withBearer!.headers["authorization"]).toBe("Bearer literal-key-1");
  expect(without!.headers["authorization"]).toBeUndefined();
  expect(without!.headers["x-api-key"]).toBe("literal-key-1");
});

test("PM-23 headers of a model replace those of its provider, name by name", async () => {
  await using server = await answers();
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: own(
      server.url,
      { headers: { "X-A": "provider", "X-B": "provider" } },
      { headers: { "X-B": "model" } },
    ),
  });
  await opened.ask("mine/m");
  expect(server.requests[0]!.headers).toMatchObject({ "x-a": "provider", "x-b": "model" });
});

test("PM-25 a model of a known id replaces it, others come after", async () => {
  await using place = await workspace();
  await using plain = await models(place);
  const before = (await plain.registry.modelsOf("openai")).map(({ id }) => id);
  await using opened = await models(place, {
    yaml: JSON.stringify({
      providers: {
        openai: {
          baseUrl: "http://127.0.0.1:9/v1",
          apiKey: "K",
          api: "openai-completions",
          models: [{ id: "gpt-5", name: "Mine", contextWindow: 77 }, { id: "new-one" }],
        },
      },
    }),
  });
  const list = await opened.registry.modelsOf("openai");
  expect(list.map(({ id }) => id)).toEqual([...before, "new-one"]);
  expect(list.find(({ id }) => id === "gpt-5")).toMatchObject({
    name: "Mine",
    contextWindow: 77,
    reasoning: false,
    baseUrl: "http://127.0.0.1:9/v1",
  });
});

test("PM-26 every fact of a built-in model can be overridden, the others stay", async () => {
  await using place = await workspace();
  await using plain = await models(place);
  const before = await plain.model("anthropic/claude-haiku-4-5");
  const said = {
    name: "Corp Haiku",
    reasoning: false,
    thinking: { mode: "budget", levels: ["high"] },
    input: ["text"],
    premiumMultiplier: 3,
    contextWindow: 5000,
    maxTokens: 500,
    headers: { "X-A": "a" },
    compat: { supportsStore: false },
    contextPromotionTarget: "claude-opus-4-5",
  };
  await using opened = await models(place, {
    yaml: JSON.stringify({
      providers: {
        anthropic: { modelOverrides: { "claude-haiku-4-5": { ...said, cost: { input: 9 } } } },
      },
    }),
  });
  expect(await opened.model("anthropic/claude-haiku-4-5")).toEqual({
    ...before,
    ...said,
    prices: { ...before.prices, input: 9 },
  } as never);
  expect(await opened.model("anthropic/claude-opus-4-5")).toEqual(
    await plain.model("anthropic/claude-opus-4-5"),
  );
});

test("PM-27 compat of the model goes over the provider's; free-form parts are merged", async () => {
  await using server = await answers();
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: own(
      server.url,
      {
        compat: {
          extraBody: { a: 1, both: "provider" },
          openRouterRouting: { only: ["x"] },
          maxTokensField: "max_tokens",
        },
      },
      {
        compat: {
          extraBody: { b: 2, both: "model" },
          openRouterRouting: { order: ["y"] },
          maxTokensField: "max_completion_tokens",
        },
      },
    ),
  });
  await opened.ask("mine/m");
  expect(server.requests[0]!.body).toMatchObject({ a: 1, b: 2, both: "model" });
  expect(server.requests[0]!.body).toHaveProperty("max_completion_tokens");
  expect((await opened.model("mine/m")).compat!.openRouterRouting).toEqual({
    only: ["x"],
    order: ["y"],
  });
});

test("PM-28 every model is known; those with a key, or that need none, can be called", async () => {
  await using place = await workspace();
  await using without = await models(place);
  const all = (await without.registry.all()).map(({ provider }) => provider);
  expect(all).toContain("anthropic");
  expect((await without.selectors()).filter((one) => one.startsWith("anthropic/"))).toEqual([]);
  await using withKey = await models(place, { env: { ANTHROPIC_API_KEY: "key-000001" } });
  expect(await withKey.selectors()).toContain("anthropic/claude-haiku-4-5");
});

test("PM-99 a provider without keys is sent none", async () => {
  await using server = await answers();
  await using place = await workspace();
  for (const api of ["openai-completions", "anthropic-messages"]) {
    await using opened = await models(place, {
      yaml: own(server.url, { apiKey: undefined, auth: "none", api }),
      env: { OPENAI_API_KEY: "key-0000001", ANTHROPIC_API_KEY: "key-0000002" },
    });
    await opened.ask("mine/m");
  }
  expect(server.requests).toHaveLength(2);
  for (const { headers } of server.requests) {
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("x-api-key");
  }
});

test("an address in the file wins over the variable and over every address of a model", async () => {
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: JSON.stringify({ providers: { "opencode-zen": { baseUrl: "http://proxy.test/v1/" } } }),
    env: { OPENCODE_BASE_URL: "http://other.test" },
  });
  const addresses = new Set(
    (await opened.registry.modelsOf("opencode-zen")).map(({ baseUrl }) => baseUrl),
  );
  expect([...addresses]).toEqual(["http://proxy.test/v1"]);
});
