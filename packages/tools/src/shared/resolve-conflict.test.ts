/** Conflicts of a merge, resolved by writing to them. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { edit } from "../edit/tool.ts";
import { read } from "../read/tool.ts";
import { write } from "../write/tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const block = (name: string, base = "") =>
  `<<<<<<< HEAD\n${name} ours\n${base}=======\n${name} theirs\n>>>>>>> branch\n`;
const scan = (path: string) => bench.call(read, { path: `${path}:conflicts` });
const resolve = (url: string, content: string) => bench.call(write, { path: url, content });
const text = (path: string) => readFileSync(path, "utf8");
const tagIn = (shown: string) => /^¶.*#([0-9A-F]{4})$/m.exec(shown)?.[1];

test("WRITE-04 WRITE-27 IURL-14 EDIT-38 a conflict is replaced, the rest stays, and the answer has a fresh header", async () => {
  const path = bench.file("f.txt", `top\n${block("a")}middle\n${block("b")}end\n`);
  await scan("f.txt");
  const { isError, text: told } = await resolve("conflict://1", "both of a");
  expect(isError).toBe(false);
  expect(text(path)).toBe(`top\nboth of a\nmiddle\n${block("b")}end\n`);
  expect(told).toMatch(
    /^¶f\.txt#[0-9A-F]{4}\nResolved conflict 1 in f\.txt \(lines 2-6\); 1 left\.$/,
  );
  const input = `¶f.txt#${tagIn(told)}\n= 1..1\n~TOP`;
  expect(await bench.call(edit, { input })).toMatchObject({ isError: false });
  expect(await resolve("conflict://*", "@theirs\n")).toMatchObject({ isError: false });
  expect(text(path)).toBe("TOP\nboth of a\nmiddle\nb theirs\nend\n");
  expect(await resolve("conflict://2/ours", "x")).toMatchObject({
    isError: true,
    text: expect.stringContaining("can only be read"),
  });
});

test("WRITE-29 unknown and stale conflicts are refused, and nothing is written", async () => {
  const path = bench.file("f.txt", block("a"));
  expect(await resolve("conflict://999", "x")).toMatchObject({ isError: true });
  expect(await resolve("conflict://*", "x")).toMatchObject({ isError: true });
  await scan("f.txt");
  writeFileSync(path, block("a").replace("a ours", "a mine"));
  expect(await resolve("conflict://1", "x")).toMatchObject({
    isError: true,
    text: expect.stringContaining("Read f.txt:conflicts again"),
  });
  expect(text(path)).toBe(block("a").replace("a ours", "a mine"));
});

test("WRITE-28 all at once: a header for each file that was written, the reason for the others", async () => {
  const one = bench.file("one.txt", `${block("a")}-\n${block("a")}`);
  const two = bench.file("two.txt", block("b"));
  const gone = bench.file("gone.txt", block("c"));
  for (const name of ["one.txt", "two.txt", "gone.txt"]) await scan(name);
  rmSync(gone);
  mkdirSync(gone);
  const { isError, text: told } = await resolve("conflict://*", "@ours");
  expect(isError).toBe(false);
  expect([text(one), text(two)]).toEqual(["a ours\n-\na ours\n", "b ours\n"]);
  const headers = told.slice(told.indexOf("Snapshots:")).split("\n").slice(1);
  expect(headers.map((header) => header.split("#")[0])).toEqual(["¶one.txt", "¶two.txt"]);
  expect(told).toContain("Not resolved:\ngone.txt: ");
  for (const header of headers) {
    const input = `${header}\n= 1..1\n~done`;
    expect(await bench.call(edit, { input })).toMatchObject({ isError: false });
  }
  expect([text(one), text(two)]).toEqual(["done\n-\na ours\n", "done\n"]);
  expect(dirname(one)).toBe(bench.cwd);
});

test("line ends, modes and a missing last end stay as they are", async () => {
  const path = bench.file("dos.txt", `\ufefftop\r\n${block("a").replaceAll("\n", "\r\n")}end`);
  chmodSync(path, 0o755);
  await scan("dos.txt");
  await resolve("conflict://1", "one\ntwo");
  expect(text(path)).toBe("\ufefftop\r\none\r\ntwo\r\nend");
  expect(statSync(path).mode & 0o777).toBe(0o755);
  const last = bench.file("last.txt", block("b").trimEnd());
  await scan("last.txt");
  await resolve("conflict://2", "b");
  expect(text(last)).toBe("b");
  const none = bench.file("none.txt", `x\n${block("c")}y\n`);
  await scan("none.txt");
  await resolve("conflict://3", "");
  expect(text(none)).toBe("x\ny\n");
});
