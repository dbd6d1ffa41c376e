/** The map and the tree are about the same house. */

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { architecture } from "../script/architecture.ts";
import { startupOf } from "../script/architecture/startup.ts";
import { check, readTree } from "../script/check-architecture.ts";

const root = resolve(import.meta.dir, "..");
const tree = await readTree(root, architecture.scope);

test("the check reads the real tree, and the tree keeps to the map", () => {
  expect(tree.files.has(architecture.startup.entry)).toBe(true);
  expect(tree.files.has("packages/std/src/index.ts")).toBe(true);
  expect(tree.files.has("test/architecture.test.ts")).toBe(true);
  expect(check(tree, architecture).failures).toEqual([]);
});

test("every package is on the map", async () => {
  for (const name of await readdir(resolve(root, "packages"))) {
    expect(Object.keys(architecture.packages)).toContain(name);
  }
});

test("packages import downwards only: nobody is reached by those below", () => {
  const order = Object.keys(architecture.packages);
  for (const [name, allowed] of Object.entries(architecture.packages)) {
    for (const lower of allowed) expect(order.indexOf(lower)).toBeLessThan(order.indexOf(name));
  }
});

test("what start-up loads is known down to the last module", () => {
  const { modules } = startupOf(tree, architecture.startup.entry);
  for (const module of modules.filter((path) => path.endsWith(".ts"))) {
    expect(tree.files.has(module)).toBe(true);
  }
});
