/** Edits as replaced text and as diffs, on real files. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contentOf, editsIn, numbered, shown } from "../../test/edits.ts";
import { createWorkbench, type CallResult, type Workbench } from "../../test/workbench.ts";
import { find } from "../find/tool.ts";
import { edit } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

describe("replace", () => {
  const replace = (content: string, ...edits: object[]): Promise<CallResult> => {
    bench.file("f", content);
    return editsIn(bench, "replace").call({ path: "f", edits });
  };
  const one = (old_text: string, new_text: string, all?: boolean) => ({
    old_text,
    new_text,
    ...(all === undefined ? {} : { all }),
  });

  test("EDIT-79 exact text, inside of lines and across them", async () => {
    const result = await replace("a b\nc d\ne\n", one("b\nc", "x\ny\nz"), one("e", "E"));
    expect(result).toMatchObject({
      isError: false,
      details: { op: "update", firstChangedLine: 1 },
    });
    expect(contentOf(bench, "f")).toBe("a x\ny\nz d\nE\n");
    expect(result.text).toStartWith("f:\n-1:a b\n");
  });

  test("EDIT-79 more than one place is refused with its lines, or all are replaced", async () => {
    const { text } = await replace("x\ny\nx\n", one("x", "z"));
    expect(text).toContain("f, edit 1: the old text is there 2 times (lines 1, 3)");
    expect(contentOf(bench, "f")).toBe("x\ny\nx\n");
    await replace("x\ny\nx\n", one("x", "z", true));
    expect(contentOf(bench, "f")).toBe("z\ny\nz\n");
  });

  test("EDIT-79 other indentation, blanks and typography are found where that leaves no doubt", async () => {
    const content = "class A {\n    run() {\n        go(“x”);  \n    }\n}\n";
    const wish = one('run() {\n    go("x");\n}\n', "run() {\n    stop();\n\n    end();\n}\n");
    const { text } = await replace(content, wish);
    expect(contentOf(bench, "f")).toBe(
      "class A {\n    run() {\n        stop();\n\n        end();\n    }\n}\n",
    );
    expect(text).toContain("Warnings:\nThe old text was found with other white space");
    bench.editing = { ...bench.editing, fuzzyMatch: false };
    expect(await replace(content, wish)).toMatchObject({ isError: true });
    expect(contentOf(bench, "f")).toBe(content);
  });

  test("EDIT-79 alike in two places, or indented unevenly, is not found", async () => {
    const twice = "  a();\n  b();\n\n\ta();\n\tb();\n";
    expect((await replace(twice, one("a();\nb();", "c();"))).text).toContain(
      "2 times (lines 1, 4)",
    );
    const uneven = "  a();\n      b();\n";
    expect(await replace(uneven, one("a();\nb();", "c();"))).toMatchObject({ isError: true });
    expect(contentOf(bench, "f")).toBe(uneven);
  });

  test("EDIT-79 what is missing is told with the nearest lines", async () => {
    const wish = one("const valeu = compute(12);", "x");
    const near = await replace("a\nconst value = compute(12);\nb\n", wish);
    expect(near.text).toEndWith("The nearest lines are:\n2:const value = compute(12);");
    bench.editing = { ...bench.editing, fuzzyThreshold: 0.8 };
    const close = await replace("a\nconst value = compute(12);\nb\n", wish);
    expect(close.text).toContain("Almost the same text is at:");
    expect(contentOf(bench, "f")).toBe("a\nconst value = compute(12);\nb\n");
  });

  const KEPT = [
    ["\ufeffa\r\nb\nc\r\n", "b", "x\ny", "\ufeffa\r\nx\ny\nc\r\n"],
    ["a\r\nb\r\nc", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc"],
    ["a\nb\n", "b\n", "b", "a\nb"],
    ["a\nb", "b", "b\n", "a\nb\n"],
    ["a\r\nb\r\n", "a\n", "", "b\r\n"],
    ["a\r\nb\r\n", "\nb\n", "\nc\n", "a\r\nc\r\n"],
  ] as const;
  test.each(KEPT)("%j is byte-exact outside of the edit", async (content, from, to, expected) => {
    expect(await replace(content, one(from, to))).toMatchObject({ isError: false });
    expect(contentOf(bench, "f")).toBe(expected);
  });

  test("edits that touch the same text are refused, a missing file is told", async () => {
    const { text } = await replace("abc\n", one("ab", "x"), one("bc", "y"));
    expect(text).toContain("two edits change the same text");
    const missing = await editsIn(bench, "replace").call({ path: "none", edits: [one("a", "b")] });
    expect(missing.text).toBe("File not found: none");
  });
});

describe("patch", () => {
  const patch = (...files: object[]) => editsIn(bench, "patch").call({ files });
  const update = (path: string, diff: string, more: object = {}) => ({
    path,
    op: "update",
    diff,
    ...more,
  });

  test("EDIT-80 hunks are found by their lines, twenty lines further too", async () => {
    bench.file("f", numbered(20, "new") + numbered(30));
    const diff = "@@ -9,3 +9,4 @@ whatever\n line 9\n-line 10\n+ten\n+more\n line 11\n";
    expect(await patch(update("f", diff))).toMatchObject({ isError: false });
    expect(contentOf(bench, "f")).toBe(
      numbered(20, "new") + numbered(30).replace("line 10\n", "ten\nmore\n"),
    );
  });

  test("EDIT-80 a hunk that does not fit is named, and all files stay", async () => {
    bench.file("a", numbered(9));
    bench.file("b", numbered(9));
    const good = "@@\n line 1\n-line 2\n";
    const bad = `${good}@@\n line 5\n-other\n`;
    const { text, isError } = await patch(update("a", good), update("b", bad));
    expect(isError).toBe(true);
    expect(text).toContain("b, hunk 2: its context is not there");
    expect(contentOf(bench, "a")).toBe(numbered(9));
    expect(contentOf(bench, "b")).toBe(numbered(9));
  });

  test("a place that is there twice needs a number that fits or a line above it", async () => {
    const content = "class A\n  x\n  y\nclass B\n  x\n  y\n";
    const body = "\n   x\n-  y\n+  z\n";
    bench.file("f", content);
    const { text } = await patch(update("f", `@@${body}`));
    expect(text).toContain("f, hunk 1: its context is there 2 times (lines 2, 5)");
    expect(await patch(update("f", `@@ -4,2 +4,2 @@${body}`))).toMatchObject({ isError: true });
    await patch(update("f", `@@ -5,2 +5,2 @@${body}`));
    expect(contentOf(bench, "f")).toBe("class A\n  x\n  y\nclass B\n  x\n  z\n");
    bench.file("f", content);
    await patch(update("f", `@@ class B${body}`));
    expect(contentOf(bench, "f")).toBe("class A\n  x\n  y\nclass B\n  x\n  z\n");
  });

  test("EDIT-80 EDIT-82 create, delete, rename; old names are forgotten", async () => {
    const header = shown(bench, "old.ts", "a\nb\n");
    bench.file("gone.ts", "x\n");
    const found = async () => (await bench.call(find, { paths: ["**/*.ts"] })).text;
    expect(await found()).toContain("old.ts");
    const result = await patch(
      { path: "dir/new.ts", op: "create", diff: "one\ntwo\n" },
      { path: "plus.ts", op: "create", diff: "@@ -0,0 +1,2 @@\n+one\n+two\n" },
      { path: "gone.ts", op: "delete" },
      update("old.ts", "@@\n a\n-b\n+c\n", { rename: "dir/name.ts" }),
    );
    expect(result).toMatchObject({
      isError: false,
      text: expect.stringContaining("Deleted gone.ts"),
      details: { perFileResults: [{}, {}, { op: "delete" }, { movedTo: "dir/name.ts" }] },
    });
    expect(contentOf(bench, "dir/new.ts")).toBe("one\ntwo\n");
    expect(contentOf(bench, "plus.ts")).toBe("one\ntwo\n");
    expect(contentOf(bench, "dir/name.ts")).toBe("a\nc\n");
    expect(existsSync(join(bench.cwd, "gone.ts"))).toBe(false);
    expect(existsSync(join(bench.cwd, "old.ts"))).toBe(false);
    const names = await found();
    expect(names).toContain("name.ts");
    expect(names).not.toMatch(/old\.ts|gone\.ts/);
    bench.file("old.ts", "a\nB\n");
    editsIn(bench, "hashline");
    const stale = await bench.call(edit, { input: `${header}\n= 1\n~x` });
    expect(stale.text).toContain("is not known for old.ts");
  });

  test("what is in the way of a new name or file is refused", async () => {
    bench.file("a", "a\n");
    bench.file("b", "b\n");
    const exists = "exists already";
    expect((await patch({ path: "a", op: "create", diff: "x" })).text).toContain(exists);
    expect((await patch(update("a", "", { rename: "b" }))).text).toContain(exists);
    expect((await patch({ path: "c", op: "delete" })).text).toBe("File not found: c");
    expect((await patch(update("a", "@@\n-a\n"), { path: "a", op: "delete" })).text).toContain(
      "twice",
    );
    expect(contentOf(bench, "a") + contentOf(bench, "b")).toBe("a\nb\n");
  });

  test("a hunk that only adds needs a place; blanks at line ends do not matter", async () => {
    bench.file("f", "a  \nb\r\n");
    expect((await patch(update("f", "@@\n+x\n"))).text).toContain("it only adds lines");
    await patch(update("f", "@@\n a\n-b\n+c\n"));
    expect(contentOf(bench, "f")).toBe("a  \nc\r\n");
  });
});

/** Shared by all forms: an edit of line 2 of `f` from "b" to "x". */
const SAME_EDIT = {
  hashline: (header: string) => ({ input: `${header}\n= 2\n~x` }),
  replace: () => ({ path: "f", edits: [{ old_text: "b", new_text: "x" }] }),
  patch: () => ({ files: [{ path: "f", op: "update", diff: "@@\n-b\n+x\n" }] }),
  apply_patch: () => ({
    input: "*** Begin Patch\n*** Update File: f\n@@\n-b\n+x\n*** End Patch",
  }),
} as const;
const FORMS = Object.keys(SAME_EDIT) as (keyof typeof SAME_EDIT)[];

test.each(FORMS)("%s keeps bytes, refuses generated files and tells the same", async (mode) => {
  const { call, tool } = editsIn(bench, mode);
  expect(tool).toMatchObject({ name: "edit", concurrency: "exclusive", tier: "write" });
  const content = "\ufeffa\r\nb\nc";
  const header = shown(bench, "f", content);
  const result = await call(SAME_EDIT[mode](header));
  expect(result).toMatchObject({
    isError: false,
    details: { op: "update", firstChangedLine: 2, path: "f" },
  });
  expect(readFileSync(join(bench.cwd, "f"), "utf8")).toBe("\ufeffa\r\nx\nc");
  const generated = "# @generated by hand\nb\n";
  const refused = await call(SAME_EDIT[mode](shown(bench, "f", generated)));
  expect(refused.text).toContain("is a generated file");
  expect(contentOf(bench, "f")).toBe(generated);
});

test("a call of another form is told what this one takes", async () => {
  const header = shown(bench, "f", "a\nb\n");
  const { call } = editsIn(bench, "apply_patch");
  expect((await call(SAME_EDIT.hashline(header))).text).toBe(
    'The patch must begin with "*** Begin Patch".',
  );
  expect(contentOf(bench, "f")).toBe("a\nb\n");
});
