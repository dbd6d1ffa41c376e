/** Archives through the read tool. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { needs } from "../../../../test/needs.ts";
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
const run = (...command: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: bench.cwd });
  if (exitCode !== 0) throw new Error(stderr.toString());
};
const tar = (compress: boolean, files: Record<string, string | Uint8Array>) =>
  new Bun.Archive(files, compress ? { compress: "gzip" } : undefined).bytes();

describe("archives of every kind", () => {
  const test = needs("zip");
  test("READ-37 READ-77 zip and tar are listed and their members read", async () => {
    const files = {
      "dir/in.txt": "inside",
      "dir/sub/deep.txt": numbered(400),
      "top.txt": "top\r\n",
    };
    for (const [name, text] of Object.entries(files)) bench.file(name, text);
    run("zip", "-q", "-r", "a.zip", "dir", "top.txt");
    bench.file("a.tar", await tar(false, files));
    bench.file("a.tar.gz", await tar(true, files));
    bench.file("a.tgz", await tar(true, files));
    for (const archive of ["a.zip", "a.tar", "a.tar.gz", "a.tgz"]) {
      expect(await textOf(archive)).toBe("dir/\ntop.txt (5B)");
      expect(await textOf(`${archive}:dir`)).toBe("in.txt (6B)\nsub/");
      expect(await textOf(`${archive}:dir/in.txt`)).toBe("inside");
      expect(await textOf(`${archive}:./dir//sub/deep.txt:5-7`)).toBe(
        "line 4\nline 5\nline 6\nline 7\nline 8\nline 9\nline 10\n\n[Showing lines 4-10 of 400. Use :11 to continue]",
      );
      expect(await textOf(`${archive}:top.txt`)).toBe("top");
      expect(await textOf(`${archive}:top.txt:raw`)).toBe("top\r\n");
    }
    expect(await call("a.zip")).toMatchObject({ details: { isDirectory: true } });
  });
});

test("READ-39 READ-75 what is not inside is told, and nothing leads out", async () => {
  bench.file("a.tar", await tar(false, { "x.txt": "x" }));
  expect(await call("a.tar:../x")).toMatchObject({
    isError: true,
    text: "Path 'a.tar:../x' not found inside archive",
  });
  expect(await call("a.tar:y.txt")).toMatchObject({
    isError: true,
    text: "Path 'a.tar:y.txt' not found inside archive",
  });
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${1000 + at}`, ""]));
  bench.file("many.tar", await tar(false, many));
  const { text, details } = await call("many.tar");
  expect(text).toStartWith("f1000\nf1001\n");
  expect(text).toEndWith("f1499\n\n[Showing lines 1-500 of 600. Use :501 to continue]");
  expect(details).toMatchObject({ meta: { limits: { shown: 500, total: 600 } } });
  expect(await textOf("many.tar:599-600")).toBe("f1598\nf1599");
});

test("READ-18 several ranges of an archive listing are refused", async () => {
  bench.file("a.tar", await tar(false, { x: "", y: "", z: "" }));
  expect(await call("a.tar:1-1,3-3")).toMatchObject({ isError: true });
});

test("a member that is no text is named; one that is too large is refused", async () => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(1000)]);
  bench.file("a.tar", await tar(false, { "p.png": png }));
  expect(await call("a.tar:p.png")).toMatchObject({
    isError: false,
    text: "[Cannot read binary archive entry 'a.tar:p.png' (1008B)]",
  });
  bench.file("big.tar.gz", await tar(true, { big: new Uint8Array(65 * 2 ** 20) }));
  expect(await call("big.tar.gz:big")).toMatchObject({
    isError: true,
    text: `${join(bench.cwd, "big.tar.gz")}:big: it is larger than 67108864 bytes`,
  });
});

test("a broken archive is an error that says so; raw reads take the file itself", async () => {
  bench.file("bad.zip", "no zip at all");
  expect(await call("bad.zip")).toMatchObject({
    isError: true,
    text: expect.stringContaining("it has no index"),
  });
  expect(await textOf("bad.zip:raw")).toBe("no zip at all");
  bench.file("dir.zip/in.txt", "a folder");
  expect(await textOf("dir.zip")).toContain("- in.txt");
});
