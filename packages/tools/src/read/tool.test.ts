/** Reading real files through the tool. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
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

  test("a bounded range shows a little of what is around it", async () => {
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
    expect(await textOf("/")).toBe("f");
    expect(await textOf(`file://${path}`)).toBe("at work");
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
    const text = await textOf("f");
    expect(text).toMatch(
      /^é+\n\n\[Line 1 is longer than 51200 bytes: only its beginning is shown\]$/,
    );
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

describe("directories and images", () => {
  test("a directory is listed, selectors take a part", async () => {
    for (const name of ["b.ts", "a.ts", "sub/deep.ts"]) bench.file(name, "");
    expect(await call(".")).toMatchObject({
      text: "a.ts\nb.ts\nsub/",
      details: { isDirectory: true, resolvedPath: bench.cwd },
    });
    expect(await textOf(".:2-2")).toBe("b.ts\n\n[Showing lines 2-2 of 3. Use :3 to continue]");
    mkdirSync(join(bench.cwd, "none"));
    expect(await textOf("none")).toBe("(empty directory)");
  });

  test("READ-02 a text file is one text block, an image a text and an image", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    bench.file("picture.txt", png);
    bench.file("words.txt", "words");
    expect((await call("words.txt")).content).toEqual([{ type: "text", text: "words" }]);
    expect((await call("picture.txt")).content).toEqual([
      { type: "text", text: `Image picture.txt (image/png, ${png.length} bytes)` },
      { type: "image", mimeType: "image/png", data: png.toString("base64") },
    ]);
  });

  test("an image above the cap is an error", async () => {
    truncateSync(bench.file("big.jpg", Uint8Array.of(0xff, 0xd8, 0xff)), 6 * 2 ** 20);
    expect(await call("big.jpg")).toMatchObject({
      isError: true,
      text: expect.stringContaining("too large"),
    });
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
