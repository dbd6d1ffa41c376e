/** Models of several providers under one official id, and providers that are switched off. */

import { workspace } from "@omp/testkit";
import { expect, test } from "bun:test";
import { models, modelServer } from "./model-server.ts";

const OPUS = "claude-opus-4-6";
const KEYS = { ANTHROPIC_API_KEY: "key-000001", OPENROUTER_API_KEY: "key-000002" };
const selectors = (list: readonly { provider: string; id: string }[]) =>
  list.map(({ provider, id }) => `${provider}/${id}`);

test("PM-04 PM-33 PM-37 every model stays; one official id groups variants, by word and without exceptions", async () => {
  await using place = await workspace();
  await using opened = await models(place, {
    yaml: JSON.stringify({
      providers: {
        mine: {
          baseUrl: "http://127.0.0.1:9",
          apiKey: "K",
          api: "openai-completions",
          models: [{ id: "codex" }, { id: "codex-preview" }, { id: OPUS }, { id: "odd" }],
        },
      },
      equivalence: {
        overrides: { "mine/codex": "gpt-5.3-codex", "mine/codex-preview": "gpt-5.3-codex" },
        exclude: ["mine/codex-preview"],
      },
    }),
    env: KEYS,
  });
  const { registry } = opened;
  expect(selectors(await registry.modelsOf("mine"))).toEqual([
    "mine/codex",
    "mine/codex-preview",
    `mine/${OPUS}`,
    "mine/odd",
  ]);
  expect(selectors(await registry.variantsOf("gpt-5.3-codex"))).toContain("mine/codex");
  expect(selectors(await registry.variantsOf("gpt-5.3-codex"))).not.toContain("mine/codex-preview");
  expect(selectors(await registry.variantsOf(OPUS))).toEqual([
    `anthropic/${OPUS}`,
    "openrouter/anthropic/claude-opus-4.6",
    `mine/${OPUS}`,
  ]);
  const all = await registry.all();
  const grouped = all.map((model) => registry.canonicalOf(model));
  expect(grouped.filter((id) => id === OPUS).length).toBeGreaterThan(3);
  expect(registry.canonicalOf(await opened.model("mine/odd"))).toBe("odd");
  expect(registry.canonicalOf(await opened.model("mine/codex-preview"))).toBeUndefined();
});

test("PM-38 variants: without a key none, then the order of the settings, then of the registry", async () => {
  await using place = await workspace();
  const variants = async (env: Record<string, string>, modelProviderOrder: readonly string[]) => {
    await using opened = await models(place, { env, modelProviderOrder });
    return selectors(await opened.registry.variantsOf(OPUS));
  };
  const direct = `anthropic/${OPUS}`;
  const routed = "openrouter/anthropic/claude-opus-4.6";
  expect(await variants(KEYS, [])).toEqual([direct, routed]);
  expect(await variants(KEYS, ["openrouter", "anthropic"])).toEqual([routed, direct]);
  expect(await variants(KEYS, ["openrouter"])).toEqual([routed, direct]);
  expect(await variants({ OPENROUTER_API_KEY: "key-000002" }, ["anthropic"])).toEqual([routed]);
  // Nobody has a key: whoever asked hears which one is missing.
  expect((await variants({}, []))[0]).toBe(direct);
});

test("PM-61 models of a disabled provider are not there, not even with a key", async () => {
  await using place = await workspace();
  await using opened = await models(place, { env: KEYS, disabledProviders: ["anthropic"] });
  const { registry } = opened;
  expect(registry.providers.some(({ id }) => id === "anthropic")).toBe(false);
  expect((await opened.selectors()).filter((one) => one.startsWith("anthropic/"))).toEqual([]);
  expect(selectors(await registry.variantsOf(OPUS))).toEqual([
    "openrouter/anthropic/claude-opus-4.6",
  ]);
  await using elsewhere = await models(place, {
    env: KEYS,
    disabledProviders: [{ path: "~/work", providers: ["anthropic"] }],
  });
  expect(await elsewhere.selectors()).toContain(`anthropic/${OPUS}`);
});

test("an official id asks no server of one's own; what that had last time counts", async () => {
  await using server = modelServer({
    "GET /api/tags": { models: [{ name: OPUS }] },
    "POST /api/show": {},
  });
  await using place = await workspace();
  const env = { ...KEYS, OLLAMA_BASE_URL: server.url };
  await using first = await models(place, { env });
  expect(selectors(await first.registry.variantsOf(OPUS))).not.toContain(`ollama/${OPUS}`);
  expect(server.seen).toEqual([]);
  await first.registry.modelsOf("ollama");
  await using second = await models(place, { env });
  expect(selectors(await second.registry.variantsOf(OPUS))).toContain(`ollama/${OPUS}`);
  expect(server.seen).toHaveLength(2);
});

test("one provider's models load no other's: a server is not asked, a catalogue not opened", async () => {
  await using server = modelServer({ "GET /api/tags": { models: [] } });
  await using place = await workspace();
  await using opened = await models(place, { env: { ...KEYS, OLLAMA_BASE_URL: server.url } });
  expect((await opened.registry.modelsOf("anthropic")).length).toBeGreaterThan(3);
  expect(await opened.registry.modelsOf("nobody")).toEqual([]);
  expect(server.seen).toEqual([]);
});
