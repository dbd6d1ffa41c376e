/** The chosen model in requests and session files. */

import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { facts, vendor } from "./shelf.ts";
import { house, stage } from "./stage.ts";

const LEVELS = ["minimal", "low", "medium", "high", "xhigh"] as const;

test("PM-39 the session names the provider and model that ran, whatever the selector was", async () => {
  await using set = await stage([turn(say("hi"))]);
  await using booted = await set.boot({ model: { model: "claude-haiku-4-5" } });
  await booted.prompt("go");
  const entries = await set.entries();
  expect(entries.find(({ type }) => type === "model_change")).toMatchObject({
    model: "anthropic/claude-haiku-4-5",
  });
  expect(entries.find(({ message }) => isAnswer(message))).toMatchObject({
    message: { provider: "anthropic", model: "claude-haiku-4-5", api: "anthropic-messages" },
  });
});

const isAnswer = (message: unknown) => (message as { role?: string })?.role === "assistant";

test("ENV-105 roles of flags stand above the environment's, those above the settings'", async () => {
  const config = "modelRoles: { smol: house/c, slow: house/c, plan: house/c, task: house/c }\n";
  const env = { PI_SMOL_MODEL: "house/b", PI_SLOW_MODEL: "house/b" };
  for (const [model, expected] of [
    ["smol", "a"],
    ["slow", "b"],
    ["plan", "c"],
    ["pi/task", "c"],
  ] as const) {
    await using set = await stage([turn(say("hi"))]);
    await using booted = await set.boot({
      model: { model, roles: { smol: "house/a" } },
      extraProviders: [house("a", "b", "c")],
      config,
      env,
    });
    expect(booted.engine.snapshot().model).toMatchObject({ provider: "house", id: expected });
    expect(await set.place.read("../home/.omp/agent/config.yml")).toBe(config);
  }
});

test("a resumed session keeps its model and its thinking level", async () => {
  await using set = await stage([turn(say("one")), turn(say("two"))]);
  const extraProviders = [house("a", "b")];
  {
    await using first = await set.boot({
      model: { model: "house/b:low" },
      extraProviders,
    });
    await first.prompt("go");
  }
  await using second = await set.boot({
    session: { kind: "continue" },
    model: { models: ["house/a"] },
    extraProviders,
  });
  await second.prompt("go on");
  expect(second.engine.snapshot().model).toMatchObject({ provider: "house", id: "b" });
  const levels = (await set.entries()).filter(({ type }) => type === "thinking_level_change");
  expect(levels).toEqual([expect.objectContaining({ thinkingLevel: "low" })]);
});

test("enabledModels gives the first model where no flag does; what fits nothing is told", async () => {
  await using set = await stage([]);
  await using booted = await set.boot({
    extraProviders: [house("a", "b")],
    config: "enabledModels: [nobody/*, house/b]\n",
  });
  expect(booted.engine.snapshot().model).toMatchObject({ provider: "house", id: "b" });
  expect(set.notices).toEqual([
    { level: "warning", text: 'No model with a key matches "nobody/*".' },
  ]);
});

/** A model that is told a number of tokens to think. */
const thinker = vendor(
  "house",
  [facts("thinks", { maxTokens: 64_000, thinking: { mode: "budget", levels: LEVELS } })],
  { api: "anthropic-messages", baseUrlEnv: "HOUSE_ROOT" },
);

async function budget(model: string, config = "") {
  await using set = await stage([turn(say("hi"))]);
  const env = { HOUSE_ROOT: set.model.url };
  await using booted = await set.boot({
    model: { model },
    extraProviders: [thinker],
    env,
    config,
  });
  await booted.prompt("go");
  const { thinking } = set.model.requests[0]!.body as { thinking?: { budget_tokens?: number } };
  return thinking?.budget_tokens;
}

test("SET-009 a new session thinks as the setting says, high unless it is set", async () => {
  expect(await budget("house/thinks")).toBe(16_384);
  expect(await budget("house/thinks", "defaultThinkingLevel: low\n")).toBe(2048);
  expect(await budget("house/thinks", 'defaultThinkingLevel: "off"\n')).toBeUndefined();
});

test("SET-011 SET-012 SET-013 SET-014 SET-015 each level has its number of tokens, which settings change", async () => {
  const usual = { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 32_768 };
  for (const level of LEVELS) {
    expect(await budget(`house/thinks:${level}`)).toBe(usual[level]);
    const config = `thinkingBudgets: { ${level}: ${usual[level] + 7} }\n`;
    expect(await budget(`house/thinks:${level}`, config)).toBe(usual[level] + 7);
  }
});
