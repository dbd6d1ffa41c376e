/** Real files: what is read, what is refused, what stays. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createFiles } from "./files.ts";

const files = createFiles({ home: "/home/me" });
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "omp-files-"));
  path = join(folder, "a.txt");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("resolve", () => {
  test.each([
    ["a/b", "/project/a/b"],
    ["../x", "/x"],
    ["/abs/./y", "/abs/y"],
    ["~", "/home/me"],
    ["~/f", "/home/me/f"],
    ["~other", "/project/~other"],
    ["file:///w/a%20b", "/w/a b"],
  ])("%s is %s", (given, absolute) => expect(files.resolve(given, "/project")).toBe(absolute));
});

describe("read", () => {
  test("gives the bytes, or the first of them", async () => {
    writeFileSync(path, "content");
    expect(text(await files.read(path, { maxBytes: 7 }))).toBe("content");
    expect(text(await files.readHead(path, 3))).toBe("con");
    expect(text(await files.readHead(path, 300))).toBe("content");
  });

  test("a file above the limit is refused unread", async () => {
    writeFileSync(path, "");
    truncateSync(path, 10 * 2 ** 30);
    await expect(files.read(path, { maxBytes: 1000 })).rejects.toMatchObject({ kind: "too-large" });
  });

  test("errors say what is wrong and where", async () => {
    writeFileSync(path, "");
    const missing = join(folder, "no");
    await expect(files.read(missing)).rejects.toMatchObject({
      name: "HostError",
      kind: "not-found",
      message: `${missing}: no such file or directory`,
      cause: { code: "ENOENT" },
    });
    await expect(files.read(folder)).rejects.toMatchObject({ kind: "not-a-file" });
    await expect(files.readHead(folder, 9)).rejects.toMatchObject({ kind: "not-a-file" });
    await expect(files.list(path)).rejects.toMatchObject({ kind: "not-a-directory" });
    await expect(files.stat(join(path, "x"))).rejects.toMatchObject({ kind: "not-a-directory" });
  });
});

describe("stat and list", () => {
  test("tell what is there", async () => {
    writeFileSync(path, "four");
    chmodSync(path, 0o640);
    mkdirSync(join(folder, "sub"));
    symlinkSync("a.txt", join(folder, "link"));
    expect(await files.stat(path)).toMatchObject({ kind: "file", size: 4, mode: 0o640 });
    expect(await files.stat(join(folder, "link"))).toMatchObject({ kind: "file" });
    expect(await files.stat(folder)).toMatchObject({ kind: "directory" });
    expect(await files.list(folder)).toEqual([
      { name: "a.txt", kind: "file" },
      { name: "link", kind: "symlink" },
      { name: "sub", kind: "directory" },
    ]);
  });
});

describe("readLines", () => {
  test("gives the lines asked for, as they are in the file", async () => {
    writeFileSync(path, "one\r\ntwo\nthree");
    const lines = await files.readLines(path, { from: 1, to: 2, maxBytes: 100 });
    expect(lines).toMatchObject({ count: 2, isLineCut: false, total: 3 });
    expect(text(lines.bytes)).toBe("one\r\ntwo\n");
    const last = await files.readLines(path, { from: 3, to: 9, maxBytes: 100 });
    expect([text(last.bytes), last.count]).toEqual(["three", 1]);
    const past = await files.readLines(path, { from: 4, to: 9, maxBytes: 100 });
    expect(past).toMatchObject({ count: 0, total: 3 });
  });

  test("equals cutting the whole text, wherever chunks end", async () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é"), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.integer({ min: 1, max: 22 }),
        fc.nat(22),
        async (parts, from, more) => {
          // Long enough that the wanted lines lie across the border between two chunks.
          const filler = `${"x".repeat(65_536 - 30)}\n`;
          const content = filler + parts.join("\n");
          writeFileSync(path, content);
          const all = content.match(/[^\n]*\n|[^\n]+$/g)!;
          const wanted = { from: from + 1, to: from + 1 + more, maxBytes: 10_000 };
          const lines = await files.readLines(path, wanted);
          const expected = all.slice(wanted.from - 1, wanted.to);
          expect(text(lines.bytes)).toBe(expected.join(""));
          expect(lines).toMatchObject({ count: expected.length, total: all.length });
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  });

  test("stays within its bytes: whole lines, or the beginning of one that is too long", async () => {
    writeFileSync(path, "12345678\n12345678\n12345678\n");
    const two = await files.readLines(path, { from: 1, to: 3, maxBytes: 20 });
    expect(two).toMatchObject({ count: 2, isLineCut: false, total: 3 });
    expect(two.bytes.length).toBe(18);
    const cut = await files.readLines(path, { from: 2, to: 3, maxBytes: 5 });
    expect(cut).toMatchObject({ count: 1, isLineCut: true });
    expect(text(cut.bytes)).toBe("12345");
  });

  test("a huge file costs neither memory nor time", async () => {
    writeFileSync(path, "one\ntwo\nthree\n");
    truncateSync(path, 10 * 2 ** 30);
    const before = process.memoryUsage.rss();
    const lines = await files.readLines(path, { from: 2, to: 3, maxBytes: 50_000 });
    expect(text(lines.bytes)).toBe("two\nthree\n");
    expect(lines.total).toBeUndefined();
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
  });
});

describe("write", () => {
  test("creates missing folders and replaces what is there", async () => {
    const deep = join(folder, "new", "dir", "x.txt");
    await files.write(deep, "first");
    await files.write(deep, "é");
    expect(readFileSync(deep, "utf8")).toBe("é");
    expect(readdirSync(join(folder, "new", "dir"))).toEqual(["x.txt"]);
  });

  test("permissions and symbolic links stay", async () => {
    writeFileSync(path, "old");
    chmodSync(path, 0o755);
    symlinkSync("a.txt", join(folder, "link"));
    await files.write(join(folder, "link"), "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  });

  test("a folder in the way is an error that names it", async () => {
    await expect(files.write(folder, "x")).rejects.toMatchObject({ kind: "not-a-file" });
    writeFileSync(path, "file");
    const below = files.write(join(path, "x"), "y");
    await expect(below).rejects.toMatchObject({ name: "HostError" });
    expect(readFileSync(path, "utf8")).toBe("file");
  });
});
