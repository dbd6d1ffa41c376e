/** Throw-away folders and repositories. */

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "bun:test";
import { workspace } from "./index.ts";

test("files are written with their folders, and bytes stay bytes", async () => {
  await using place = await workspace({
    files: { "a/b/c.txt": "grüße\n", "raw.bin": Uint8Array.of(0, 255, 10) },
  });
  expect(await place.read("a/b/c.txt")).toBe("grüße\n");
  expect([...(await readFile(`${place.path}/raw.bin`))]).toEqual([0, 255, 10]);
  expect([place.exists("raw.bin"), place.exists("no.txt")]).toEqual([true, false]);
  const written = await place.write("new/x", "1");
  expect(written).toBe(`${place.path}/new/x`);
  expect(await readdir(place.home)).toEqual([]);
});

test("a repository has a first commit whose id is the same every time", async () => {
  const files = { "a.txt": "a\n" };
  await using one = await workspace({ git: true, files });
  await using two = await workspace({ git: true, files });
  expect(await one.git("rev-parse", "HEAD")).toBe(await two.git("rev-parse", "HEAD"));
  expect(await one.git("log", "--format=%an <%ae> %aI %cI %s")).toBe(
    "Test Author <author@example.com> 2026-01-01T00:00:00+00:00 2026-01-01T00:00:00+00:00 first",
  );
  expect(await one.git("status", "--porcelain")).toBe("");
  expect(await one.git("branch", "--show-current")).toBe("main");
});

test("git reads no configuration from outside and a failure says why", async () => {
  await using place = await workspace({ git: true });
  const origins = await place.git("config", "--list", "--show-origin");
  expect(origins.split("\n").every((line) => line.startsWith("file:.git/config"))).toBe(true);
  await expect(place.git("checkout", "nowhere")).rejects.toThrow(
    "git checkout nowhere ended with 1",
  );
});

test("dispose removes the folder and the home", async () => {
  const place = await workspace({ files: { "a/b": "x" } });
  await place[Symbol.asyncDispose]();
  expect([existsSync(place.path), existsSync(place.home)]).toEqual([false, false]);
});
