/** Context files: which ones are read, in which order, and what they import. */

import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { contextFiles } from "../src/context/context-files.ts";
import { discoveryStage, type DiscoveryStage } from "./discovery-stage.ts";

/** Paths as the stage writes them, in the order the model reads them. */
function filesFrom(set: DiscoveryStage, from = ".", switches = {}) {
  const discovery = set.discovery(from, switches);
  return contextFiles(discovery.find("context-file"), discovery.look);
}

function texts(set: DiscoveryStage, from = ".", switches = {}): readonly string[] {
  return filesFrom(set, from, switches).files.map(({ text }) => text);
}

test("CTX-01 CFG-30 the nearest .omp that has anything decides, and the person's own file is there", async () => {
  await using set = await discoveryStage();
  await set.write([".omp/AGENTS.md", "root"], ["a/.omp/AGENTS.md", "a"], ["agent/AGENTS.md", "me"]);
  await set.write(["a/b/file", ""], ["c/d/file", ""]);
  expect(texts(set, "a/b")).toEqual(["a", "me"]);
  expect(texts(set, "c/d")).toEqual(["root", "me"]);
  rmSync(set.at("a/.omp/AGENTS.md"));
  mkdirSync(set.at("a/.omp/rules"));
  expect(texts(set, "a/b")).toEqual(["me"]);
  rmSync(set.at("a/.omp/rules"), { recursive: true });
  expect(texts(set, "a/b")).toEqual(["root", "me"]);
});

const OF_USER = [
  ["agent/AGENTS.md", 100],
  ["~/.claude/CLAUDE.md", 80],
  ["~/.codex/AGENTS.md", 70],
  ["~/.agents/AGENTS.md", 70],
  ["~/.gemini/GEMINI.md", 60],
  ["~/.config/opencode/AGENTS.md", 55],
] as const;

const OF_PROJECT = [
  [".omp/AGENTS.md", 100],
  [".claude/CLAUDE.md", 80],
  [".agents/AGENTS.md", 70],
  [".agent/AGENTS.md", 70],
  [".gemini/GEMINI.md", 60],
  [".github/copilot-instructions.md", 30],
  ["AGENTS.md", 10],
  ["CLAUDE.md", 10],
] as const;

test("CTX-02 CTX-04 CTX-05 one file of the person and one of each folder: the strongest, one after the other", async () => {
  await using set = await discoveryStage();
  for (const places of [OF_USER, OF_PROJECT]) {
    await set.write(...places.map(([path]) => path));
    for (const [path, priority] of places) {
      const { items } = set.discovery().find("context-file");
      expect(items).toMatchObject([{ path: set.at(path), priority }]);
      rmSync(set.at(path));
    }
  }
});

test("CTX-03 CTX-04 CTX-06 files of the folders above, the farthest first; hidden folders are passed over", async () => {
  await using set = await discoveryStage({ git: false });
  await set.write(
    ["~/AGENTS.md", "home"],
    ["~/code/AGENTS.md", "code"],
    ["~/.codex/AGENTS.md", "me"],
  );
  await set.write(["~/code/repo/CLAUDE.md", "repo"], ["~/code/repo/pkg/AGENTS.md", "pkg"]);
  await set.write(["~/code/repo/pkg/CLAUDE.md", "hidden by AGENTS.md"]);
  await set.write(["~/code/repo/pkg/.hid/AGENTS.md", "hid"], ["~/code/repo/pkg/.hid/x/file", ""]);
  mkdirSync(set.at("~/code/repo/.git"));
  expect(texts(set, "../home/code/repo/pkg/.hid/x")).toEqual(["code", "repo", "pkg", "me"]);
});

test("outside of the home and of a repository nothing above the folder counts", async () => {
  await using set = await discoveryStage({ git: false });
  await set.write(["AGENTS.md", "planted"], ["mine/AGENTS.md", "mine"]);
  expect(texts(set, "mine")).toEqual(["mine"]);
});

test("CTX-06 a copy is not said twice", async () => {
  await using set = await discoveryStage();
  await set.write(["AGENTS.md", "same"], ["a/AGENTS.md", "same"], ["a/b/AGENTS.md", "other"]);
  await set.write(["agent/AGENTS.md", "same"]);
  expect(texts(set, "a/b")).toEqual(["same", "other"]);
});

test("CTX-09 imports: where they count, where they do not, how deep, and what stays as it is", async () => {
  await using set = await discoveryStage();
  const cases: readonly (readonly [written: string, read: string])[] = [
    ["@part.md", "PART"],
    ["see @part.md, and @./sub/deep.md.", "see PART, and DEEP."],
    [`(@part.md) me@part.md x@part.md`, "(@part.md) me@part.md x@part.md"],
    ["`@part.md` and ``a ` @part.md`` then @part.md", "`@part.md` and ``a ` @part.md`` then PART"],
    ["```\n@part.md\n```\n@part.md", "```\n@part.md\n```\nPART"],
    ["~~~md\n@part.md\n```\n~~~\n@part.md", "~~~md\n@part.md\n```\n~~~\nPART"],
    ["@nothing.md @someone", "@nothing.md @someone"],
    ["@sub", "@sub"],
  ];
  await set.write(["part.md", "PART\n"], ["sub/deep.md", "DEEP"]);
  for (const [written, read] of cases) {
    await set.write(["AGENTS.md", written]);
    expect(texts(set)).toEqual([read]);
  }
});

test("CTX-09 imports count from their own file; five levels, and no circle", async () => {
  await using set = await discoveryStage();
  await set.write(
    ["AGENTS.md", "0 @sub/1.md"],
    ["sub/1.md", "1 @2.md"],
    ["sub/2.md", "2 @../3.md"],
  );
  await set.write(["3.md", "3 @4.md"], ["4.md", "4 @5.md"], ["5.md", "5 @6.md"], ["6.md", "6"]);
  expect(texts(set)).toEqual(["0 1 2 3 4 5 @6.md"]);
  await set.write(["AGENTS.md", "a @b.md"], ["b.md", "b @AGENTS.md @b.md"]);
  expect(texts(set)).toEqual(["a b @AGENTS.md @b.md"]);
});

test("CTX-09 the person's own file imports from everywhere; a project's only from the project", async () => {
  await using set = await discoveryStage();
  await set.write(["~/notes.md", "NOTES"], ["inside.md", "INSIDE"]);
  const absolute = set.at("~/notes.md");
  await set.write(["agent/AGENTS.md", `@~/notes.md @${absolute}`]);
  await set.write(["AGENTS.md", `@~/notes.md @${absolute} @${set.at("inside.md")}`]);
  const { files, warnings } = filesFrom(set);
  expect(files.map(({ text }) => text)).toEqual([`@~/notes.md @${absolute} INSIDE`, "NOTES NOTES"]);
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toMatchObject({
    place: set.at("AGENTS.md"),
    text: expect.stringContaining("leads out of the project"),
  });
});

test("files that import each other crosswise stay bounded", async () => {
  await using set = await discoveryStage();
  const all = Array.from({ length: 12 }, (_, at) => `@f${at}.md`).join(" ");
  for (let at = 0; at < 12; at++) await set.write([`f${at}.md`, `w ${all}`]);
  await set.write(["AGENTS.md", all]);
  expect(texts(set)[0]!.length).toBeLessThan(20_000);
});

test("CTX-10 an empty file says nothing and hides nothing", async () => {
  await using set = await discoveryStage();
  await set.write([".omp/AGENTS.md", " \n"], ["AGENTS.md", "used"], ["agent/AGENTS.md", ""]);
  expect(texts(set)).toEqual(["used"]);
});

test("CTX-12 sources and single files can be switched off, and what they hid appears", async () => {
  await using set = await discoveryStage();
  await set.write(["agent/AGENTS.md", "me"], ["~/.claude/CLAUDE.md", "claude, me"]);
  await set.write(
    [".claude/CLAUDE.md", "claude"],
    ["AGENTS.md", "plain"],
    ["CLAUDE.md", "plain too"],
  );
  expect(texts(set)).toEqual(["claude", "me"]);
  expect(texts(set, ".", { sources: ["claude"] })).toEqual(["plain", "me"]);
  expect(texts(set, ".", { sources: ["claude", "native"] })).toEqual(["plain"]);
  expect(texts(set, ".", { items: ["context-file:user:AGENTS.md"] })).toEqual([
    "claude",
    "claude, me",
  ]);
  expect(texts(set, ".", { items: ["context-file:project:CLAUDE.md"] })).toEqual(["plain", "me"]);
});

test("CTX-15 a very large file is used whole, and said to be expensive", async () => {
  await using set = await discoveryStage();
  const large = "x".repeat(65 * 1024);
  await set.write(["AGENTS.md", large]);
  const { files, warnings } = filesFrom(set);
  expect(files[0]!.text).toBe(large);
  expect(warnings).toEqual([
    { place: set.at("AGENTS.md"), text: "65 KiB of context are sent with every request" },
  ]);
});
