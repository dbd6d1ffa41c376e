/** Reading real files through the tool. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { read } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
  bench.editing = { ...bench.editing, showsAnchors: false };
});
afterEach(() => bench[Symbol.asyncDispose]());

const call = (path: string) => bench.call(read, { path });
const textOf = async (path: string) => (await call(path)).text;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
/** The numbers of the lines that a result shows. */
const linesIn = (text: string) =>
  [...text.matchAll(/^line (\d+)$/gm)].map((match) => Number(match[1]));
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("READ-01 one required string, tier read", () => {
  expect(read).toMatchObject({ name: "read", tier: "read", concurrency: "shared" });
  expect(read.input).toMatchObject({
    required: ["path"],
    properties: { path: { type: "string" } },
  });
  expect(Object.keys((read.input as unknown as { properties: object }).properties)).toEqual([
    "path",
  ]);
});

describe("selectors", () => {
  test("READ-07 READ-15 only known forms are selectors, and a name that exists wins", async () => {
    bench.file("weird:name", "weird");
    bench.file("a:5", "five");
    bench.file("a", numbered(9));
    expect(await textOf("weird:name")).toBe("weird");
    expect(await textOf("a:5")).toBe("five");
    expect(linesIn(await textOf("a:8"))).toEqual([8, 9]);
    expect(await textOf("a.zip:inner/x")).toContain("Path 'a.zip:inner/x' not found");
    expect(await textOf("db.sqlite:t:5")).toContain("Path 'db.sqlite:t' not found");
    expect(await call("a:nonsense")).toMatchObject({ isError: true });
  });

  test("READ-08 :N, :N- and :LN start at line N and run to the default limit", async () => {
    bench.file("f", numbered(1000));
    for (const selector of ["10", "10-", "L10"]) {
      expect(linesIn(await textOf(`f:${selector}`))).toEqual(range(10, 309));
    }
  });

  test("READ-09 READ-10 ranges are inclusive, +C counts lines, dots are dashes", async () => {
    bench.file("f", numbered(400));
    const text = await textOf("f:5-7:raw");
    expect(linesIn(text)).toEqual([5, 6, 7]);
    for (const same of ["L5-L7", "5+3", "5..7", "L5..L7"]) {
      expect(await textOf(`f:${same}:raw`)).toBe(text);
      expect(await textOf(`f:${same}`)).toBe(await textOf("f:5-7"));
    }
    expect(await textOf("f:398..")).toBe(await textOf("f:398-"));
  });

  test("READ-11 READ-73 several ranges are sorted, merged and set apart, without a footer", async () => {
    bench.file("f", numbered(400));
    expect(await textOf("f:20-25,1-3,2-5")).toBe(
      `${range(1, 5)
        .map((n) => `line ${n}`)
        .join("\n")}\n…\n${range(20, 25)
        .map((n) => `line ${n}`)
        .join("\n")}`,
    );
    expect(await textOf("f:1-2,300-301")).toBe("line 1\nline 2\n…\nline 300\nline 301");
    expect(await textOf("f:5-6,7-8")).toBe("line 5\nline 6\nline 7\nline 8");
    expect(await textOf("f:399-400,500-600")).toContain("beyond end of file (400 lines total)");
    expect(linesIn(await textOf("f:1-2,398-"))).toEqual([1, 2, 398, 399, 400]);
  });

  test("READ-12 :raw is the exact text, alone and with a range in either order", async () => {
    const content = "\ufeffone\r\ntwo\n\nfour\r\n";
    bench.file("f", content);
    expect(await textOf("f:raw")).toBe(content);
    expect(await textOf("f:raw:3-9")).toBe("\nfour\r\n");
    expect(await textOf("f:3-9:raw")).toBe("\nfour\r\n");
  });

  test("READ-14 line 0, no lines, and an end before the start are refused", async () => {
    bench.file("f", numbered(9));
    expect(await call("f:0")).toMatchObject({
      isError: true,
      text: "Line selector 0 is invalid; lines are 1-indexed. Use :1.",
    });
    expect(await call("f:3+0")).toMatchObject({ isError: true });
    expect(await call("f:7-3")).toMatchObject({ isError: true });
  });

  test("READ-16 a bounded range shows a little of what is around it, lists and raw do not", async () => {
    bench.file("f", numbered(100));
    expect(linesIn(await textOf("f:10-12"))).toEqual(range(9, 15));
    expect(linesIn(await textOf("f:1-2"))).toEqual(range(1, 5));
    expect(linesIn(await textOf("f:10-12:raw"))).toEqual(range(10, 12));
  });

  test("READ-17 READ-74 past the end is explained, a reversed range refused", async () => {
    bench.file("n.txt", numbered(400));
    expect(await call("n.txt:9999")).toMatchObject({
      isError: false,
      text: "Line 9999 is beyond end of file (400 lines total). Use :1 to read from the start, or :400 to read the last line.",
    });
    expect(await call("n.txt:401-402")).toMatchObject({ text: expect.stringContaining("beyond") });
    expect(await call("n.txt:7-3")).toMatchObject({
      isError: true,
      text: "Invalid range 7-3: end must be >= start.",
    });
  });
});

describe("files", () => {
  test("READ-19 ~, relative, / and file:// paths", async () => {
    writeFileSync(join(bench.home, "f"), "at home");
    const path = bench.file("f", "at work");
    expect(await textOf("~/f")).toBe("at home");
    expect(await textOf("f")).toBe("at work");
    expect(await textOf("/")).toBe("- f  7B  just now");
    expect(await textOf(`file://${path}`)).toBe("at work");
  });

  test("READ-20 the default limit, within its bounds", async () => {
    bench.file("f", numbered(5000));
    bench.reading = { ...bench.reading, defaultLimit: 7 };
    expect(linesIn(await textOf("f"))).toEqual(range(1, 7));
    bench.reading = { ...bench.reading, defaultLimit: 99_999 };
    expect(linesIn(await textOf("f"))).toHaveLength(3000);
    bench.reading = { ...bench.reading, defaultLimit: 0 };
    expect(linesIn(await textOf("f"))).toHaveLength(1);
    bench.reading = { ...bench.reading, defaultLimit: 3000 };
    bench.file("wide", `${"x".repeat(99)}\n`.repeat(3000));
    expect((await textOf("wide")).length).toBeLessThan(51_300);
  });

  test("a long file shows 300 lines and how to go on", async () => {
    bench.file("f", numbered(5000));
    const text = await textOf("f");
    expect(linesIn(text)).toEqual(range(1, 300));
    expect(text).toEndWith("line 300\n\n[Showing lines 1-300 of 5000. Use :301 to continue]");
    expect(linesIn(await textOf("f:1-4999"))).toHaveLength(3000);
  });

  test("READ-21 the byte budget grows with the lines asked for; nothing is loaded whole", async () => {
    bench.file("wide", `${"x".repeat(499)}\n`.repeat(3000));
    expect((await textOf("wide")).length).toBeLessThan(52_000);
    expect((await textOf("wide:1-3000")).length).toBeGreaterThan(1_400_000);
    truncateSync(bench.file("huge", numbered(10)), 2 * 2 ** 30);
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    expect(linesIn(await textOf("huge:2-4:raw"))).toEqual([2, 3, 4]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
  });

  test("a line longer than the budget shows its beginning, never half a character", async () => {
    bench.file("f", "é".repeat(100_000));
    const text = await textOf("f:raw");
    expect(text).toMatch(
      /^é+\n\n\[Line 1 is longer than 51200 bytes: only its beginning is shown\]$/,
    );
  });

  test("READ-22 a line that is too wide is shortened, and the rest is still there", async () => {
    bench.file("f", `${"é".repeat(50_000)}\nshort\n`);
    const text = await textOf("f:2");
    expect(text).toBe("short");
    expect(await textOf("f:1")).toBe(
      `${"é".repeat(384)}…\n\n[Showing lines 1-1 of 2. Use :2 to continue]`,
    );
    bench.reading = { ...bench.reading, maxColumns: 0 };
    expect(await textOf("f:1")).toStartWith("é".repeat(10_000));
  });

  test("READ-29 READ-76 a binary file is named, not shown, unless asked for raw", async () => {
    bench.file("prog", Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01\0"), Buffer.alloc(3000)]));
    expect(await call("prog")).toMatchObject({
      isError: false,
      text: "[Cannot read binary file 'prog' (2.9KB, ELF executable); not valid UTF-8 text. Use ':raw' to read bytes verbatim.]",
    });
    bench.file(
      "bin.dat",
      Uint8Array.from({ length: 3000 }, (_, index) => (index * 167 + 128) % 256),
    );
    expect(await textOf("bin.dat")).toBe(
      "[Cannot read binary file 'bin.dat' (2.9KB); not valid UTF-8 text. Use ':raw' to read bytes verbatim.]",
    );
    expect(await textOf("prog:raw")).toStartWith("\x7fELF");
  });

  test("a byte order mark and carriage returns are not shown", async () => {
    bench.file("f", "\ufeffone\r\ntwo\r\n");
    expect(await textOf("f")).toBe("one\ntwo");
    bench.file("empty", "");
    expect(await textOf("empty")).toBe("(empty file)");
  });

  test("text whose first bytes end inside a character is text", async () => {
    bench.file("f", `x${"é".repeat(8000)}`);
    expect(await textOf("f")).toStartWith("xéé");
  });

  test("READ-72 the footer is the last line after a blank one, absent at the end", async () => {
    bench.file("n.txt", numbered(400));
    const text = await textOf("n.txt:5-7");
    expect(linesIn(text)).toEqual(range(4, 10));
    expect(text).toEndWith("line 10\n\n[Showing lines 4-10 of 400. Use :11 to continue]");
    expect(await textOf("n.txt:399")).toBe("line 399\nline 400");
  });

  test("READ-82 raw reads count lines as others do", async () => {
    bench.file("n.txt", numbered(400));
    const text = await textOf("n.txt:5+2:raw");
    expect(text).toBe("line 5\nline 6\n\n[Showing lines 5-6 of 400. Use :7 to continue]");
  });

  test("READ-06 mistakes are errors, what is merely unhelpful is not", async () => {
    bench.file("f", "x");
    bench.file("bin", Uint8Array.of(0, 1, 2));
    expect(await call("f:0")).toMatchObject({ isError: true });
    for (const path of ["bin", "f:99"]) expect(await call(path)).toMatchObject({ isError: false });
    bench.file("bad.docx", "no zip");
    expect(await call("bad.docx")).toMatchObject({ isError: false });
  });

  test("READ-05 a plain file is read although the call was aborted", async () => {
    bench.file("f", "text");
    const aborted = AbortSignal.abort();
    expect(await bench.call(read, { path: "f" }, aborted)).toMatchObject({ text: "text" });
    expect(await bench.call(read, { path: "." }, aborted)).toMatchObject({ isError: false });
    const server = Bun.serve({
      port: 0,
      fetch: () => Bun.sleep(10_000).then(() => new Response()),
    });
    const controller = new AbortController();
    const reading = bench.call(read, { path: `${server.url}x` }, controller.signal);
    await Bun.sleep(50);
    controller.abort();
    expect(reading).rejects.toThrow("abort");
    await reading.catch(() => undefined);
    await server.stop(true);
  });

  test("a unique file that ends like the path is read; several or none are told", async () => {
    bench.file("src/x/foo.ts", "found");
    const { text, details } = await call("foo.ts");
    expect(text).toBe(
      "[Path 'foo.ts' not found; resolved to 'src/x/foo.ts' via suffix match]\nfound",
    );
    expect(details).toMatchObject({ suffixResolution: { from: "foo.ts", to: "src/x/foo.ts" } });
    expect(await textOf("x/foo.ts:1")).toContain("resolved to 'src/x/foo.ts'");
    bench.file("src/y/foo.ts", "other");
    expect(await call("foo.ts")).toMatchObject({
      isError: true,
      text: "Path 'foo.ts' not found\nSeveral files end like it: src/x/foo.ts, src/y/foo.ts",
    });
    expect(await call("oo.ts")).toMatchObject({ isError: true, text: "Path 'oo.ts' not found" });
  });

  test("READ-27 other spellings of the same name", async () => {
    bench.file("caf\u0065\u0301.txt", "decomposed");
    expect(await textOf("caf\u00e9.txt")).toBe("decomposed");
    bench.file("it’s.txt", "curly");
    expect(await textOf("it's.txt")).toBe("curly");
    bench.file("Shot at 9.41.00\u202fAM.txt", "narrow");
    expect(await textOf("Shot at 9.41.00 AM.txt")).toBe("narrow");
  });

  test("READ-28 several paths in one are read one after the other", async () => {
    bench.file("a.ts", "first");
    bench.file("b.ts", "second");
    for (const given of ["a.ts, b.ts", "a.ts b.ts", "a.ts;b.ts"]) {
      const { content, details } = await call(given);
      expect(content.map((block) => block.type === "text" && block.text)).toEqual([
        "first",
        "second",
      ]);
      expect(details).toMatchObject({ parts: [{ kind: "file" }, { kind: "file" }] });
    }
    expect(await call("a.ts, c.ts")).toMatchObject({ isError: true });
  });

  test("READ-75 what is missing is told", async () => {
    expect(await call("x")).toMatchObject({ isError: true, text: "Path 'x' not found" });
  });

  test("what is missing is told with names like it", async () => {
    bench.file("src/config.ts", "");
    bench.file("src/other.ts", "");
    expect(await call("src/confg.ts:5")).toMatchObject({
      isError: true,
      text: "Path 'src/confg.ts' not found\nSimilar names in that directory: config.ts",
    });
    expect(await call("nowhere/x")).toMatchObject({
      isError: true,
      text: "Path 'nowhere/x' not found",
    });
  });

  test("what is neither file nor directory is refused, not waited for", async () => {
    expect(await call("/dev/null")).toMatchObject({ isError: true });
  });
});

describe("images", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );

  test("READ-02 a text file is one text block, an image a text and an image", async () => {
    bench.file("picture.txt", png);
    bench.file("words.txt", "words");
    expect((await call("words.txt")).content).toEqual([{ type: "text", text: "words" }]);
    expect((await call("picture.txt")).content).toEqual([
      { type: "text", text: expect.stringContaining("Image picture.txt (image/png, 70B)") },
      { type: "image", mimeType: "image/png", data: png.toString("base64") },
    ]);
  });

  test("an image above the cap is an error", async () => {
    truncateSync(bench.file("big.jpg", Uint8Array.of(0xff, 0xd8, 0xff)), 21 * 2 ** 20);
    expect(await call("big.jpg")).toMatchObject({
      isError: true,
      text: expect.stringContaining("too large"),
    });
  });

  test("a model that does not see gets words about it", async () => {
    bench.modelSees = false;
    bench.file("a.png", png);
    const { content, text } = await call("a.png");
    expect(content).toHaveLength(1);
    expect(text).toContain("image/png, 70 bytes, 1x1, 4 channels, alpha");
    expect(text).toContain("does not see images");
  });
});

describe("internal URLs", () => {
  const backed = (text: string) => {
    const path = bench.file("behind", text);
    return { contentType: "text/plain", path, text: () => Promise.reject(new Error("not asked")) };
  };
  const textual = (text: string, isExtract = false) => ({
    contentType: "text/plain",
    isExtract,
    text: () => Promise.resolve(text),
  });

  test("STOR-36 selectors work as on files, with a file behind the URL or without", async () => {
    bench.resources.set("artifact://0", backed(numbered(1000)));
    bench.resources.set("artifact://1", textual(numbered(1000)));
    bench.file("f", numbered(1000));
    for (const selector of ["", ":900", ":5-7", ":5+2:raw", ":999", ":2000"]) {
      const expected = await textOf(`f${selector}`);
      expect(await textOf(`artifact://0${selector}`)).toBe(expected);
      expect(await textOf(`artifact://1${selector}`)).toBe(expected);
    }
    expect(await call("artifact://0:7-3")).toMatchObject({ isError: true });
    bench.resources.set("artifact://2", textual("é".repeat(100_000)));
    bench.file("wide", "é".repeat(100_000));
    expect(await textOf("artifact://2")).toBe(await textOf("wide"));
    bench.resources.set("artifact://3", textual(""));
    expect(await textOf("artifact://3")).toBe("(empty file)");
  });

  test("READ-57 a part of JSON is whole, and takes no line selector", async () => {
    bench.resources.set("artifact://9/a", textual("[\n  1\n]", true));
    expect(await textOf("artifact://9/a")).toBe("[\n  1\n]");
    expect(await call("artifact://9/a:1-2")).toMatchObject({
      isError: true,
      text: "Cannot combine query extraction with line selectors",
    });
  });

  test("what is not there is an error with the reason", async () => {
    expect(await call("artifact://5")).toMatchObject({
      isError: true,
      text: "Nothing is at artifact://5",
    });
  });

  test("STOR-37 IURL-21 a blob is no address", async () => {
    expect(await call("blob:sha256:x")).toMatchObject({
      isError: true,
      text: "Path 'blob:sha256:x' not found",
    });
  });
});

test("READ-04 details tell the source, what was shown, and where to go on", async () => {
  const path = bench.file("f", numbered(10_000));
  const { details } = await call("f:10-12");
  const size = numbered(10_000).length;
  const shown = { from: 9, to: 15, totalLines: 10_000, nextLine: 16 };
  expect(details).toEqual({
    kind: "file",
    resolvedPath: path,
    displayContent: {
      text: range(9, 15)
        .map((n) => `line ${n}`)
        .join("\n"),
      startLine: 9,
    },
    truncation: shown,
    meta: { source: { type: "path", value: path }, truncation: { ...shown, totalBytes: size } },
  });
  const whole = bench.file("short", "x\n");
  expect((await call("short")).details).toEqual({
    kind: "file",
    resolvedPath: whole,
    displayContent: { text: "x", startLine: 1 },
    meta: { source: { type: "path", value: whole } },
  });
  bench.resources.set("artifact://0", {
    contentType: "text/plain",
    text: () => Promise.resolve("a"),
  });
  expect((await call("artifact://0")).details).toMatchObject({
    meta: { source: { type: "internal", value: "artifact://0" } },
  });
});

describe("files behind internal URLs", () => {
  const behind = (text: string, more: object = {}) => ({
    contentType: "text/plain",
    path: bench.file("behind", text),
    text: () => Promise.reject(new Error("not asked")),
    ...more,
  });
  beforeEach(() => {
    bench.editing = { ...bench.editing, showsAnchors: true };
  });

  test("READ-58 a long artifact is not shown raw at once, but in ranges", async () => {
    const artifact = behind(numbered(100_000));
    bench.resources.set("artifact://0", artifact);
    const { isError, text } = await call("artifact://0:raw");
    expect(isError).toBe(true);
    expect(text).toContain("artifact://0:raw:1-300");
    expect(text).toContain(artifact.path);
    expect(linesIn(await textOf("artifact://0:raw:5-6"))).toEqual([5, 6]);
    expect(linesIn(await textOf("artifact://0"))).toHaveLength(300);
  });

  test("READ-59 what must be known whole is shown whole", async () => {
    bench.resources.set("artifact://1", behind(numbered(2000), { isWhole: true }));
    expect(linesIn(await textOf("artifact://1"))).toHaveLength(2000);
  });

  test("READ-56 what can be changed is a file like any other, under its URL", async () => {
    bench.resources.set("artifact://2", behind("a\nb\n", { isMutable: true }));
    expect(await textOf("artifact://2:2")).toMatch(/^¶artifact:\/\/2#[0-9A-F]{4}\n2:b$/);
    bench.resources.set("artifact://3", behind("a\nb\n"));
    expect(await textOf("artifact://3:2")).toBe("b");
  });
});
