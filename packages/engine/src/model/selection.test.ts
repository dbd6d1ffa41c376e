/** The first model of a session, rung by rung. */

import { expect, test } from "bun:test";
import { shelf, vendor, type ShelfOptions } from "../../test/shelf.ts";
import { selectModel, type SelectionDeps } from "./selection.ts";

const providers = [
  vendor("local", ["llama"], { keyEnv: [] }),
  vendor("plain", ["first", "second"], { defaultModel: "gone" }),
  vendor("acme", ["nova-1", "nova-2"], { defaultModel: "nova-2" }),
  vendor("mill", ["grain"]),
];
const keys = ["plain", "acme", "mill"];

async function select(wishes: Partial<SelectionDeps>, options: ShelfOptions = {}) {
  const { registry, vault, loaded } = shelf(providers, { keys, ...options });
  const selection = await selectModel({
    wanted: undefined,
    scope: [],
    remembered: {},
    thinking: { wanted: undefined, default: "high" },
    roles: {},
    environment: {},
    registry,
    vault,
    ...wishes,
  });
  const { model, ...rest } = selection;
  return { ...rest, name: `${model.provider}/${model.id}`, loaded: [...new Set(loaded)] };
}

test("PM-55 flag, scope unless resuming, saved default, a provider's known default, first available", async () => {
  const all = {
    wanted: "mill/grain",
    scope: ["acme/nova-1"],
    roles: { default: "plain/second" },
  };
  expect((await select(all)).name).toBe("mill/grain");
  expect((await select({ ...all, wanted: undefined })).name).toBe("acme/nova-1");
  const resumed = { ...all, wanted: undefined, remembered: { model: "plain/first" } };
  expect((await select(resumed)).name).toBe("plain/first");
  expect((await select({ roles: all.roles })).name).toBe("plain/second");
  expect((await select({})).name).toBe("acme/nova-2");
  expect((await select({}, { keys: [] })).name).toBe("local/llama");
});

test("who chose nothing pays for the models of one provider", async () => {
  const { name, apiKey, loaded } = await select({}, { keys: ["acme", "mill"] });
  expect({ name, apiKey, loaded }).toEqual({
    name: "acme/nova-2",
    apiKey: "key-acme",
    loaded: ["acme"],
  });
});

test("PM-54 --provider with --model is provider/id; alone it is the provider's default", async () => {
  const both = { wantedProvider: "mill", wanted: "x" };
  expect((await select(both)).name).toBe((await select({ wanted: "mill/x" })).name);
  expect((await select({ wantedProvider: "acme" })).name).toBe("acme/nova-2");
  expect((await select({ wantedProvider: "acme", wanted: "acme/nova-1" })).name).toBe(
    "acme/nova-1",
  );
  await expect(select({ wantedProvider: "nobody" })).rejects.toThrow("unknown provider: nobody");
});

test("a session whose model is gone or has no key goes on with another one, and says so", async () => {
  const lost = await select({ remembered: { model: "mill/grain" } }, { keys: ["acme"] });
  expect(lost.name).toBe("acme/nova-2");
  expect(lost.warnings).toEqual([expect.stringContaining("mill/grain has no key now")]);
  const gone = await select({ remembered: { model: "nobody/zzz" } });
  expect(gone.warnings).toEqual([expect.stringContaining("nobody/zzz is not known")]);
});

test("the thinking level: flag, selector, session, setting", async () => {
  const thinking = { wanted: "low", default: "high" } as const;
  expect((await select({ wanted: "acme/nova-1:xhigh", thinking })).thinking).toBe("low");
  const remembered = { thinking: "medium" };
  expect((await select({ wanted: "acme/nova-1:xhigh", remembered })).thinking).toBe("xhigh");
  expect((await select({ remembered })).thinking).toBe("medium");
  expect((await select({ remembered: { thinking: null } })).thinking).toBe("off");
  expect((await select({})).thinking).toBe("high");
});

test("a key of the command line goes to the chosen provider only", async () => {
  const { registry, vault } = shelf(providers, { keys: [], apiKeyFlag: "flag-key-0001" });
  const deps = {
    scope: [],
    remembered: {},
    thinking: { wanted: undefined, default: "off" },
    roles: {},
    environment: {},
  } as const;
  const chosen = await selectModel({ ...deps, wanted: "mill/grain", registry, vault });
  expect(chosen.apiKey).toBe("flag-key-0001");
  expect(await vault.lookUp(providers[2]!)).toEqual({ kind: "missing" });
});
