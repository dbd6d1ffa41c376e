/** Searching real files through the tool. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { limitClock } from "@omp/testkit";
import { createWriteStream, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { edit } from "../edit/tool.ts";
import { search } from "./tool.ts";

interface Details {
  readonly scopePath: string;
  readonly matchCount: number;
  readonly fileCount: number;
  readonly files: readonly string[];
}

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (pattern: string, more: object = {}) => bench.call(search, { pattern, ...more });
const filesOf = async (pattern: string, more: object = {}) =>
  ((await call(pattern, more)).details as Details).files;
/** Edits that name no lines: rows without tags. */
const plain = () => void (bench.editing = { ...bench.editing, showsAnchors: false });

describe("input", () => {
  test("SRCH-02 paths is told, path and others are understood; the defaults", async () => {
    expect(Object.keys((search.input as { properties?: object }).properties!)).toEqual([
      "pattern",
      "paths",
      "i",
      "gitignore",
      "skip",
    ]);
    expect(search.input).toMatchObject({ required: ["pattern"] });
    bench.file("src/a.ts", "word\n");
    bench.file("lib/b.ts", "WORD\n");
    bench.file("lib/c.ts", "word\n");
    bench.file(".gitignore", "c.ts\n");
    for (const paths of [{ path: "src" }, { path: ["src"] }, { path: "src;" }, { paths: "src" }])
      expect(await filesOf("word", paths)).toEqual(["src/a.ts"]);
    expect(await filesOf("word")).toEqual(["src/a.ts"]);
    for (const wish of [{ i: true }, { case: false }, { ignoreCase: true }])
      expect(await filesOf("word", wish)).toEqual(["lib/b.ts", "src/a.ts"]);
    expect(await filesOf("word", { case: true })).toEqual(["src/a.ts"]);
    expect(await filesOf("word", { gitignore: false })).toEqual(["lib/c.ts", "src/a.ts"]);
    expect(await filesOf("word", { gitignore: false, skip: 1 })).toEqual(["src/a.ts"]);
  });

  test("SRCH-03 blanks alone are no pattern, and belong to others", async () => {
    expect(await call("   ")).toMatchObject({ isError: true, text: "Pattern must not be empty" });
    bench.file("a", "xay\nx a y\n");
    expect((await call(" a ", { paths: ["a"] })).text).toEndWith("\n 1:xay\n*2:x a y");
  });

  test("SRCH-04 without a path the working directory is searched", async () => {
    bench.file("deep/a", "here\n");
    expect(await filesOf("here")).toEqual(["deep/a"]);
    expect(await filesOf("here", { paths: [] })).toEqual(["deep/a"]);
    expect(await filesOf("here", { path: "" })).toEqual(["deep/a"]);
  });

  test("SRCH-06 SRCH-33 what is missing is told last, or fails alone", async () => {
    bench.file("src/a", "word\n");
    const { text, details } = await call("word", { paths: ["src", "nosuch"] });
    expect(text).toEndWith("*1:word\n\nSkipped missing paths: nosuch");
    expect(details).toMatchObject({ missingPaths: ["nosuch"] });
    for (const paths of [["none"], ["none", "nor this"]])
      expect(await call("word", { paths })).toMatchObject({
        isError: true,
        text: `Path not found: ${paths.join(", ")}`,
      });
  });

  test("SRCH-07 lists in one string are taken apart where that is meant", async () => {
    for (const name of ["a", "b", "c d", "e,f"]) bench.file(`${name}/x`, "word\n");
    expect(await filesOf("word", { path: "a;b" })).toEqual(["a/x", "b/x"]);
    expect(await filesOf("word", { path: "a, b" })).toEqual(["a/x", "b/x"]);
    expect(await call("word", { path: "a,none" })).toMatchObject({
      details: { files: ["a/x"], missingPaths: ["none"] },
    });
    expect(await filesOf("word", { path: "a b" })).toEqual(["a/x", "b/x"]);
    expect(await call("word", { path: "a none" })).toMatchObject({ isError: true });
    expect(await filesOf("word", { path: "c d" })).toEqual(["c d/x"]);
    expect(await filesOf("word", { path: "e,f" })).toEqual(["e,f/x"]);
    expect(await filesOf("word", { path: "{a,b}/*" })).toEqual(["a/x", "b/x"]);
  });
});

describe("paths", () => {
  test("SRCH-05 a file, a directory, a glob, a member of an archive, an internal URL, a part of a file", async () => {
    bench.file("src/a.ts", "word\nx\nword\n");
    bench.file("src/b.js", "word\n");
    bench.file("src/sub/c.ts", "word\n");
    expect(await filesOf("word", { paths: ["src/b.js"] })).toEqual(["src/b.js"]);
    expect(await filesOf("word", { paths: ["src"] })).toEqual([
      "src/a.ts",
      "src/b.js",
      "src/sub/c.ts",
    ]);
    expect(await filesOf("word", { paths: ["*.ts"] })).toEqual(["src/a.ts", "src/sub/c.ts"]);
    expect(await filesOf("word", { paths: ["src/*.{ts,js}"] })).toEqual(["src/a.ts", "src/b.js"]);
    expect(await filesOf("word", { paths: ["src/{sub/*,b}.{ts,js}"] })).toEqual([
      "src/b.js",
      "src/sub/c.ts",
    ]);
    const inside = { "in/d.ts": Buffer.from("x\nword\n") };
    bench.file("a.tar", await new Bun.Archive(inside).bytes());
    bench.resources.set("artifact://0", {
      contentType: "text/plain",
      text: () => Promise.resolve("word\n"),
    });
    expect(await filesOf("word", { paths: ["a.tar:in/d.ts", "artifact://0", "src/b.js"] })).toEqual(
      ["src/b.js", "a.tar:in/d.ts", "artifact://0"],
    );
    const { text } = await call("word", { paths: ["src/a.ts:2-9"] });
    expect(text).toMatch(/^¶src\/a\.ts#[0-9A-F]{4}\n 2:x\n\*3:word$/);
  });

  test("SRCH-24 members of archives: their text, or why there is none", async () => {
    const members = { "a.txt": Buffer.from("x\nword\n"), "b.bin": Buffer.from("word\0") };
    bench.file("a.tar", await new Bun.Archive(members).bytes());
    expect((await call("word", { paths: ["a.tar:a.txt"] })).text).toBe(
      "# a.tar:a.txt\n 1|x\n*2|word",
    );
    expect((await call("x", { paths: ["a.tar:a.txt:2-2"] })).text).toBe("No matches found");
    expect((await call("word", { paths: ["a.tar:a.txt", "a.tar:b.bin"] })).text).toEndWith(
      "*2|word\n\n[Skipped archive members: a.tar:b.bin (binary)]",
    );
    expect(await call("word", { paths: ["a.tar:b.bin", "a.tar:none"] })).toMatchObject({
      isError: true,
      text: "Cannot search archive member(s): a.tar:b.bin (binary), a.tar:none (not in the archive)",
    });
  });

  test("SRCH-20 a part is of one file", async () => {
    bench.file("src/a.ts", "word\n");
    expect(await call("word", { paths: ["src/*.ts:5-9"] })).toMatchObject({
      isError: true,
      text: "Line-range selector requires a single file, not a glob: src/*.ts",
    });
    expect(await call("word", { paths: ["src:5-9"] })).toMatchObject({
      isError: true,
      text: "Line-range selector requires a single file: src is a directory",
    });
    expect(await call("word", { paths: ["none.ts:5"] })).toMatchObject({
      isError: true,
      text: "Path not found for line-range selector: none.ts",
    });
  });

  test("SRCH-27 what is named twice is shown once", async () => {
    bench.file("src/a.ts", "word\nx\nx\nx\nx\nx\nword\n");
    const { text } = await call("word", { paths: ["src", "src/a.ts", "src/*.ts"] });
    expect(text.match(/\*1:word/g)).toHaveLength(1);
    expect(text.match(/\*7:word/g)).toHaveLength(1);
    expect(text.match(/¶/g)).toHaveLength(1);
  });

  test("SRCH-10 hidden files yes, ignored ones, .git and node_modules no", async () => {
    for (const name of [".env", "a", "log/b", ".git/config", "node_modules/p/i.js"])
      bench.file(name, "word\n");
    bench.file(".gitignore", "log/\n");
    expect(await filesOf("word")).toEqual([".env", "a"]);
    expect(await filesOf("word", { gitignore: false })).toEqual([
      ".env",
      "a",
      "log/b",
      "node_modules/p/i.js",
    ]);
    expect(await filesOf("word", { paths: ["node_modules"] })).toEqual(["node_modules/p/i.js"]);
    expect(await filesOf("word", { paths: ["*.js", "a"] })).toEqual(["a"]);
  });

  test("SRCH-28 a file of this very moment is found", async () => {
    expect((await call("fresh")).text).toBe("No matches found");
    bench.file("new", "fresh\n");
    expect(await filesOf("fresh")).toEqual(["new"]);
  });

  test("SRCH-21 internal URLs: by file, by text, without globs", async () => {
    const path = join(bench.artifacts, "0.bash.log");
    await Bun.write(path, "one\nneedle\nthree\n");
    const text = () => Promise.resolve("x\nneedle here\n");
    bench.resources.set("artifact://0", { contentType: "text/plain", path, text });
    bench.resources.set("artifact://note", { contentType: "text/plain", text });
    expect((await call("needle", { paths: ["artifact://0"] })).text).toBe(
      "# artifact://0\n 1|one\n*2|needle\n 3|three",
    );
    expect((await call("needle", { paths: ["artifact://note"] })).text).toBe(
      "# artifact://note\n 1|x\n*2|needle here",
    );
    expect(await filesOf("needle", { paths: ["artifact://note", "artifact://0:2-2"] })).toEqual([
      "artifact://0",
      "artifact://note",
    ]);
    expect(await call("needle", { paths: ["artifact://*"] })).toMatchObject({
      isError: true,
      text: "Glob patterns are not supported for internal URLs: artifact://*",
    });
  });

  test("other URLs are for read", async () => {
    for (const url of ["https://example.com/x", "ftp://example.com/x"])
      expect(await call("x", { paths: [url] })).toMatchObject({
        isError: true,
        text: expect.stringContaining("use read"),
      });
  });

  test("SRCH-22 an artifact of 200 MiB is searched and not loaded", async () => {
    const path = join(bench.artifacts, "0.bash.log");
    const stream = createWriteStream(path);
    const part = "filler line of a log\n".repeat(50_000);
    for (let index = 0; index < 200; index++) {
      if (!stream.write(part)) await new Promise((resume) => stream.once("drain", resume));
    }
    await new Promise<void>((done) => stream.end("before\nneedle\nafter\n", () => done()));
    const text = () => Promise.reject(new Error("too much"));
    bench.resources.set("artifact://0", { contentType: "text/plain", path, text });
    const before = process.memoryUsage.rss();
    const found = await call("needle", { paths: ["artifact://0"] });
    expect(found.text).toEndWith(" 10000001|before\n*10000002|needle\n 10000003|after");
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
    rmSync(path);
  });
});

describe("patterns", () => {
  const DIALECTS = [
    ["foo(", "call foo( x"],
    ["foo)", "call foo) x"],
    ["${x}", "say ${x} now"],
    ["{", "if {"],
    ["items[", "items[0]"],
    ["(?<=a)b", "ab"],
    ["(a)\\1", "aa"],
    ["*foo", "say *foo"],
    ["x\\", "say x\\ now"],
    ["a{2}", "aa"],
  ] as const;
  test.each(DIALECTS)("SRCH-08 SRCH-34 %s is understood", async (pattern, line) => {
    bench.file("a.txt", `no\n${line}\nb\n`);
    const { text, isError } = await call(pattern, { paths: ["a.txt"] });
    expect(isError).toBe(false);
    expect(text).toContain(`*2:${line}`);
    expect(text).not.toContain("*1:");
    expect(text).not.toContain("*3:");
  });

  test("a pattern that was repaired is told", async () => {
    bench.file("a.txt", "foo(\n");
    expect((await call("foo(")).text).toEndWith(
      "\n[The pattern is no valid regular expression; searched for foo\\(]",
    );
    expect((await call("*foo")).text).toBe(
      "No matches found\n[The pattern is no valid regular expression; searched for the exact text]",
    );
  });

  test("SRCH-09 across lines only when the pattern says so", async () => {
    bench.file("a.txt", "a\nb\nc\n");
    for (const pattern of ["a\\nb", "a\nb"])
      expect((await call(pattern, { paths: ["a.txt"] })).text).toContain("*1:a\n*2:b\n 3:c");
    expect((await call("a.b", { paths: ["a.txt"] })).text).toBe("No matches found");
  });
});

describe("rows", () => {
  test("SRCH-11 as many lines around as the settings say", async () => {
    const text = "1\n2\n3\nword\n5\n6\n7\n8\n9\n";
    bench.file("a", text);
    expect((await call("word", { paths: ["a"] })).text).toEndWith(
      " 3:3\n*4:word\n 5:5\n 6:6\n 7:7",
    );
    await using other = createWorkbench({ around: { before: 2, after: 0 } });
    other.file("a", text);
    const found = await other.call(search, { pattern: "word", paths: ["a"] });
    expect(found.text).toEndWith("\n 2:2\n 3:3\n*4:word");
  });

  test("SRCH-12 SRCH-13 anchors under whole paths for edits, bars without", async () => {
    bench.file("src/a.ts", "x\nword\n");
    bench.file("lib/deep/b.ts", "word\n");
    bench.file("lib/c.ts", "word\n");
    const anchored = (await call("word")).text;
    expect(anchored.replaceAll(/#[0-9A-F]{4}/g, "#TAG")).toBe(
      "¶lib/c.ts#TAG\n*1:word\n\n¶lib/deep/b.ts#TAG\n*1:word\n\n¶src/a.ts#TAG\n 1:x\n*2:word",
    );
    plain();
    expect((await call("word")).text).toBe(
      "# lib/c.ts\n*1|word\n\n# lib/deep/b.ts\n*1|word\n\n# src/a.ts\n 1|x\n*2|word",
    );
    expect((await call("word", { paths: ["src/a.ts"] })).text).toBe(" 1|x\n*2|word");
  });

  test("SRCH-32 close matches share their lines, distant ones are kept apart", async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    for (const at of [5, 7, 30]) lines[at - 1] += " word";
    bench.file("code.ts", lines.join("\n"));
    const rows = (await call("word", { paths: ["code.ts"] })).text.split("\n");
    expect(rows[0]).toMatch(/^¶code\.ts#[0-9A-F]{4}$/);
    expect(rows.filter((row) => row === "...")).toHaveLength(1);
    const numbers = rows.flatMap((row) => /^[* ](\d+):/.exec(row)?.[1] ?? []);
    expect(numbers.map(Number)).toEqual([4, 5, 6, 7, 8, 9, 10, 29, 30, 31, 32, 33]);
  });

  test("SRCH-25 what is shown can be edited: the tag stands for the whole text", async () => {
    const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
    const path = bench.file("a.txt", text);
    const virtual = join(bench.artifacts, "0.log");
    await Bun.write(virtual, "six\n");
    bench.resources.set("artifact://0", {
      contentType: "text/plain",
      path: virtual,
      text: () => Promise.resolve("six\n"),
    });
    const found = await call("six", { paths: ["a.txt", "artifact://0"] });
    const [, tag] = /^¶a\.txt#([0-9A-F]{4})$/m.exec(found.text)!;
    expect(bench.snapshots.find(path, tag!)).toBe(text);
    expect(found.text).toContain("# artifact://0\n*1|six");
    expect(found.text.match(/¶/g)).toHaveLength(1);
    const input = `¶a.txt#${tag}\n= 6\n~SIX\n`;
    expect(await bench.call(edit, { input })).toMatchObject({ isError: false });
    expect(readFileSync(path, "utf8")).toBe(text.replace("six", "SIX"));
  });

  test("SRCH-13 headers of several files can be pasted into an edit", async () => {
    bench.file("src/a.ts", "x\nword\n");
    bench.file("lib/deep/b.ts", "word\n");
    const headers = (await call("word")).text.split("\n").filter((row) => row.startsWith("¶"));
    const input = `${headers[0]}\n= 1\n~new\n${headers[1]}\n= 2\n~new\n`;
    expect(await bench.call(edit, { input })).toMatchObject({ isError: false });
    expect(readFileSync(join(bench.cwd, "src/a.ts"), "utf8")).toBe("x\nnew\n");
    expect(readFileSync(join(bench.cwd, "lib/deep/b.ts"), "utf8")).toBe("new\n");
  });

  test("what is no UTF-8 has no tag, and line ends of Windows are no text", async () => {
    bench.file("latin", Buffer.from("caf\xe9 word\n", "latin1"));
    bench.file(
      "wide",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("word\n", "utf16le")]),
    );
    bench.file("windows", "\uFEFFword\r\nnext\r\n");
    const { text } = await call("word");
    expect(text.replaceAll(/#[0-9A-F]{4}/g, "#TAG")).toBe(
      "# latin\n*1|caf\uFFFD word\n\n# wide\n*1|word\n\n¶windows#TAG\n*1:word\n 2:next",
    );
  });

  test("bytes that are no text are not shown", async () => {
    bench.file("binary", Buffer.from("word\0\0word\n"));
    expect((await call("word")).text).toBe("No matches found");
  });
});

describe("limits", () => {
  test("SRCH-14 one file: the first 200; many: 20 files, 20 matches of each", async () => {
    bench.file("hot", "word\n".repeat(500));
    const single = await call("word", { paths: ["hot"] });
    expect(single.details).toMatchObject({ matchCount: 200, perFileLimitReached: true });
    for (let index = 0; index < 30; index++) bench.file(`f${index}`, "word\n");
    const { text, details } = await call("word");
    expect(details).toMatchObject({ fileCount: 20, fileLimitReached: true });
    expect(text).toContain("Use skip=20 for the next page");
    const rest = await call("word", { skip: 20 });
    const hot = (rest.details as { fileMatches: { path: string; count: number }[] }).fileMatches;
    expect(hot.find(({ path }) => path === "hot")).toEqual({ path: "hot", count: 20 });
  });

  test("SRCH-14 no file takes the room of the others", async () => {
    const long = `word ${"x".repeat(500)}\n`;
    for (let index = 0; index < 20; index++) bench.file(`f${index}`, long.repeat(20));
    const { text, details } = await call("word");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    const counts = (details as { fileMatches: { count: number }[] }).fileMatches.map(
      ({ count }) => count,
    );
    expect(counts).toHaveLength(20);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect(details).toMatchObject({
      truncated: true,
      meta: { truncation: { truncatedBy: "bytes" } },
    });
  });

  test("SRCH-15 pages hold every file once", async () => {
    const names = Array.from({ length: 45 }, (_, index) => `d${index % 3}/f${index}`);
    for (const name of names) bench.file(name, "word\n");
    const seen: string[] = [];
    for (let skip: number | undefined = 0; skip !== undefined;) {
      const { text, details } = await call("word", { skip });
      seen.push(...(details as Details).files);
      const next: string | undefined = /Use skip=(\d+) for the next page/.exec(text)?.[1];
      skip = next === undefined ? undefined : Number(next);
    }
    expect(seen.toSorted()).toEqual(names.toSorted());
    expect((await call("word", { skip: 45 })).text).toBe("No more results: 45 files match");
    const wrong = { isError: true, text: "Skip must be a non-negative number" };
    expect(await call("word", { skip: -1 })).toMatchObject(wrong);
  });

  test("SRCH-16 lines, text, files and time are limited", async () => {
    bench.file("long", `word${"x".repeat(600)}\n`);
    const long = await call("word", { paths: ["long"] });
    expect(long.text).toEndWith(`*1:word${"x".repeat(508)}…`);
    expect(long.details).toMatchObject({ linesTruncated: true });
    for (let index = 0; index < 20; index++)
      bench.file(`wide/f${index}`, `word ${"y".repeat(400)}\n`.repeat(20));
    const wide = await call("word", { paths: ["wide"] });
    expect(Buffer.byteLength(wide.text)).toBeLessThanOrEqual(51_200);
    expect(Buffer.byteLength(wide.text)).toBeGreaterThan(40_000);
    bench.file("many", "word\n".repeat(3000));
    const tail = await call("word", { paths: ["many:1999-2001"] });
    expect(tail.details).toMatchObject({ matchCount: 2, perFileLimitReached: true });
    bench.file("big/large", `word\n${"z".repeat(5 * 1024 * 1024)}`);
    expect((await call("word", { paths: ["big"] })).details).toMatchObject({ matchCount: 0 });
    const { clock, pass, isWaiting } = limitClock();
    await using slow = createWorkbench({ clock });
    // A pipe that nobody writes to is waited for without an end.
    Bun.spawnSync(["mkfifo", join(slow.cwd, "pipe")]);
    symlinkSync("pipe", join(slow.cwd, "link"));
    expect(existsSync(join(slow.cwd, "pipe"))).toBe(true);
    slow.resources.set("artifact://0", {
      contentType: "text/plain",
      path: join(slow.cwd, "pipe"),
      text: () => Promise.resolve(""),
    });
    const running = slow.call(search, { pattern: "word", paths: ["artifact://0"] });
    await isWaiting;
    pass(30_000);
    expect(await running).toMatchObject({
      isError: true,
      text: "search timed out after 30s; narrow paths or pattern",
    });
  });

  test("SRCH-17 files that are too large are told: by name, or how many", async () => {
    bench.file("big/large.txt", `word\n${"z".repeat(5 * 1024 * 1024)}`);
    bench.file("big/small.txt", "word\n");
    expect((await call("word", { paths: ["big"] })).text).toEndWith(
      "*1:word\n\n[Skipped 1 file larger than 4 MiB: big/large.txt]",
    );
    expect((await call("word", { paths: ["big/large.txt"] })).text).toBe(
      "No matches found\n[Skipped, larger than 4 MiB: big/large.txt]",
    );
  });

  test("SRCH-18 nothing found is useless later", async () => {
    bench.file("a", "word\n");
    const nothing = await call("nonsense");
    expect(nothing).toMatchObject({ isError: false, text: "No matches found", useless: true });
    expect((await call("word")).useless).toBeUndefined();
    expect((await call("nonsense", { paths: ["a", "none"] })).text).toBe(
      "No matches found\nSkipped missing paths: none",
    );
  });

  test("SRCH-19 the facts", async () => {
    for (let index = 0; index < 25; index++) bench.file(`f${index}`, "word\nx\nword\n");
    const { text, details } = await call("word", { paths: [".", "none"] });
    expect(details).toMatchObject({
      scopePath: ".",
      matchCount: text.match(/^\*/gm)!.length,
      fileCount: 20,
      fileLimitReached: true,
      perFileLimitReached: false,
      linesTruncated: false,
      truncated: true,
      missingPaths: ["none"],
      displayContent: expect.stringMatching(/^f0\n\*1│word\n 2│x\n\*3│word\n\nf1\n/),
    });
    const { files, fileMatches } = details as Details & { fileMatches: object[] };
    expect(fileMatches).toEqual(files.map((path) => ({ path, count: 2 })));
  });

  test("SRCH-26 an abort ends it, a file that cannot be opened does not", async () => {
    bench.file("a", "word\n");
    symlinkSync("nowhere", join(bench.cwd, "broken"));
    Bun.spawnSync(["mkfifo", join(bench.cwd, "pipe")]);
    expect(await filesOf("word")).toEqual(["a"]);
    bench.resources.set("artifact://0", {
      contentType: "text/plain",
      path: join(bench.cwd, "pipe"),
      text: () => Promise.resolve(""),
    });
    const controller = new AbortController();
    const input = { pattern: "word", paths: ["artifact://0"] };
    const running = bench.call(search, input, controller.signal);
    setTimeout(() => controller.abort(), 50);
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
  });
});
