import { modelFrom, type ModelFacts } from "@omp/ai";
import { expect, test } from "bun:test";
import { facts, vendor } from "../../test/shelf.ts";
import { promotionTargets, withPromotionTargets } from "./promotion.ts";

const listOf = (provider: string, models: readonly ModelFacts[]) => {
  const owner = vendor(provider, models);
  return withPromotionTargets(models.map((model) => modelFrom(owner, model, {})));
};
const ids = (models: readonly { readonly id: string }[]) => models.map(({ id }) => id);

test("PM-67 the model's own target, then larger windows of the same provider and api, smallest first", () => {
  const models = listOf("acme", [
    facts("small", { contextPromotionTarget: "huge" }),
    facts("huge", { contextWindow: 1_000_000 }),
    facts("large", { contextWindow: 200_000 }),
    facts("other-wire", { contextWindow: 150_000, api: "openai-responses" }),
    facts("tiny", { contextWindow: 10_000 }),
  ]);
  expect(ids(promotionTargets(models[0]!, models))).toEqual(["huge", "large"]);
  expect(ids(promotionTargets(models[4]!, models))).toEqual(["small", "large", "huge"]);
  expect(promotionTargets(models[1]!, models)).toEqual([]);
});

test("PM-68 a target is provider/id, or an id of the same provider", () => {
  const promoted = (contextPromotionTarget: string) => {
    const models = listOf("openai-codex", [
      facts("gpt-x", { contextPromotionTarget }),
      facts("gpt-5.4"),
    ]);
    return promotionTargets(models[0]!, models).map(({ provider, id }) => `${provider}/${id}`);
  };
  expect(promoted("openai-codex/gpt-5.4")).toEqual(["openai-codex/gpt-5.4"]);
  expect(promoted("gpt-5.4")).toEqual(["openai-codex/gpt-5.4"]);
  expect(promoted("gpt-x")).toEqual([]);
});

test("PM-69 codex-spark leads to gpt-5.5 and that to gpt-5.4, where they are on the same provider and api", () => {
  const targets = (models: readonly ModelFacts[]) =>
    Object.fromEntries(
      listOf("openai-codex", models).map(({ id, contextPromotionTarget }) => [
        id,
        contextPromotionTarget,
      ]),
    );
  const spark = facts("gpt-5.3-codex-spark");
  expect(targets([spark, facts("gpt-5.5"), facts("gpt-5.4")])).toEqual({
    "gpt-5.3-codex-spark": "gpt-5.5",
    "gpt-5.5": "gpt-5.4",
    "gpt-5.4": undefined,
  });
  expect(targets([spark, facts("gpt-5.5")])["gpt-5.5"]).toBeUndefined();
  expect(targets([spark, facts("gpt-5.5", { api: "openai-responses" })])).toMatchObject({
    "gpt-5.3-codex-spark": undefined,
  });
});
