/** Writing real files through the tool. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { write } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (path: string, content: string) => bench.call(write, { path, content });

test("WRITE-01 two required strings", () => {
  expect(write.input).toMatchObject({
    required: ["path", "content"],
    properties: { path: { type: "string" }, content: { type: "string" } },
  });
  expect(Value.Check(write.input, { path: "a", content: "" })).toBe(true);
  expect(Value.Check(write.input, { path: "a" })).toBe(false);
  expect(Value.Check(write.input, { content: "a" })).toBe(false);
  expect(write).toMatchObject({ name: "write", tier: "write", concurrency: "exclusive" });
});

test("WRITE-14 an existing file is replaced by exactly the content", async () => {
  const path = bench.file("a.txt", "old and longer\n");
  const content = "new\r\n\x1b[31m\0é";
  expect(await call("a.txt", content)).toMatchObject({ isError: false });
  expect(readFileSync(path, "utf8")).toBe(content);
});

test("WRITE-15 missing directories are created", async () => {
  expect(await call("new/dir/x.txt", "x")).toMatchObject({ isError: false });
  expect(readFileSync(join(bench.cwd, "new/dir/x.txt"), "utf8")).toBe("x");
});

test("WRITE-23 the answer counts real bytes and names the relative path", async () => {
  const { text, details } = await call("sub/../é.txt", "é");
  expect(text).toBe("Successfully wrote 2 bytes to é.txt");
  expect(details).toEqual({ resolvedPath: join(bench.cwd, "é.txt") });
});

test("~ is the home, and a path outside is named in full", async () => {
  const path = join(bench.home, "note");
  expect((await call("~/note", "x")).text).toBe(`Successfully wrote 1 bytes to ${path}`);
  expect(readFileSync(path, "utf8")).toBe("x");
});

test("a directory in the way is told", async () => {
  mkdirSync(join(bench.cwd, "taken"));
  expect(await call("taken", "x")).toMatchObject({
    isError: true,
    text: `${join(bench.cwd, "taken")}: is a directory`,
  });
});
