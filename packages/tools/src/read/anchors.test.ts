/** Lines that edits can name: headers, tags, and what has none. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { edit } from "../edit/tool.ts";
import { read } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (path: string) => bench.call(read, { path });
const textOf = async (path: string) => (await call(path)).text;
const tagIn = (text: string) => /^¶.*#([0-9A-F]{4})$/m.exec(text)?.[1];
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("READ-23 EDIT-37 a header with the tag, then LINE:TEXT; nothing of it where edits do not name lines", async () => {
  bench.file("sub/f.txt", "a\n\nb: c\n");
  expect(await textOf("sub/f.txt")).toMatch(/^¶sub\/f\.txt#[0-9A-F]{4}\n1:a\n2:\n3:b: c$/);
  expect(await textOf("sub/f.txt:raw")).toBe("a\n\nb: c\n");
  bench.editing = { ...bench.editing, showsAnchors: false };
  expect(await textOf("sub/f.txt")).toBe("a\n\nb: c");
});

test("READ-24 plain numbers only where they are wished", async () => {
  bench.file("f", "a\nb\n");
  bench.editing = { ...bench.editing, showsAnchors: false, mode: "replace" };
  expect(await textOf("f")).toBe("a\nb");
  bench.reading = { ...bench.reading, lineNumbers: true };
  expect(await textOf("f")).toBe("1:a\n2:b");
});

test("READ-25 EDIT-41 the tag is that of the whole file, by its content", async () => {
  const path = bench.file("f", numbered(50));
  const first = tagIn(await textOf("f"));
  expect(tagIn(await textOf("f:10-12"))).toBe(first);
  expect(tagIn(await textOf("f:1-2,40-41"))).toBe(first);
  expect(bench.snapshots.find(path, first!)).toBe(numbered(50));
  writeFileSync(path, numbered(51));
  expect(tagIn(await textOf("f:10-12"))).not.toBe(first);
  writeFileSync(path, numbered(50).replaceAll("\n", "\r\n"));
  expect(tagIn(await textOf("f"))).toBe(first);
});

test("a file that is too large to be known as a whole has no anchors", async () => {
  truncateSync(bench.file("huge", numbered(10)), 2 ** 33);
  expect(await textOf("huge:2-4:raw")).toStartWith("line 2\nline 3\nline 4\n");
  const path = bench.file("long", "x".repeat(99).concat("\n").repeat(90_000));
  const long = await textOf("long:5-6");
  expect(long).toStartWith("xxx");
  expect(long).toContain("[No anchors: ");
  expect(bench.snapshots.find(path, "0000")).toBeUndefined();
});

test("what is not UTF-8 further down is shown without anchors: it cannot be edited", async () => {
  bench.file("latin", Buffer.concat([Buffer.alloc(9000, "a\n"), Uint8Array.of(0xe9, 10)]));
  const text = await textOf("latin");
  expect(text).toStartWith("a\na\n");
  expect(text).toContain("[No anchors: ");
});

test("READ-30 a file with CRLF is shown without carriage returns and stays as it is in an edit", async () => {
  const path = bench.file("dos.txt", "\ufeffone\r\ntwo\r\nthree\r\n");
  const text = await textOf("dos.txt");
  expect(text).toMatch(/^¶dos\.txt#....\n1:one\n2:two\n3:three$/);
  const input = `¶dos.txt#${tagIn(text)}\n= 2..2\n~zwei`;
  expect(await bench.call(edit, { input })).toMatchObject({ isError: false });
  expect(readFileSync(path, "utf8")).toBe("\ufeffone\r\nzwei\r\nthree\r\n");
});

describe("structural summaries", () => {
  const functions = (count: number) =>
    Array.from(
      { length: count },
      (_, at) =>
        `export function f${at}(a: number) {\n  const b = a;\n  const c = b;\n  const d = c;\n  const e = d;\n  return e;\n}\n`,
    ).join("\n");
  beforeEach(() => {
    bench.reading = {
      ...bench.reading,
      summarize: { enabled: true, prose: false, minTotalLines: 100 },
    };
  });

  test("READ-31 READ-32 READ-79 a long source is shown by its declarations, with what was left out", async () => {
    const path = bench.file("f.ts", functions(120));
    const { text, details } = await call("f.ts");
    const lines = text.split("\n");
    expect(lines[0]).toBe(`¶f.ts#${tagIn(text)}`);
    expect(lines[1]).toBe("1-7:export function f0(a: number) { … }");
    expect(lines.filter((line) => line.includes("export function"))).toHaveLength(120);
    expect(text).not.toContain("const b");
    expect(lines.at(-1)).toBe(
      "[…600ln elided; re-read needed ranges, e.g. f.ts:2-6,10-14,18-22,26-30]",
    );
    expect(details).toMatchObject({
      summary: { lines: 959, elidedSpans: 120, elidedLines: 600 },
      resolvedPath: path,
    });
    expect(await textOf("f.ts:2-6")).toContain("\n2:  const b = a;\n");
  });

  test("READ-33 not for short or huge files, ranges, raw reads, and prose only where it is wished", async () => {
    bench.file("short.ts", functions(5));
    bench.file("long.ts", functions(120));
    bench.file("lines.ts", functions(2600));
    bench.file("bytes.ts", functions(120) + `// ${"x".repeat(2 ** 21)}\n`);
    bench.file("notes.md", `# One\n\n${"word\n".repeat(150)}# Two\n\n${"word\n".repeat(50)}`);
    for (const path of [
      "short.ts",
      "long.ts:1-50",
      "long.ts:raw",
      "lines.ts",
      "bytes.ts",
      "notes.md",
    ]) {
      expect(await textOf(path)).not.toContain("elided");
    }
    expect(await textOf("long.ts")).toContain("elided");
    bench.reading = { ...bench.reading, summarize: { ...bench.reading.summarize, prose: true } };
    expect(await textOf("notes.md")).toMatch(/1:# One\n2-152:…\n153:# Two\n/);
    bench.reading = { ...bench.reading, summarize: { ...bench.reading.summarize, enabled: false } };
    expect(await textOf("long.ts")).not.toContain("elided");
  });

  test("READ-35 a line of a summary can be edited by its number and the summary's tag", async () => {
    const path = bench.file("f.ts", functions(120));
    const text = await textOf("f.ts");
    const [, line] = /^(\d+)-\d+:export function f60\(/m.exec(text)!;
    const input = `¶f.ts#${tagIn(text)}\n= ${line}..${line}\n~export function renamed(a: number) {`;
    expect(await bench.call(edit, { input })).toMatchObject({ isError: false });
    const expected = functions(120).replace("function f60(", "function renamed(");
    expect(readFileSync(path, "utf8")).toBe(expected);
  });

  test("what is inside of a class is seen, and so is a file that is one function", async () => {
    const methods = functions(20)
      .replaceAll(/^(?=.)/gm, "  ")
      .replaceAll("export function ", "");
    bench.file("class.ts", `export class Thing {\n${methods}}\n`);
    expect(await textOf("class.ts")).toContain("f3(a: number) { … }");
    bench.file(
      "one.ts",
      `export function all() {\n${functions(20).replaceAll(/^(?=.)/gm, "  ")}}\n`,
    );
    expect(await textOf("one.ts")).toContain("export function f3(a: number) { … }");
    const python = Array.from(
      { length: 40 },
      (_, at) => `def f${at}(a):\n${"    a += 1\n".repeat(5)}\n`,
    );
    bench.file("p.py", python.join(""));
    expect(await textOf("p.py")).toMatch(/1:def f0\(a\):\n2-6:…\n/);
  });
});
