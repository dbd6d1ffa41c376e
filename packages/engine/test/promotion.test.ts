/** A conversation that outgrows its model goes on with a larger one. */

import { fail, say, turn, type TurnSource } from "@omp/testkit";
import { expect, test } from "bun:test";
import { facts, vendor } from "./shelf.ts";
import { house, stage, type StageOptions } from "./stage.ts";

const tooLong = fail(400, {
  body: { error: { code: "context_length_exceeded", message: "too long" } },
});
const windows = [
  facts("small"),
  facts("large", { contextWindow: 1_000_000 }),
  facts("medium", { contextWindow: 300_000 }),
];

async function run(turns: TurnSource[], options: StageOptions = {}) {
  await using set = await stage(turns);
  const extraProviders = options.extraProviders ?? [house(...windows)];
  await using booted = await set.boot({
    model: { model: "house/small" },
    ...options,
    extraProviders,
  });
  const result = await booted.prompt("go");
  const config = await set.place.read("../home/.omp/agent/config.yml");
  return {
    result,
    config,
    models: set.model.requests.map(({ body }) => (body as { model: string }).model),
    notices: booted.events.filter(({ type }) => type === "notice"),
    snapshot: booted.engine.snapshot().model,
    entries: await set.entries(),
  };
}

test("PM-65 PM-70 an overflow goes on with a larger model: no compaction, for this session only", async () => {
  const { result, models, entries, config, snapshot, notices } = await run([
    tooLong,
    turn(say("it fits")),
  ]);
  expect(result).toMatchObject({ stopReason: "stop", text: "it fits" });
  expect(models).toEqual(["small", "medium"]);
  expect(snapshot).toMatchObject({ provider: "house", id: "medium" });
  expect(notices).toHaveLength(1);
  expect(entries.map(({ type }) => type)).not.toContain("compaction");
  expect(entries.filter(({ type }) => type === "model_change")).toEqual([
    expect.objectContaining({ model: "house/small" }),
    expect.objectContaining({ model: "house/medium", role: "temporary" }),
  ]);
  expect(config).not.toContain("medium");
});

test("the next larger one, until none is left; then the failure is told", async () => {
  const { result, models } = await run([tooLong, tooLong, tooLong]);
  expect(models).toEqual(["small", "medium", "large"]);
  expect(result.stopReason).toBe("error");
});

test("SET-035 contextPromotion.enabled false: the overflow is final", async () => {
  const { result, models } = await run([tooLong, turn(say("never"))], {
    config: "contextPromotion: { enabled: false }\n",
  });
  expect(models).toEqual(["small"]);
  expect(result.stopReason).toBe("error");
});

test("PM-67 a target without a key is passed over", async () => {
  const start = [facts("small", { contextPromotionTarget: "other/huge" }), windows[2]!];
  const extraProviders = [house(...start), vendor("other", ["huge"], { baseUrlEnv: "HOUSE_URL" })];
  const turns = [tooLong, turn(say("ok"))];
  const without = await run(turns, { extraProviders });
  expect(without.models).toEqual(["small", "medium"]);
  const given = await run(turns, { extraProviders, env: { OTHER_KEY: "other-key-000001" } });
  expect(given.models).toEqual(["small", "huge"]);
});

test("models that name each other do not go round in a circle", async () => {
  const circle = [
    facts("small", { contextPromotionTarget: "even" }),
    facts("even", { contextPromotionTarget: "small" }),
  ];
  const extraProviders = [house(...circle)];
  const { models } = await run([tooLong, tooLong, tooLong], { extraProviders });
  expect(models).toEqual(["small", "even"]);
});
