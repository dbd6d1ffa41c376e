/** Selectors, roles and scopes against a fixed shelf of models. */

import { expect, test } from "bun:test";
import { facts, shelf, vendor, type ShelfOptions } from "../../test/shelf.ts";
import { resolveModel, resolveScope, type ModelChoice } from "./resolve.ts";
import type { Roles } from "./roles.ts";

const providers = [
  vendor("acme", ["nova-4-5", "nova-5", "nova-5-mini", "nova-5-20260101", "spruce"]),
  vendor("mill", ["acme/nova-5", "nova-5", "grain:7b", "grain:high"]),
  vendor("twin", [facts("official-one", { name: "The Grand Piano" }), "spruce", "twin-1"]),
];
const official = {
  "acme/nova-5": "nova-5",
  "mill/nova-5": "nova-5",
  "mill/acme/nova-5": "nova-5",
  "acme/spruce": "official-one",
};
const keys = ["acme", "mill", "twin"];

const shown = ({ model, thinking }: ModelChoice) =>
  `${model.provider}/${model.id}${thinking ? ` at ${thinking}` : ""}`;

async function resolve(text: string, options: ShelfOptions = {}, roles: Roles = {}) {
  const { registry } = shelf(providers, { keys, official, ...options });
  return shown(await resolveModel(text, { registry, environment: {}, roles }));
}

async function scope(patterns: string[], options: ShelfOptions = {}) {
  const { registry } = shelf(providers, { keys, official, ...options });
  const found = await resolveScope(patterns, { registry, environment: {}, roles: {} });
  return { models: found.choices.map(shown), unmatched: found.unmatched };
}

test("PM-51 provider/id, official id, bare id, words and globs each find their model", async () => {
  expect(await resolve("mill/nova-5")).toBe("mill/nova-5");
  expect(await resolve("nova-5")).toBe("acme/nova-5");
  expect(await resolve("twin-1")).toBe("twin/twin-1");
  expect(await resolve("mini")).toBe("acme/nova-5-mini");
  expect(await resolve("grand piano")).toBe("twin/official-one");
  expect((await scope(["twin/*", "*mini*"])).models).toEqual([
    "twin/official-one",
    "twin/spruce",
    "twin/twin-1",
    "acme/nova-5-mini",
  ]);
});

test("PM-52 a thinking level may follow; colons of the id's own stay", async () => {
  for (const level of ["off", "minimal", "low", "medium", "high", "xhigh"]) {
    expect(await resolve(`acme/nova-5:${level}`)).toBe(`acme/nova-5 at ${level}`);
  }
  expect(await resolve("nova-5:low")).toBe("acme/nova-5 at low");
  expect(await resolve("mini:high")).toBe("acme/nova-5-mini at high");
  expect(await resolve("grain:7b")).toBe("mill/grain:7b");
  expect(await resolve("mill/grain:7b:low")).toBe("mill/grain:7b at low");
  expect(await resolve("grain:high")).toBe("mill/grain:high");
  expect(await resolve("mill/grain:high")).toBe("mill/grain:high");
  expect((await scope(["twin/*:low"])).models[0]).toBe("twin/official-one at low");
});

test("PM-53 exact provider/id, then official id, then bare id, then words", async () => {
  // `acme/nova-5` is also a bare id of mill.
  expect(await resolve("acme/nova-5")).toBe("acme/nova-5");
  // `official-one` is the bare id of twin's model and the official one of acme's.
  expect(await resolve("official-one")).toBe("acme/spruce");
  // `spruce` has no group of its own: the bare id of a provider with a key.
  expect(await resolve("spruce", { keys: ["twin"] })).toBe("twin/spruce");
  // `nova-4` is no id at all.
  expect(await resolve("nova-4")).toBe("acme/nova-4-5");
});

test("words find the newest undated model that there is a key for", async () => {
  expect(await resolve("nova")).toBe("acme/nova-5");
  expect(await resolve("nova", { keys: ["mill"] })).toBe("mill/nova-5");
  expect(await resolve("mill/nova")).toBe("mill/nova-5");
});

test("an id nobody lists is asked of the provider that is named; a dated one is its model", async () => {
  expect(await resolve("acme/nova-4")).toBe("acme/nova-4");
  expect(await resolve("twin/a-model-of-tomorrow:low")).toBe("twin/a-model-of-tomorrow at low");
  const { registry } = shelf(providers, { keys, official });
  const deps = { registry, environment: {}, roles: {} };
  const { model } = await resolveModel("twin/twin-1-20260202", deps);
  expect(model).toMatchObject({ id: "twin-1-20260202", contextWindow: 100_000, reasoning: true });
});

test("a model that is not there: the nearest one, or what is known", async () => {
  await expect(resolve("official-ome")).rejects.toThrow("Did you mean official-one?");
  await expect(resolve("zzz")).rejects.toThrow('No model matches "zzz". Known: acme/nova-4-5');
});

test("provider/id loads the models of that provider only", async () => {
  const { registry, loaded } = shelf(providers, { keys, official });
  await resolveModel("mill/nova-5:high", { registry, environment: {}, roles: {} });
  expect([...new Set(loaded)]).toEqual(["mill"]);
});

test("PM-57 a role stands for its model; the suffix nearest to the one who asks wins", async () => {
  const roles = { smol: "acme/nova-5-mini:high", task: "pi/smol:low", plan: "pi/task" };
  expect(await resolve("pi/smol", {}, roles)).toBe("acme/nova-5-mini at high");
  expect(await resolve("pi/task", {}, roles)).toBe("acme/nova-5-mini at low");
  expect(await resolve("pi/plan", {}, roles)).toBe("acme/nova-5-mini at low");
  expect(await resolve("pi/plan:off", {}, roles)).toBe("acme/nova-5-mini at off");
  expect(await resolve("smol", {}, roles)).toBe("acme/nova-5-mini at high");
  await expect(resolve("pi/slow", {}, roles)).rejects.toThrow("Set modelRoles.slow");
  const circle = { a: "pi/b", b: "pi/a" };
  await expect(resolve("pi/a", {}, circle)).rejects.toThrow("a -> b -> a");
});

test("PM-58 a role's provider/id is pinned, an official id follows the order of providers", async () => {
  const roles = { smol: "mill/nova-5", slow: "nova-5" };
  const order = ["mill", "acme"];
  expect(await resolve("pi/slow", {}, roles)).toBe("acme/nova-5");
  expect(await resolve("pi/slow", { order }, roles)).toMatch(/^mill\//);
  expect(await resolve("pi/smol", { order: ["acme"] }, roles)).toBe("mill/nova-5");
});

test("PM-59 in a scope an official id means all variants, provider/id one, the rest concrete models", async () => {
  expect(await scope(["nova-5"])).toEqual({
    models: expect.arrayContaining(["acme/nova-5", "mill/nova-5", "mill/acme/nova-5"]),
    unmatched: [],
  });
  expect((await scope(["nova-5"])).models).toHaveLength(3);
  expect((await scope(["mill/nova-5"])).models).toEqual(["mill/nova-5"]);
  expect((await scope(["*nova-5-*"])).models).toEqual(["acme/nova-5-mini", "acme/nova-5-20260101"]);
  expect((await scope(["piano"])).models).toEqual(["twin/official-one"]);
  expect(await scope(["acme/nova-5", "twin-1", "nothing"], { keys: ["twin"] })).toEqual({
    models: ["twin/twin-1"],
    unmatched: ["acme/nova-5", "nothing"],
  });
});
