/** Finding real files through the tool. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { limitClock } from "@omp/testkit";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Value } from "typebox/value";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { find } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (input: object) => bench.call(find, input);
const lines = async (...paths: string[]) => (await call({ paths })).text.split("\n").toSorted();
const fill = (...names: string[]) => names.forEach((name) => bench.file(name, "x"));

describe("input", () => {
  test("FIND-01 paths is a list of strings, and required", () => {
    expect(find.input).toMatchObject({
      required: ["paths"],
      properties: { paths: { type: "array", items: { type: "string" } } },
    });
    expect(Value.Check(find.input, { paths: ["a"] })).toBe(true);
    expect(Value.Check(find.input, find.accept!({}))).toBe(false);
    expect(find).toMatchObject({ name: "find", tier: "read", concurrency: "shared" });
  });

  test("FIND-02 dot files are listed unless told otherwise", async () => {
    fill(".env", "a", ".hid/b");
    expect(await lines(".")).toEqual([".env", ".hid/b", "a"]);
    expect((await call({ paths: ["."], hidden: false })).text).toBe("a");
  });

  test("FIND-03 the limit: 1000, floored, positive", async () => {
    for (let index = 0; index < 1200; index++) bench.file(`f${index}`, "");
    const { text, details } = await call({ paths: ["."] });
    expect(text.split("\n\n")[0]!.split("\n")).toHaveLength(1000);
    expect(text).toEndWith("\n\n[Showing the newest 1000 of 1200 files; narrow the paths]");
    expect(details).toMatchObject({ fileCount: 1000, resultLimitReached: 1000 });
    const two = await call({ paths: ["."], limit: 2.9 });
    expect(two.text.split("\n\n")[0]!.split("\n")).toHaveLength(2);
    const run = await find.load();
    const report = () => {};
    const signal = new AbortController().signal;
    for (const limit of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const asked = run(
        { paths: ["."], limit },
        { id: "", cwd: bench.cwd, signal, report },
        {} as never,
      );
      await expect(asked).rejects.toThrow("Limit must be a positive number");
    }
  });

  test("FIND-04 backslashes are slashes, and nothing is no path", async () => {
    fill("src/a.ts");
    expect(await lines("src\\*.ts")).toEqual(["src/a.ts"]);
    expect(await lines("  src ")).toEqual(["src/a.ts"]);
    const nothing = { isError: true, text: "`paths` must contain non-empty globs or paths" };
    expect(await call({ paths: [" "] })).toMatchObject(nothing);
    expect(await call({ paths: [] })).toMatchObject(nothing);
  });

  test("FIND-34 path, and one string, are understood but not told", async () => {
    fill("src/a.ts", "b.ts");
    expect((await call({ path: "src" })).text).toBe("src/a.ts");
    expect((await call({ path: ["src"] })).text).toBe("src/a.ts");
    expect((await call({ paths: "src" })).text).toBe("src/a.ts");
    expect(Object.keys((find.input as { properties?: object }).properties!)).not.toContain("path");
    expect(find.aliases).toEqual(["glob"]);
  });
});

describe("patterns", () => {
  test("FIND-05 other signs are letters, and a name that exists is no glob", async () => {
    fill("a+b.txt", "app/[slug].ts", "app/s.ts");
    expect(await lines("a+b.txt")).toEqual(["a+b.txt"]);
    expect(await lines("app/[slug].ts")).toEqual(["app/[slug].ts"]);
  });

  test("FIND-06 a file is itself", async () => {
    fill("src/a.ts", "src/a.ts.map");
    expect(await lines("src/a.ts")).toEqual(["src/a.ts"]);
  });

  test("FIND-07 a directory is all that is below", async () => {
    fill("src/a.ts", "src/deep/b.ts", "c.ts");
    expect(await lines("src")).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await lines("src/")).toEqual(["src/a.ts", "src/deep/b.ts"]);
  });

  test("FIND-08 a glob in the first part looks everywhere", async () => {
    fill("a.ts", "src/deep/x.ts", "src/x.js");
    expect(await lines("*.ts")).toEqual(["a.ts", "src/deep/x.ts"]);
    expect(await lines("**/*.ts")).toEqual(["a.ts", "src/deep/x.ts"]);
  });

  test("FIND-09 a glob later starts where the path ends", async () => {
    fill("src/a.ts", "src/deep/b.ts", "src/deep/er/c.ts", "src/!odd.ts");
    expect(await lines("src/[a-z].ts")).toEqual(["src/a.ts"]);
    expect(await lines("src/**/*.ts")).toEqual([
      "src/!odd.ts",
      "src/a.ts",
      "src/deep/b.ts",
      "src/deep/er/c.ts",
    ]);
    expect(await lines("src/*/*.ts")).toEqual(["src/deep/b.ts"]);
    expect(await lines("src/{deep/er,none}/*.ts")).toEqual(["src/deep/er/c.ts"]);
    expect(await lines("src/!*.ts")).toEqual(["src/!odd.ts"]);
  });

  test("FIND-10 several globs give one list, each file once, newest first", async () => {
    fill("a.ts", "b.js", "src/c.ts");
    for (const [index, name] of ["a.ts", "src/c.ts", "b.js"].entries())
      utimesSync(join(bench.cwd, name), 1000 + index, 1000 + index);
    expect((await call({ paths: ["*.ts", "*.js", "src/*.ts"] })).text).toBe("b.js\nsrc/c.ts\na.ts");
  });

  test("FIND-11 FIND-24 places that have nothing in common are all searched; outside names are whole", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "omp-find-"));
    try {
      await Bun.write(join(elsewhere, "x.ts"), "");
      utimesSync(join(elsewhere, "x.ts"), 2_000_000_000, 2_000_000_000);
      fill("src/a.ts");
      const { text } = await call({ paths: ["*.ts", elsewhere] });
      expect(text).toBe(`${join(elsewhere, "x.ts")}\nsrc/a.ts`);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  const ROOTS = [["/"], ["/*.txt"], ["src/../../../../../../../../.."]] as const;
  test.each(ROOTS)("FIND-12 %s is refused", async (path) => {
    fill("src/a");
    const text = "Searching from root directory '/' is not allowed";
    expect(await call({ paths: [path] })).toMatchObject({ isError: true, text });
  });

  test("FIND-13 FIND-14 FIND-26 what is missing fails alone and is told in company", async () => {
    fill("a.ts");
    expect(await call({ paths: ["none"] })).toMatchObject({
      isError: true,
      text: "Path not found: none",
    });
    expect(await call({ paths: ["none/*.ts", "nor/this"] })).toMatchObject({
      isError: true,
      text: "Path not found: none/*.ts, nor/this",
    });
    const some = await call({ paths: ["*.ts", "none"] });
    expect(some.text).toBe("a.ts\n\nSkipped missing paths: none");
    expect(some.details).toMatchObject({ missingPaths: ["none"] });
    expect((await call({ paths: ["*.js", "none"] })).text).toBe(
      "No files found matching pattern\n\nSkipped missing paths: none",
    );
  });

  test("FIND-15 a glob below a file", async () => {
    fill("file.txt");
    const text = "Path is not a directory: file.txt";
    expect(await call({ paths: ["file.txt/*.ts"] })).toMatchObject({ isError: true, text });
  });

  test("FIND-16 letters composed otherwise and other quotes are the same name", async () => {
    const name = "Café’s.txt".normalize("NFD");
    fill(`Ünter/${name}`.normalize("NFD"));
    const found = await lines("Ünter/Café's.txt".normalize("NFC"));
    expect(found).toEqual([`Ünter/${name}`.normalize("NFD")]);
  });
});

describe("search", () => {
  test("FIND-17 ignored files are not listed, and nothing can change that", async () => {
    fill("a.ts", "b.ts", "node_modules/p/i.js", "sub/c.ts", "sub/d.log");
    bench.file(".gitignore", "b.ts\n");
    bench.file("sub/.gitignore", "*.log\n");
    expect(await lines("**/*.{ts,log,js}")).toEqual(["a.ts", "sub/c.ts"]);
    expect(await lines("node_modules")).toEqual(["node_modules/p/i.js"]);
    expect(Object.keys((find.input as { properties?: object }).properties!)).toEqual([
      "paths",
      "hidden",
      "limit",
    ]);
  });

  test("FIND-18 only files, and links that lead to one", async () => {
    fill("dir/file");
    mkdirSync(join(bench.cwd, "dir/empty"));
    symlinkSync("file", join(bench.cwd, "dir/link"));
    symlinkSync("empty", join(bench.cwd, "dir/to-folder"));
    symlinkSync("nowhere", join(bench.cwd, "dir/broken"));
    symlinkSync("..", join(bench.cwd, "dir/loop"));
    expect(await lines("dir")).toEqual(["dir/file", "dir/link"]);
  });

  test("FIND-19 FIND-20 the newest of all come first, however small the limit", async () => {
    for (let index = 0; index < 2000; index++) {
      const path = bench.file(`d${index % 50}/f${index}`, "");
      const seconds = 1_000_000 + ((index * 7919) % 2000);
      utimesSync(path, seconds, seconds);
    }
    const rank = (line: string) => (Number(/f(\d+)$/.exec(line)![1]) * 7919) % 2000;
    const { text } = await call({ paths: ["."], limit: 10 });
    const ranks = text.split("\n\n")[0]!.split("\n").map(rank);
    expect(ranks).toEqual([1999, 1998, 1997, 1996, 1995, 1994, 1993, 1992, 1991, 1990]);
  });

  test("FIND-21 five seconds are enough", async () => {
    const { clock, pass, isWaiting } = limitClock();
    await using slow = createWorkbench({ clock });
    for (let index = 0; index < 3000; index++) mkdirSync(join(slow.cwd, `d${index}`));
    const running = slow.call(find, { paths: ["."] });
    await isWaiting;
    pass(5000);
    expect(await running).toMatchObject({
      isError: true,
      text: expect.stringContaining("find timed out after 5s"),
    });
  });

  test("FIND-22 an abort is an abort", async () => {
    for (let index = 0; index < 3000; index++) mkdirSync(join(bench.cwd, `d${index}`));
    const controller = new AbortController();
    const running = bench.call(find, { paths: ["."] }, controller.signal);
    controller.abort();
    await expect(running).rejects.toBe(controller.signal.reason);
  });

  test("FIND-23 what else the system says about a path is told", async () => {
    symlinkSync("self", join(bench.cwd, "self"));
    const { isError, text } = await call({ paths: ["self", "."] });
    expect([isError, text]).toEqual([true, expect.stringContaining("ELOOP")]);
  });
});

describe("output", () => {
  test("FIND-25 nothing found is no error", async () => {
    fill("a");
    const nothing = await call({ paths: ["*.zip"] });
    expect(nothing).toMatchObject({ isError: false, text: "No files found matching pattern" });
    expect(nothing.useless).toBe(true);
    expect((await call({ paths: ["a"] })).useless).toBeUndefined();
  });

  test("FIND-27 FIND-28 no more than 50 KiB, and the facts", async () => {
    const long = "x".repeat(100);
    for (let index = 0; index < 900; index++) bench.file(`${long}/f${index}`, "");
    const { text, details } = await call({ paths: ["*", "none"] });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(51_200);
    const shown = text.split("\n\n")[0]!.split("\n");
    expect(shown.length).toBeGreaterThan(400);
    expect(details).toEqual({
      scopePath: ".",
      fileCount: 900,
      files: shown,
      truncated: true,
      missingPaths: ["none"],
      truncation: { truncatedBy: "bytes", totalLines: 900, outputLines: shown.length },
    });
    expect((await call({ paths: [long], limit: 1 })).details).toMatchObject({
      scopePath: long,
      fileCount: 1,
      truncated: true,
      resultLimitReached: 1,
      meta: { limits: { resultLimit: 1 } },
    });
  });

  test("FIND-30 nothing is written", async () => {
    fill("a", "b/c");
    const before = readdirSync(bench.cwd, { recursive: true });
    await call({ paths: ["."] });
    expect(readdirSync(bench.cwd, { recursive: true })).toEqual(before);
  });
});
