/** Directories as trees. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { read } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (path: string) => bench.call(read, { path });
const textOf = async (path: string) => (await call(path)).text;
/** Some seconds old beyond the minutes, so that no test stands on an edge. */
const age = (path: string, minutes: number) => {
  const at = Date.now() / 1000 - minutes * 60 - 5;
  utimesSync(join(bench.cwd, path), at, at);
};

test("READ-36 READ-80 two levels, newest first, sizes and ages, the middle of many left out", async () => {
  bench.file("old.txt", "x".repeat(2048));
  bench.file("new.txt", "x");
  for (let at = 0; at < 16; at++) {
    bench.file(`sub/f${at}.ts`, "abc");
    age(`sub/f${at}.ts`, at + 1);
  }
  bench.file("sub/deep/hidden.ts", "");
  age("sub/deep", 0);
  age("old.txt", 3 * 24 * 60);
  age("sub", 120);
  expect(await textOf(".")).toBe(
    [
      "- new.txt  1B  just now",
      "- sub/  2h ago",
      "  - deep/  just now",
      ...Array.from({ length: 10 }, (_, at) => `  - f${at}.ts  3B  ${at + 1}m ago`),
      "  - … 5 more",
      "  - f15.ts  3B  16m ago",
      "- old.txt  2.0KB  3d ago",
    ].join("\n"),
  );
});

test("the root has no cap, a selector takes a part, and an empty one says so", async () => {
  for (let at = 0; at < 40; at++) bench.file(`f${at}`, "");
  for (let at = 0; at < 40; at++) age(`f${at}`, at);
  expect((await textOf(".")).split("\n")).toHaveLength(40);
  expect(await textOf(".:3-4")).toBe(
    "- f2  0B  2m ago\n- f3  0B  3m ago\n\n[Showing lines 3-4 of 40. Use :5 to continue]",
  );
  expect(await call(".")).toMatchObject({
    details: { isDirectory: true, resolvedPath: bench.cwd },
  });
  mkdirSync(join(bench.cwd, "none"));
  expect(await textOf("none")).toBe("(empty directory)");
});

test("READ-18 several ranges of a listing are refused", async () => {
  bench.file("sub/a", "");
  expect(await call("sub:1-2,4-5")).toMatchObject({ isError: true });
});

test("a link to a folder is not entered, and one that leads nowhere is listed", async () => {
  bench.file("real/a", "");
  symlinkSync("..", join(bench.cwd, "real/up"));
  symlinkSync("nowhere", join(bench.cwd, "broken"));
  const text = await textOf(".");
  expect(text).toContain("- broken");
  expect(text).toContain("  - up");
  expect(text).not.toContain("  - real");
});
