/** The walk through real folders, with git itself as the oracle. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { workspace } from "@omp/testkit";
import fc from "fast-check";
import { systemClock } from "@omp/std";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { needs } from "../../../../test/needs.ts";
import { walk, type WalkRequest } from "./walk.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "omp-walk-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, text = "") => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

const ALL = { hidden: true, ignores: true, nodeModules: true } as const;

async function names(
  root: string,
  more: Partial<WalkRequest> = {},
  home = "/nonexistent",
): Promise<string[]> {
  const found: string[] = [];
  const doors = { clock: systemClock, git: { home } };
  const wants: WalkRequest["wants"] = (_path, kind) => kind !== "directory";
  for await (const batch of walk({ root, ...ALL, wants, ...more }, doors))
    found.push(...batch.map(({ path }) => path.slice(root.length + 1)));
  return found.sort();
}

describe("what is walked", () => {
  test("hidden files, node_modules and ignored files are choices; .git is none", async () => {
    for (const name of ["a", ".b", ".git/config", "node_modules/m/i.js", "out/c"]) put(name);
    put(".gitignore", "out/\n");
    expect(await names(folder)).toEqual([".b", ".gitignore", "a", "node_modules/m/i.js"]);
    expect(await names(folder, { hidden: false })).toEqual(["a", "node_modules/m/i.js"]);
    expect(await names(folder, { nodeModules: false })).toEqual([".b", ".gitignore", "a"]);
    expect(await names(folder, { ignores: false, hidden: false })).toEqual([
      "a",
      "node_modules/m/i.js",
      "out/c",
    ]);
  });

  test("lists above the root count within the repository, not beyond it", async () => {
    put(".gitignore", "*.log\n/sub/out\n");
    for (const name of ["sub/a.log", "sub/b", "sub/out/c", "other/d.log"]) put(name);
    expect(await names(join(folder, "sub"))).toEqual(["a.log", "b", "out/c"]);
    expect(await names(join(folder, "sub"), { top: folder })).toEqual(["b"]);
    mkdirSync(join(folder, ".git"));
    expect(await names(join(folder, "sub"))).toEqual(["b"]);
    mkdirSync(join(folder, "other/.git"));
    expect(await names(folder)).toEqual([".gitignore", "other/d.log", "sub/b"]);
  });

  test(".ignore counts too, and more than .gitignore", async () => {
    put(".gitignore", "*.log\n");
    put(".ignore", "!keep.log\nsecret\n");
    for (const name of ["a.log", "keep.log", "secret", "b"]) put(name);
    expect(await names(folder)).toEqual([".gitignore", ".ignore", "b", "keep.log"]);
  });

  test("a link is not followed, not even to a folder above it", async () => {
    put("a/b");
    symlinkSync("..", join(folder, "a/loop"));
    expect(await names(folder)).toEqual(["a/b", "a/loop"]);
  });

  test("no deeper than told", async () => {
    for (const name of ["a", "b/c", "b/d/e"]) put(name);
    expect(await names(folder, { maxDepth: 1 })).toEqual(["a"]);
    expect(await names(folder, { maxDepth: 2 })).toEqual(["a", "b/c"]);
  });

  test("a root that is none is an error", async () => {
    put("a");
    await expect(names(join(folder, "none"))).rejects.toMatchObject({ kind: "not-found" });
    await expect(names(join(folder, "a"))).rejects.toMatchObject({ kind: "not-a-directory" });
  });
});

describe("long walks", () => {
  test("others go on meanwhile, batches come early, an abort is heard", async () => {
    for (let index = 0; index < 4000; index++) mkdirSync(join(folder, `d${index}`));
    const controller = new AbortController();
    // Fires only when the walk lets it.
    setTimeout(() => controller.abort(), 1);
    let batches = 0;
    const doors = { clock: systemClock, git: { home: "/nonexistent" } };
    const walking = (async () => {
      for await (const _ of walk({ root: folder, ...ALL, signal: controller.signal }, doors))
        batches++;
    })();
    await expect(walking).rejects.toMatchObject({ name: "AbortError" });
    expect(batches).toBeGreaterThan(0);
  });
});

const PIECES = ["a", "b", "ab", "*", "?", "**", "[ab]", "[!a]", "a*", "*.c", "x.c", "\\a"];
const NAMES = ["a", "b", "ab", "x.c", "a.c"];

const pattern = fc
  .tuple(
    fc.constantFrom("", "", "!"),
    fc.constantFrom("", "", "/"),
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "/"),
  )
  .map(([not, start, parts, end]) => not + start + parts.join("/") + end);
const list = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join("\n"));

needs("git")(
  "the files are those of git: nested lists, negations, excludes of the repository and the person",
  async () => {
    await fc.assert(
      fc.asyncProperty(list, list, list, list, list, async (top, nested, deep, exclude, own) => {
        await using place = await workspace();
        await place.git("init", "-q");
        for (const one of NAMES) {
          await place.write(`${one}/${one}`, "x");
          for (const two of NAMES) await place.write(`${one}/d/${two}`, "x");
        }
        await place.write(".gitignore", top);
        await place.write("a/.gitignore", nested);
        await place.write("a/d/.gitignore", deep);
        await place.write(".git/info/exclude", exclude);
        await place.write("../home/excludes", own);
        await place.write("../home/.gitconfig", "[core]\n\texcludesFile = ~/excludes\n");
        const excludes = `core.excludesFile=${join(place.home, "excludes")}`;
        const args = ["-c", excludes, "ls-files", "-co", "--exclude-standard"];
        const said = await place.git(...args);
        const wanted = said === "" ? [] : said.split("\n").sort();
        expect(await names(place.path, {}, place.home)).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  },
);

needs("git")("a worktree has the excludes of its repository", async () => {
  await using place = await workspace({ git: true, files: { "a.txt": "x" } });
  await place.write(".git/info/exclude", "*.log\n");
  await place.git("worktree", "add", "-q", "../tree");
  const tree = join(place.path, "../tree");
  writeFileSync(join(tree, "b.log"), "");
  expect(await names(tree, {}, place.home)).toEqual(["a.txt"]);
});
