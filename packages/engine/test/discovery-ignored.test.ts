/** The matcher of `.gitignore` files, with git itself as the oracle. */

import { workspace } from "@omp/testkit";
import { expect } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { needs } from "../../../test/needs.ts";
import { Ignored } from "../src/discovery/ignored.ts";

const PATHS = [
  "a.md",
  "b.md",
  "ab.md",
  ".hid",
  "a b.md",
  "x[1].md",
  "#note",
  "!bang",
  "sub/a.md",
  "sub/b.txt",
  "sub/deep/a.md",
  "sub/deep/c.log",
  "build/out.js",
  "build/keep/a.md",
  "doc/build/x.md",
  "doc/a1.md",
  "doc/a-.md",
];

const FILES: readonly (readonly [where: string, text: string])[] = [
  [".gitignore", "*.md\n!b.md\n"],
  [".gitignore", "/a.md\nsub/\n!sub/a.md\n"],
  [".gitignore", "build\n!build/keep/a.md\n"],
  [".gitignore", "/build/*\n!/build/keep/\n"],
  [".gitignore", "**/deep\ndoc/**\n!doc/a1.md\n"],
  [".gitignore", "sub/**/a.md\n"],
  [".gitignore", "a?.md\n[ab].md\n[!a].md\nx\\[1\\].md\n"],
  [".gitignore", "# comment\n\\#note\n\\!bang\na\\ b.md\nb.md   \r\n"],
  [".gitignore", "doc/a[[:digit:]].md\ndoc/a[^0-9].md\n"],
  [".gitignore", "*/a.md\n"],
  [".gitignore", "deep/\n*.log\n!*.log\n[broken\n"],
  ["sub/.gitignore", "/a.md\n*.log\n"],
  ["sub/.gitignore", "deep/a.md\n!c.log\n"],
  [".git/info/exclude", "doc/\n*.js\n"],
];

async function scene() {
  const place = await workspace();
  await place.git("init", "-q");
  for (const path of PATHS) await place.write(path, "x");
  mkdirSync(join(place.path, "empty"));
  return place;
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Of all paths those that git ignores, with the same words about it from us. */
async function bothSay(place: Scene) {
  const said = await place
    .git("check-ignore", "--no-index", ...PATHS.map((path) => `./${path}`))
    .catch(() => "");
  const git = said.split("\n").map((line) => line.replace(/^"?\.\//, "").replace(/"$/, ""));
  const ignored = new Ignored(place.path, join(place.home, ".config/git/ignore"));
  // As git sees it nothing in an ignored folder can be wanted.
  const isIgnored = (path: string) =>
    path.split("/").some((_name, at, names) => {
      const part = join(place.path, ...names.slice(0, at + 1));
      return ignored.fits(part, at < names.length - 1);
    });
  return {
    git: PATHS.filter((path) => git.includes(path)),
    ours: PATHS.filter((path) => isIgnored(path)),
  };
}

needs("git")("patterns fit what git says they fit", async () => {
  for (const [where, text] of FILES) {
    await using place = await scene();
    await place.write(where, text);
    const { git, ours } = await bothSay(place);
    expect(git).not.toEqual([]);
    expect({ text, ignored: ours }).toEqual({ text, ignored: git });
  }
});

needs("git")("so do patterns that nobody would write", async () => {
  await using place = await scene();
  const piece = fc.constantFrom(
    "*",
    "**",
    "/",
    "?",
    "a",
    "sub",
    "deep",
    ".md",
    "[a-c]",
    "!",
    "doc",
  );
  const line = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), async (lines) => {
      await place.write(".gitignore", `${lines.join("\n")}\n`);
      const { git, ours } = await bothSay(place);
      expect(ours).toEqual(git);
    }),
    { numRuns: 150, seed: 20261115, examples: [[["/*.md"]]] },
  );
});
