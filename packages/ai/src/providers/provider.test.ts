/** The providers as data, and models made from them. */

import { expect, test } from "bun:test";
import { catalogOf } from "../catalog/index.ts";
import { isProtocolId } from "../protocols/registry.ts";
import { modelOf, type Provider } from "./provider.ts";
import { providers } from "./registry.ts";

const [anthropic, openai] = providers as [Provider, Provider];

test("a listed model has its facts, its provider's address and protocol", () => {
  expect(modelOf(anthropic, "claude-haiku-4-5", {})).toEqual({
    provider: "anthropic",
    id: "claude-haiku-4-5",
    name: "Claude Haiku 4.5",
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    contextWindow: 200_000,
    maxTokens: 64_000,
    reasoning: true,
    input: ["text", "image"],
    prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  });
});

test("the environment replaces the address; an empty variable does not", () => {
  const url = "http://127.0.0.1:9";
  expect(modelOf(anthropic, "x", { ANTHROPIC_BASE_URL: url }).baseUrl).toBe(url);
  expect(modelOf(openai, "x", { OPENAI_BASE_URL: "" }).baseUrl).toBe("https://api.openai.com/v1");
});

test("a dated id is its model, an unknown id gets safe numbers", () => {
  expect(modelOf(openai, "gpt-4.1-2025-04-14", {})).toMatchObject({
    id: "gpt-4.1-2025-04-14",
    contextWindow: 1_047_576,
  });
  expect(modelOf(openai, "gpt-99", {})).toMatchObject({
    id: "gpt-99",
    name: "gpt-99",
    maxTokens: 16_384,
    input: ["text"],
  });
});

test("a provider without key variables asks for no key", () => {
  expect(modelOf({ ...openai, keyEnv: [] }, "x", {}).isKeyless).toBe(true);
  expect(modelOf(openai, "x", {})).not.toHaveProperty("isKeyless");
});

test("a model speaks the protocol of its prefix, unless it says another", () => {
  const gateway = { ...openai, apiByPrefix: { "anthropic/": "anthropic-messages" } } as const;
  expect(modelOf(gateway, "anthropic/claude", {}).api).toBe("anthropic-messages");
  expect(modelOf(gateway, "meta/llama", {}).api).toBe("openai-responses");
});

test("ids are used once", () => {
  const ids = providers.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(providers.map((provider) => [provider.id, provider] as const))(
  "%s is complete",
  (_id, provider) => {
    expect(isProtocolId(provider.api)).toBe(true);
    expect(URL.canParse(provider.baseUrl)).toBe(true);
    const hasDefault = provider.defaultModel ?? provider.models[0] ?? provider.discovery;
    expect(hasDefault).toBeDefined();
    for (const model of provider.models) {
      expect(model.maxTokens).toBeLessThan(model.contextWindow);
      const { input, output, cacheRead } = model.prices;
      if (output > 0)
        expect([cacheRead, input, output]).toEqual(
          [cacheRead, input, output].sort((a, b) => a - b),
        );
    }
  },
);

test("a default model is one that its catalogue or its own list has", async () => {
  for (const { id, defaultModel, models } of providers) {
    const listed = [...models, ...(await catalogOf(id))].map((model) => model.id);
    if (defaultModel && listed.length > 0)
      expect({ id, listed }).toEqual({ id, listed: expect.arrayContaining([defaultModel]) });
  }
});
