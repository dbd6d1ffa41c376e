/** The copy of ripgrep that a compiled program makes. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copiedOut, ripgrepProgram } from "./program.ts";

let root: string;
let inside: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "omp-program-"));
  inside = join(root, "inside");
  writeFileSync(inside, "#!/bin/sh\necho found\n");
});
afterEach(() => rmSync(root, { recursive: true }));

test("outside of a compiled program that of the package is used as it is", async () => {
  const path = await ripgrepProgram({ folder: join(root, "cache") })();
  expect(Bun.spawnSync([path, "--version"]).stdout.toString()).toStartWith("ripgrep ");
});

test("the copy belongs to the person alone, can be started, and is made once", async () => {
  const folder = join(root, "cache/omp/1.0");
  const path = await copiedOut(inside, folder);
  expect(path).toBe(join(folder, "rg"));
  expect([statSync(path).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o700, 0o700]);
  expect(Bun.spawnSync([path]).stdout.toString()).toBe("found\n");
  const { ino } = statSync(path);
  await copiedOut(inside, folder);
  expect(statSync(path).ino).toBe(ino);
});

const DAMAGE: readonly (readonly [string, (path: string) => void])[] = [
  ["longer", (path) => appendFileSync(path, "x")],
  ["another of the same length", (path) => writeFileSync(path, "#!/bin/sh\necho wrong\n")],
  ["not to be started", (path) => chmodSync(path, 0o600)],
  ["gone", (path) => rmSync(path)],
  ["a link", (path) => (rmSync(path), symlinkSync(inside, path))],
];
test.each(DAMAGE)("a copy that is %s is made anew", async (_what, damage) => {
  const folder = join(root, "cache");
  const path = await copiedOut(inside, folder);
  damage(path);
  await copiedOut(inside, folder);
  expect(Bun.spawnSync([path]).stdout.toString()).toBe("found\n");
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("many at once end with one whole copy", async () => {
  writeFileSync(inside, Buffer.alloc(3_000_000, 7));
  const folder = join(root, "cache");
  await Promise.all(Array.from({ length: 8 }, () => copiedOut(inside, folder)));
  expect(readdirSync(folder)).toEqual(["rg"]);
  expect(readFileSync(join(folder, "rg")).equals(readFileSync(inside))).toBe(true);
});

test("what cannot be copied is said, and tried again the next time", async () => {
  const folder = join(root, "cache");
  writeFileSync(folder, "in the way");
  await expect(copiedOut(inside, folder)).rejects.toMatchObject({
    kind: "failed-to-start",
    message: expect.stringMatching(/^Searching needs ripgrep, but it cannot be copied to .*rg \(/),
  });
  let isThere = false;
  const bundled = () => (isThere ? Promise.resolve(inside) : Promise.reject(new Error("none")));
  const program = ripgrepProgram({ folder, bundled });
  await expect(program()).rejects.toThrow("none");
  isThere = true;
  expect(await program()).toBe(inside);
});
