import { expect, test } from "bun:test";
import { isProtocolId } from "../protocols/registry.ts";
import { modelFrom } from "../providers/provider.ts";
import { providers } from "../providers/registry.ts";
import { catalogOf, catalogProviders, defaultFactsOf, officialIds } from "./index.ts";

test.each([...catalogProviders])("the catalogue of %s is sound", async (id) => {
  const models = await catalogOf(id);
  expect(models.length).toBeGreaterThan(0);
  expect(new Set(models.map((model) => model.id)).size).toBe(models.length);
  for (const model of models) {
    expect(isProtocolId(model.api!)).toBe(true);
    expect(model.name).not.toBe("");
    expect(model.contextWindow).toBeGreaterThan(0);
    expect(model.maxTokens).toBeGreaterThan(0);
    expect(Object.values(model.prices).every((price) => price >= 0)).toBe(true);
    // Nobody else's name is used: what a source sends along stays there.
    expect(model.headers).toBeUndefined();
    if (model.thinking) expect(model.thinking.levels.length).toBeGreaterThan(0);
  }
});

test("there are more than a thousand models, and a provider without a catalogue has none", async () => {
  const all = await Promise.all(catalogProviders.map(catalogOf));
  expect(all.flat().length).toBeGreaterThan(1200);
  expect(await catalogOf("nobody")).toEqual([]);
  expect(await catalogOf("toString")).toEqual([]);
});

test("every model of a known provider has an address, its provider's where that names one", async () => {
  for (const provider of providers) {
    for (const facts of await catalogOf(provider.id)) {
      const { baseUrl, api } = modelFrom(provider, facts, {});
      if (provider.api === api && facts.baseUrl === undefined) continue;
      expect(`${provider.id}/${facts.id} ${baseUrl}`).toMatch(/ https?:\/\/[\w.-]+/);
      if (provider.baseUrls?.[api as "openai-completions"]) expect(facts.baseUrl).toBeUndefined();
    }
  }
});

test("facts arrive as they are in the data", async () => {
  const models = await catalogOf("anthropic");
  expect(models.find(({ id }) => id === "claude-opus-4-5")).toEqual({
    id: "claude-opus-4-5",
    name: "Claude Opus 4.5",
    api: "anthropic-messages",
    contextWindow: 200_000,
    maxTokens: 64_000,
    reasoning: true,
    thinking: { mode: "budget", levels: ["minimal", "low", "medium", "high"] },
    input: ["text", "image"],
    prices: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  });
});

test("official ids are those of the vendors' own APIs", async () => {
  const ids = await officialIds();
  expect(ids.get("claude-opus-4-6")).toBe("anthropic");
  expect(ids.get("gpt-5.3-codex")).toBe("openai");
  expect([...ids.keys()].filter((id) => id.includes("/"))).toEqual([]);
});

test("the default models are known without their catalogues, just as those have them", async () => {
  for (const { id, defaultModel, models } of providers) {
    const wanted = defaultModel ?? models[0]?.id;
    const listed = (await catalogOf(id)).find((model) => model.id === wanted);
    expect(await defaultFactsOf(id)).toEqual(listed);
  }
  expect(await defaultFactsOf("toString")).toBeUndefined();
});
