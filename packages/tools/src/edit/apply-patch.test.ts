/** The free-text form of patches: one envelope, every kind of part. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { editsIn } from "../../test/edits.ts";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

type Tree = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  readonly before: Tree;
  readonly patch: string;
  /** The files afterwards, or what the refusal says. */
  readonly after: Tree | RegExp;
}

const COUNTING = "one\ntwo\nthree\nfour\nfive\n";
const TWINS = "class A\n  x\n  y\nclass B\n  x\n  y\n";

const CASES: readonly Case[] = [
  {
    name: "adds a file",
    before: {},
    patch: "*** Add File: a\n+one\n+two",
    after: { a: "one\ntwo\n" },
  },
  {
    name: "adds in folders",
    before: {},
    patch: "*** Add File: d/e/a\n+x",
    after: { "d/e/a": "x\n" },
  },
  {
    name: "adds empty lines",
    before: {},
    patch: "*** Add File: a\n+\n+x\n+",
    after: { a: "\nx\n\n" },
  },
  {
    name: "deletes",
    before: { a: "x\n", b: "y\n" },
    patch: "*** Delete File: a",
    after: { b: "y\n" },
  },
  {
    name: "updates with context",
    before: { a: COUNTING },
    patch: "*** Update File: a\n@@\n two\n-three\n+THREE\n four",
    after: { a: COUNTING.replace("three", "THREE") },
  },
  {
    name: "updates without @@",
    before: { a: COUNTING },
    patch: "*** Update File: a\n two\n-three\n+THREE",
    after: { a: COUNTING.replace("three", "THREE") },
  },
  {
    name: "several hunks",
    before: { a: COUNTING },
    patch: "*** Update File: a\n@@\n-one\n+ONE\n@@\n-five\n+FIVE",
    after: { a: "ONE\ntwo\nthree\nfour\nFIVE\n" },
  },
  {
    name: "hunks out of order are refused",
    before: { a: COUNTING },
    patch: "*** Update File: a\n@@\n-five\n+FIVE\n@@\n-one\n+ONE",
    after: /a, hunk 2: its context is not there/,
  },
  {
    name: "an anchor chooses",
    before: { a: TWINS },
    patch: "*** Update File: a\n@@ class B\n   x\n-  y\n+  z",
    after: { a: "class A\n  x\n  y\nclass B\n  x\n  z\n" },
  },
  {
    name: "without an anchor twins are refused",
    before: { a: TWINS },
    patch: "*** Update File: a\n@@\n   x\n-  y\n+  z",
    after: /there 2 times \(lines 2, 5\)/,
  },
  {
    name: "anchors inside anchors",
    before: { a: `${TWINS}class C\n  x\n  y\n` },
    patch: "*** Update File: a\n@@ class B\n@@ class C\n   x\n-  y\n+  z",
    after: { a: `${TWINS}class C\n  x\n  z\n` },
  },
  {
    name: "an anchor that is not there",
    before: { a: TWINS },
    patch: "*** Update File: a\n@@ class D\n-  y",
    after: /there is no line "class D"/,
  },
  {
    name: "an anchor alone takes new lines",
    before: { a: TWINS },
    patch: "*** Update File: a\n@@ class B\n+  new",
    after: { a: "class A\n  x\n  y\nclass B\n  new\n  x\n  y\n" },
  },
  {
    name: "the end of the file",
    before: { a: "x\ny\nx\n" },
    patch: "*** Update File: a\n@@\n-x\n+z\n*** End of File",
    after: { a: "x\ny\nz\n" },
  },
  {
    name: "appends at the end",
    before: { a: "x\n" },
    patch: "*** Update File: a\n@@\n+y\n*** End of File",
    after: { a: "x\ny\n" },
  },
  {
    name: "moves and changes",
    before: { a: COUNTING },
    patch: "*** Update File: a\n*** Move to: d/b\n@@\n-one\n+ONE",
    after: { "d/b": COUNTING.replace("one", "ONE") },
  },
  {
    name: "moves without a change",
    before: { a: "x\n" },
    patch: "*** Update File: a\n*** Move to: b",
    after: { b: "x\n" },
  },
  {
    name: "all kinds at once",
    before: { a: "x\n", b: "y\n", c: "z\n" },
    patch: [
      "*** Add File: n\n+new",
      "*** Update File: a\n@@\n-x\n+X",
      "*** Update File: b\n*** Move to: m\n@@\n-y\n+Y",
      "*** Delete File: c",
    ].join("\n"),
    after: { a: "X\n", m: "Y\n", n: "new\n" },
  },
  {
    name: "one bad part, nothing at all",
    before: { a: "x\n" },
    patch: "*** Add File: n\n+new\n*** Update File: a\n@@\n-none\n+X",
    after: /a, hunk 1: its context is not there/,
  },
  {
    name: "a missing file",
    before: {},
    patch: "*** Update File: a\n@@\n-x",
    after: /^File not found: a$/,
  },
  {
    name: "a missing file to delete",
    before: {},
    patch: "*** Delete File: a",
    after: /^File not found: a$/,
  },
  {
    name: "no hunks",
    before: { a: "x\n" },
    patch: "*** Update File: a",
    after: /has no hunks/,
  },
  {
    name: "lines without a sign",
    before: { a: "x\n" },
    patch: "*** Update File: a\n@@\nx",
    after: /line 2 of the diff begins with none of/,
  },
  {
    name: "an unknown part",
    before: {},
    patch: "*** Rename File: a",
    after: /Line 2 is no part of a patch/,
  },
  {
    name: "empty context lines without their blank, other line ends, no newline at the end",
    before: { a: "x\r\n\r\ny\r\nz" },
    patch: "*** Update File: a\n@@\n x\n\n-y\n+Y\n z",
    after: { a: "x\r\n\r\nY\r\nz" },
  },
];

test.each(CASES)("EDIT-81 $name", async ({ before, patch, after }) => {
  for (const [name, content] of Object.entries(before)) bench.file(name, content);
  const input = `*** Begin Patch\n${patch}\n*** End Patch`;
  const result = await editsIn(bench, "apply_patch").call({ input });
  if (after instanceof RegExp) {
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(after) });
    expect(treeOf(bench.cwd)).toEqual(before);
    return;
  }
  if (result.isError) throw new Error(result.text);
  expect(treeOf(bench.cwd)).toEqual(after);
});

test("EDIT-81 the same as patch entries gives the same", async () => {
  const files = { a: COUNTING, b: "y\n", c: "z\n" };
  const parts =
    "*** Update File: a\n@@\n-one\n+ONE\n*** Update File: b\n*** Move to: m\n@@\n-y\n+Y";
  for (const [name, content] of Object.entries(files)) bench.file(name, content);
  const input = `*** Begin Patch\n*** Add File: n\n+x\n${parts}\n*** Delete File: c\n*** End Patch`;
  const free = await editsIn(bench, "apply_patch").call({ input });
  const tree = treeOf(bench.cwd);
  await bench[Symbol.asyncDispose]();
  bench = createWorkbench();
  for (const [name, content] of Object.entries(files)) bench.file(name, content);
  const entries = [
    { path: "n", op: "create", diff: "x\n" },
    { path: "a", op: "update", diff: "@@\n-one\n+ONE" },
    { path: "b", op: "update", diff: "@@\n-y\n+Y", rename: "m" },
    { path: "c", op: "delete" },
  ];
  const json = await editsIn(bench, "patch").call({ files: entries });
  expect(treeOf(bench.cwd)).toEqual(tree);
  expect(json.text).toBe(free.text);
});

test("a patch that was cut off is refused whole", async () => {
  const { text } = await editsIn(bench, "apply_patch").call({
    input: "*** Begin Patch\n*** Add File: a\n+x",
  });
  expect(text).toContain('must end with "*** End Patch"');
  expect(treeOf(bench.cwd)).toEqual({});
});

function treeOf(folder: string): Tree {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.flatMap((entry) => {
      if (!entry.isFile()) return [];
      const path = join(entry.parentPath, entry.name);
      return [[path.slice(folder.length + 1), readFileSync(path, "utf8")]];
    }),
  );
}
