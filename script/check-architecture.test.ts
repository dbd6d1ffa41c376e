/** Each rule of the architecture check, on trees of one or two files. */

import { expect, test } from "bun:test";
import { architecture as realMap, type Architecture } from "./architecture.ts";
import { startupOf } from "./architecture/startup.ts";
import { growTree, type Tree } from "./architecture/tree.ts";
import { check } from "./check-architecture.ts";

/** The debts of the real tree are not those of these small ones. */
const architecture: Architecture = { ...realMap, debt: {} };
const HEADER = "/** A file. */\n";

/** Manifests of a house where every package lists all that the map lets it import. */
const manifests = Object.entries(architecture.packages).map(([name, allowed]): [string, string] => [
  `packages/${name}/package.json`,
  JSON.stringify({
    exports:
      name === "engine"
        ? { "./protocol": "./src/protocol/index.ts", "./boot": "./src/boot.ts" }
        : { ".": "./src/index.ts", "./schema": "./src/schema/index.ts" },
    dependencies: Object.fromEntries(allowed.map((other) => [`@omp/${other}`, "0.1.0"])),
    devDependencies: { "@omp/testkit": "0.1.0" },
  }),
]);

function tree(files: Record<string, string>): Tree {
  const sources = Object.entries(files).map(([path, source]): [string, string] => [
    path,
    path.endsWith(".ts") ? HEADER + source : source,
  ]);
  const entry: [string, string] = [architecture.startup.entry, HEADER];
  const root: [string, string] = ["package.json", `{"devDependencies":{"fast-check":"4"}}`];
  return growTree(new Map([entry, root, ...manifests, ...sources]), "@omp");
}

function failures(files: Record<string, string>, map: Architecture = architecture): string[] {
  return check(tree(files), map).failures.map((v) => `${v.rule}: ${v.detail}`);
}

function warnings(files: Record<string, string>, map: Architecture = architecture): string[] {
  return check(tree(files), map).warnings.map((v) => `${v.rule}: ${v.detail}`);
}

test("a clean tree passes", () => {
  const files = { "packages/agent/src/loop.ts": `import { stream } from "@omp/ai";` };
  expect(check(tree(files), architecture)).toEqual({ failures: [], warnings: [] });
});

test.each([
  ["a statement", `import { theme } from "@omp/tui";`],
  ["a type", `import type { Theme } from "@omp/tui";`],
  ["a re-export", `export { theme } from "@omp/tui";`],
  ["import() inside a function", `async function f() { await import("@omp/tui"); }`],
  ["import() of a template", "async function f() { await import(`@omp/tui`); }"],
  ["typeof import()", `type T = typeof import("@omp/tui");`],
  ["an import type", `type T = import("@omp/tui").Theme;`],
  ["require", `function f() { return require("@omp/tui"); }`],
  ["import = require", `import tui = require("@omp/tui");`],
])("a lower package may not import a higher one: %s", (_, source) => {
  expect(failures({ "packages/tools/src/read.ts": source })).toEqual([
    "package: tools may not import tui",
  ]);
});

test("an import in a comment or a string is none", () => {
  const source = `// import { theme } from "@omp/tui";\nexport const text = 'import("@omp/tui")';`;
  expect(failures({ "packages/tools/src/read.ts": source })).toEqual([]);
});

test("packages are imported by name, and only through their doors", () => {
  expect(
    failures({
      "packages/app/src/print/run.ts": `import { a } from "../../../engine/src/protocol/index.ts";`,
      "packages/app/src/rpc/run.ts": `import { b } from "@omp/engine/conversation";`,
      "packages/app/src/acp/run.ts": `import { c } from "@omp/engine/protocol";`,
    }),
  ).toEqual([
    "package: import @omp/engine by name, not by path",
    "wall: @omp/engine/conversation is not exported; engine has ./protocol, ./boot",
  ]);
});

test("a room may only enter the rooms on its list, even for a type", () => {
  expect(
    failures({
      "packages/ai/src/protocols/chat.ts": `import type { Key } from "../auth/key.ts";`,
      "packages/ai/src/auth/key.ts": "export interface Key {}",
      "packages/ai/src/providers/vendor.ts": `import type { Key } from "../auth/key.ts";`,
    }),
  ).toEqual(["room: ai/protocols may not import ai/auth/key"]);
});

test("settings import no room; a conversation does not reach the store", () => {
  expect(
    failures({
      "packages/engine/src/settings/store.ts": `import { a } from "../model/resolve.ts";`,
      "packages/engine/src/settings/schema/retry.ts": "export const retry = 1;",
      "packages/engine/src/model/resolve.ts": "export const a = 1;",
      "packages/engine/src/conversation/a.ts": `import { s } from "../settings/store.ts";`,
      "packages/engine/src/conversation/b.ts": `import { r } from "../settings/schema/retry.ts";`,
    }),
  ).toEqual([
    "room: engine/settings may not import engine/model/resolve",
    "room: engine/conversation may not import engine/settings/store",
  ]);
});

test("a hall is open to every room and enters none", () => {
  expect(
    failures({
      "packages/engine/src/paths.ts": `import { a } from "./model/resolve.ts";`,
      "packages/engine/src/model/resolve.ts": "export const a = 1;",
      "packages/engine/src/settings/store.ts": `import { p } from "../paths.ts";`,
    }),
  ).toEqual(["room: engine/paths is a hall: it may not import engine/model/resolve"]);
});

test("only front ends boot, across packages and inside the engine", () => {
  expect(
    failures({
      "packages/engine/src/boot.ts": "export const boot = 1;",
      "packages/engine/src/model/a.ts": `import { boot } from "../boot.ts";`,
      "packages/app/src/cli/parse.ts": `import { boot } from "@omp/engine/boot";`,
      "packages/app/src/print/run.ts": `import { boot } from "@omp/engine/boot";`,
    }).map((text) => text.split(":", 2).join(":")),
  ).toEqual([
    "door: engine/model/a may not import engine/boot",
    "door: app/cli/parse may not import engine/boot",
  ]);
});

test.each(["print", "rpc", "acp", "demo"])("app/%s cannot see app/interactive", (mode) => {
  expect(
    failures({
      [`packages/app/src/${mode}/run.ts`]: `import type { S } from "../interactive/screen.ts";`,
      "packages/app/src/interactive/screen.ts": "export interface S {}",
    })[0],
  ).toMatch(/^(door|room): .*may not import (app\/)?interactive/);
});

test("a session knows only the vocabulary of ai", () => {
  expect(
    failures({
      "packages/session/src/a.ts": `import { stream } from "@omp/ai";`,
      "packages/session/src/b.ts": `import type { Message } from "@omp/ai/schema";`,
    }),
  ).toEqual([
    "door: session/a may not import ai/index: a session knows only the vocabulary: import @omp/ai/schema",
  ]);
});

test("a fold imports nothing but the protocol", () => {
  expect(
    failures({
      "packages/app/src/interactive/state/turn.ts": `import { log } from "@omp/std";`,
      "packages/app/src/interactive/state/queue.ts": `import type { E } from "@omp/engine/protocol";`,
    }),
  ).toEqual(["room: app/interactive/state may not import std"]);
});

test("the extension types have no code at run time", () => {
  expect(
    failures({
      "packages/extension-api/src/a.ts": `import { stream } from "@omp/ai";`,
      "packages/extension-api/src/b.ts": `import type { Message } from "@omp/ai/schema";`,
    }),
  ).toEqual(["package: extension-api holds types only: use import type"]);
});

test("a package imports only what its manifest lists; tests may use what is there for tests", () => {
  expect(
    failures({
      "packages/ai/src/a.ts": `import { parse } from "partial-json";`,
      "packages/ai/src/b.ts": `import { readFile } from "node:fs"; import { test } from "bun:test";`,
      "packages/ai/src/c.test.ts": `import fc from "fast-check"; import { m } from "@omp/testkit";`,
      "packages/ai/src/d.test.ts": `import chalk from "chalk";`,
      "packages/ai/src/e.ts": `import fc from "fast-check";`,
    }),
  ).toEqual([
    "dependency: partial-json is not a dependency of packages/ai/package.json",
    "dependency: chalk is not a dependency of packages/ai/package.json",
    "dependency: fast-check is not a dependency of packages/ai/package.json",
  ]);
});

test("the test kit stays out of what ships", () => {
  expect(failures({ "packages/ai/src/a.ts": `import { m } from "@omp/testkit";` })).toEqual([
    "package: ai may not import testkit",
  ]);
});

test("source does not import tests, and writes the ending of a file", () => {
  expect(
    failures({
      "packages/ai/src/a.ts": `import { t } from "./b.test.ts"; import { c } from "./c";`,
      "packages/ai/src/b.test.ts": `import { needs } from "../../../test/needs.ts";`,
      "packages/ai/src/c.ts": `import { needs } from "../../../test/needs.ts";`,
    }),
  ).toEqual([
    "package: source may not import a test",
    "ending: write the ending: packages/ai/src/c.ts",
    "package: test/needs.ts is not part of a package",
  ]);
});

test("a cycle is reported once, with its shortest way; types count", () => {
  expect(
    failures({
      "packages/std/src/a.ts": `import { b } from "./b.ts";`,
      "packages/std/src/b.ts": `import type { C } from "./c.ts";`,
      "packages/std/src/c.ts": `import { a } from "./a.ts"; import { b } from "./b.ts";`,
    }),
  ).toEqual([
    "cycle: packages/std/src/a.ts → packages/std/src/b.ts → packages/std/src/c.ts → packages/std/src/a.ts (one knot of 3 files)",
  ]);
});

test("a cycle through a package's own name is a cycle", () => {
  expect(
    failures({
      "packages/std/src/index.ts": `export { a } from "./a.ts";`,
      "packages/std/src/a.ts": `import { b } from "@omp/std";`,
    }),
  ).toEqual(["cycle: packages/std/src/a.ts → packages/std/src/index.ts → packages/std/src/a.ts"]);
});

test("a lazy import closes a cycle unless the map excuses it", () => {
  const files = {
    "packages/std/src/tool.ts": `export const load = () => import("./run.ts");`,
    "packages/std/src/run.ts": `import type { T } from "./tool.ts";`,
  };
  const lazyCycles = [{ from: "std/tool", to: "std/run", why: "for this test" }];
  expect(failures(files)).toHaveLength(1);
  expect(failures(files, { ...architecture, lazyCycles })).toEqual([]);
});

test("a file must open with its purpose; tests say it in their names", () => {
  const bare = growTree(
    new Map([
      [architecture.startup.entry, "#!/usr/bin/env bun\n/** Starts. */"],
      ["packages/std/src/a.ts", "export const a = 1;"],
      ["packages/std/src/a.test.ts", ""],
      ["packages/std/test/stage.ts", "// A comment."],
      ["script/b.ts", ""],
      ["script/b.test.ts", ""],
    ]),
    "@omp",
  );
  expect(check(bare, architecture).failures.map((v) => [v.file, v.rule])).toEqual([
    ["packages/std/src/a.ts", "header"],
    ["packages/std/test/stage.ts", "header"],
    ["script/b.ts", "header"],
  ]);
});

test.each([
  "packages/ai/src/utils.ts",
  "packages/ai/src/session-manager.ts",
  "packages/ai/src/helpers/text.ts",
  "packages/ai/src/string-helper.test.ts",
  "script/common.ts",
])("%s is a vague name", (path) => {
  expect(failures({ [path]: "" })).toEqual(["name: name the thing, not its shelf"]);
});

test("a vague name inside a file is one as well", () => {
  expect(failures({ "packages/ai/src/a.ts": "export class SessionManager {}" })).toEqual([
    "name: SessionManager: name the thing, not its shelf",
  ]);
});

test.each([
  "try { x(); } catch { }",
  "p.catch(() => {});",
  "p.catch(function () {});",
  "p.catch(() => undefined);",
  "p.catch(() => void 0);",
  "p.catch(() => []);",
])("a swallowed error is reported outside std: %s", (source) => {
  const files = { "packages/ai/src/a.ts": source, "packages/std/src/b.ts": source };
  expect(failures(files)).toHaveLength(1);
  expect(failures(files)[0]).toContain("call ignore(error, why)");
});

test("an error that is mapped or answered is not swallowed", () => {
  const source = `p.catch(() => stop()); p.catch((error) => ignore(error, "why")); try { x(); } catch (error) { throw error; }`;
  expect(failures({ "packages/ai/src/a.ts": source })).toEqual([]);
});

test.each([
  `import { spawn } from "node:child_process";`,
  `import type { ChildProcess } from "child_process";`,
  `const load = () => import("node:child_process");`,
  `import { $ } from "bun";`,
  `Bun.spawn(["ls"]);`,
  `Bun["spawnSync"](["ls"]);`,
  "await Bun.$`ls`;",
  `function f() { const { spawn } = Bun; return spawn; }`,
])("only host/process starts programs: %s", (source) => {
  const files = {
    "packages/host/src/shell/a.ts": source,
    "packages/host/src/process/b.ts": source,
    "packages/testkit/src/c.ts": source,
    "packages/host/src/d.test.ts": source,
    "script/e.ts": source,
  };
  expect(failures(files)).toHaveLength(1);
  expect(failures(files)[0]).toContain("only host/process starts programs");
});

test.each([
  "f(process.env);",
  `f(process.env["HOME"]);`,
  "f(Bun.env.HOME);",
  "f(import.meta.env.HOME);",
  `import { env } from "node:process";`,
  "function g() { const { env } = process; return env; }",
])("only the entry reads the environment: %s", (source) => {
  const files = { "packages/app/src/surroundings.ts": source, "packages/tools/src/a.ts": source };
  expect(failures(files)).toHaveLength(1);
  expect(failures(files)[0]).toContain("app/surroundings reads the environment once");
});

test("packages below the app do not print", () => {
  const source = `console.log("x");`;
  expect(
    failures({ "packages/engine/src/model/a.ts": source, "packages/app/src/print/b.ts": source }),
  ).toEqual(["console: console.log: emit an event for the person, or use log of @omp/std"]);
});

test("modules keep no state", () => {
  const source = `let a = 0; export var b; const c = new Map(); const d: string[] = []; const e = new Set(["x"]);`;
  expect(failures({ "packages/ai/src/a.ts": source }).map((text) => text.split(":")[1])).toEqual([
    " let a",
    " var b",
    " c starts empty",
    " d starts empty",
  ]);
});

test("no enum, no export *", () => {
  const source = `export * from "./b.ts"; export enum Colour { Red }`;
  expect(
    failures({ "packages/ai/src/a.ts": source, "packages/ai/src/b.ts": "export const b = 1;" }),
  ).toEqual([
    "enum: enum Colour: use a union of strings",
    `export-all: export * from "./b.ts": name what is exported`,
  ]);
});

test("a file that does not parse is said so", () => {
  expect(failures({ "packages/ai/src/a.ts": "export const = 1;" })[0]).toStartWith("syntax:");
});

const twentyOne = Array.from({ length: 21 }, (_, index) => index);
const wide = twentyOne.map((i) => `m${i}: 1;`).join("");

test.each([
  ["lines", "\n".repeat(500), "lines: 501 > 500"],
  ["methods", `class A {${twentyOne.map((i) => `m${i}() {}`).join(" ")}}`, "class at line 2: 21"],
  ["functionLines", `function f() {${"\n".repeat(80)}}`, "functionLines: f: 81 > 80"],
  ["members", `export interface I { f(): 1; ${wide} }`, "I: 22 > 12"],
  ["members", `export interface I { f: () => 1; ${wide} }`, "I: 22 > 12"],
  ["imports", twentyOne.map((i) => `import "./f${i}.ts";`).join(""), "imports: 21 > 15"],
])("sizes warn and do not fail: %s", (rule, source, text) => {
  const files = { "packages/std/src/big.ts": source };
  expect(failures(files)).toEqual([]);
  expect(warnings(files)).toHaveLength(1);
  expect(warnings(files)[0]).toStartWith(rule);
  expect(warnings(files)[0]).toContain(text);
});

test("a wide record of plain values is no wide port", () => {
  expect(warnings({ "packages/std/src/a.ts": `export interface I { ${wide} }` })).toEqual([]);
});

test("a debt silences its warning, and must leave the map when it is paid", () => {
  const debt = { "packages/std/src/big.ts": { lines: 600, why: "for this test" } };
  const map = { ...architecture, debt };
  expect(warnings({ "packages/std/src/big.ts": "\n".repeat(550) }, map)).toEqual([]);
  expect(failures({ "packages/std/src/big.ts": "\n".repeat(550) }, map)).toEqual([]);
  expect(failures({ "packages/std/src/big.ts": "" }, map)).toEqual([
    "debt: is paid or gone: remove it from the map",
  ]);
});

const startup = {
  "packages/app/src/main.ts": `import { a } from "./cli/a.ts"; const b = () => import("./print/b.ts");`,
  "packages/app/src/cli/a.ts": `import type { T } from "./t.ts"; import { type U } from "./u.ts"; import { log } from "@omp/std";`,
  "packages/app/src/print/b.ts": "export const b = 1;",
  "packages/std/src/index.ts": `export { log } from "./log.ts"; import "typebox";`,
  "packages/std/src/log.ts": "export const log = 1;",
};

test("start-up counts what is loaded without import(), across packages, and no types", () => {
  expect(startupOf(tree(startup), "packages/app/src/main.ts")).toEqual({
    modules: [
      "packages/app/src/main.ts",
      "packages/app/src/cli/a.ts",
      "packages/std/src/index.ts",
      "packages/std/src/log.ts",
    ],
    packages: ["typebox"],
  });
});

test("a start-up over budget fails, and so does a missing entry", () => {
  const entry = "packages/app/src/main.ts";
  const rules = (map: Architecture) =>
    failures(startup, map).filter((t) => t.startsWith("startup"));
  expect(rules({ ...architecture, startup: { entry, budget: 4 } })).toEqual([]);
  expect(rules({ ...architecture, startup: { entry, budget: 3 } })[0]).toContain("4 modules");
  expect(rules({ ...architecture, startup: { entry: "gone.ts", budget: 3 } })).toHaveLength(1);
});
