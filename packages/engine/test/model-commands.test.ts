/** The model and its thinking, changed while a session is open. */

import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { restoreModel } from "../src/model/restore.ts";
import { facts, vendor } from "./shelf.ts";
import { house, stage } from "./stage.ts";

const dull = facts("dull", { reasoning: false });
const clever = facts("clever", {
  thinking: { mode: "effort", levels: ["low", "medium", "high"] },
});
const nokey = vendor("closed", ["x"]);

test("RPC-17 RPC-31 a known model is set, recorded and told; an unknown one is refused in these words", async () => {
  await using set = await stage([turn(say("hi")), turn(say("ho"))]);
  await using booted = await set.boot({
    model: { model: "house/a" },
    extraProviders: [house("a", "b"), nokey],
  });
  const { engine } = booted;
  await booted.prompt("go");
  const wanted = { type: "set_model", provider: "house", modelId: "b" } as const;
  expect(await engine.dispatch(wanted)).toMatchObject({ provider: "house", id: "b" });
  expect(engine.snapshot().model).toMatchObject({ id: "b" });
  expect(booted.events.at(-1)).toMatchObject({ type: "model_change", model: { id: "b" } });
  await booted.prompt("go on");
  expect(set.model.requests[1]!.body).toMatchObject({ model: "b" });
  const changes = (await set.entries()).flatMap(({ type, model }) =>
    type === "model_change" ? [model] : [],
  );
  expect(changes).toEqual(["house/a", "house/b"]);

  const refused = (provider: string, modelId: string) =>
    engine.dispatch({ type: "set_model", provider, modelId }).catch((error) => error);
  expect(await refused("p", "m")).toMatchObject({ message: "Model not found: p/m" });
  expect(await refused("house", "m")).toMatchObject({ message: "Model not found: house/m" });
  expect(await refused("closed", "x")).toMatchObject({ kind: "no-key" });
  expect(engine.snapshot().model).toMatchObject({ id: "b" });
  const listed = await engine.dispatch({ type: "list_models" });
  expect(listed.some(({ provider }) => provider === "house")).toBe(true);
  expect(listed.some(({ provider }) => provider === "closed")).toBe(false);
});

test("RPC-31 cycling goes through the scope and round; each may bring its thinking level", async () => {
  await using set = await stage([]);
  await using booted = await set.boot({
    model: { models: ["house/clever:low", "house/dull", "house/c"] },
    extraProviders: [house(clever, dull, "c", "unscoped")],
  });
  const { engine } = booted;
  const cycle = async (direction?: "forward" | "backward") => {
    const next = await engine.dispatch({ type: "cycle_model", ...(direction && { direction }) });
    return next && `${next.model.id} ${next.thinkingLevel} ${next.isScoped}`;
  };
  expect(engine.snapshot()).toMatchObject({ model: { id: "clever" }, thinkingLevel: "low" });
  expect(await cycle()).toBe("dull off true");
  expect(await cycle()).toBe("c low true");
  expect(await cycle()).toBe("clever low true");
  expect(await cycle("backward")).toBe("c low true");

  await using single = await set.boot({
    model: { models: ["house/only"] },
    extraProviders: [house("only", "other")],
  });
  expect(await single.engine.dispatch({ type: "cycle_model" })).toBeUndefined();
});

test("RPC-32 a level is made to fit the model, recorded, and kept for a model that can do it", async () => {
  await using set = await stage([turn(say("hi"))]);
  await using booted = await set.boot({
    model: { model: "house/clever:low" },
    extraProviders: [house(clever, dull)],
  });
  const { engine } = booted;
  const setLevel = (level: "off" | "xhigh" | "medium") =>
    engine.dispatch({ type: "set_thinking_level", level });
  expect(await setLevel("xhigh")).toBe("high");
  expect(await setLevel("medium")).toBe("medium");
  const wrong = { type: "set_thinking_level", level: "huge" } as never;
  expect(await engine.dispatch(wrong).catch((error) => error)).toMatchObject({ kind: "bad-input" });
  const cycled: unknown[] = [];
  for (let step = 0; step < 4; step++) {
    cycled.push(await engine.dispatch({ type: "cycle_thinking_level" }));
  }
  expect(cycled).toEqual(["high", "off", "low", "medium"]);
  await engine.dispatch({ type: "set_model", provider: "house", modelId: "dull" });
  expect(engine.snapshot().thinkingLevel).toBe("off");
  expect(await engine.dispatch({ type: "cycle_thinking_level" })).toBeUndefined();
  await engine.dispatch({ type: "set_model", provider: "house", modelId: "clever" });
  expect(engine.snapshot().thinkingLevel).toBe("medium");
  await booted.prompt("go");
  const levels = (await set.entries()).flatMap(({ type, thinkingLevel }) =>
    type === "thinking_level_change" ? [thinkingLevel] : [],
  );
  expect(levels.at(-1)).toBe("medium");
});

test("SOP-39 a session whose model is gone goes on with another, and a message names both", async () => {
  await using set = await stage([turn(say("one")), turn(say("two")), turn(say("three"))]);
  let path: string;
  {
    await using first = await set.boot({
      model: { model: "house/gone" },
      extraProviders: [house("gone")],
    });
    await first.prompt("go");
    path = first.engine.snapshot().session.file!;
  }
  const extraProviders = [{ ...house("a"), id: "shop" }];
  const text = "The session's model house/gone is not known any more; shop/a goes on with it.";
  {
    await using resumed = await set.boot({
      session: { kind: "continue" },
      model: { models: ["shop/a"] },
      extraProviders,
    });
    expect(set.notices).toEqual([{ level: "warning", text }]);
    expect(await resumed.prompt("again")).toMatchObject({ text: "two" });
    expect(set.model.requests[1]!.body).toMatchObject({ model: "a" });
  }
  await using fresh = await set.boot({ model: { model: "shop/a" }, extraProviders });
  await fresh.engine.dispatch({ type: "switch_session", path });
  expect(await fresh.prompt("once more")).toMatchObject({ text: "three" });
  expect(set.model.requests[2]!.body).toMatchObject({ model: "a" });
});

test("what a session used is restored; a model that is gone is told with the one that goes on", async () => {
  const { shelf } = await import("./shelf.ts");
  const { ActiveModel } = await import("../src/model/active-model.ts");
  const { registry, vault } = shelf([vendor("house", ["a", "b"]), nokey], { keys: ["house"] });
  const proofs = { signerOf: () => undefined, fetchOf: () => Promise.resolve(undefined) };
  const model = (await registry.modelsOf("house"))[0]!;
  const active = await ActiveModel.create(
    { model, apiKey: "k" },
    { registry, vault, proofs, thinking: "high" },
  );
  const told: string[] = [];
  const deps = {
    registry,
    environment: {},
    roles: {},
    active,
    tell: ({ text }: { text: string }) => void told.push(text),
  };
  await restoreModel({ model: "house/b", thinkingLevel: "low" }, deps);
  expect([active.selector, active.thinking, told]).toEqual(["house/b", "low", []]);
  await restoreModel({ model: "closed/x", thinkingLevel: null }, deps);
  await restoreModel({ model: "nobody/y" }, deps);
  expect([active.selector, active.thinking]).toEqual(["house/b", "off"]);
  expect(told).toEqual([
    "The session's model closed/x is not available now; house/b goes on with it.",
    "The session's model nobody/y is not available now; house/b goes on with it.",
  ]);
});
