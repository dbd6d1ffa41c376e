/** What a missing program does to a test, seen from outside: Bun runs a small test file. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "needs-"));
  const file = (program: string) =>
    `import { needs } from ${JSON.stringify(join(import.meta.dir, "needs.ts"))};
     const test = needs("${program}");
     test("it works", () => {});`;
  await Bun.write(join(folder, "missing.test.ts"), file("no-such-program"));
  await Bun.write(join(folder, "present.test.ts"), file(process.execPath));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("a test whose program is there runs under its own name", () => {
  expect(run("present", "true")).toMatch(/\(pass\) it works( \[|\n)/);
});

test("a test whose program is missing is skipped and says why", () => {
  const output = run("missing", "");
  expect(output).toContain("(skip) it works (needs no-such-program)");
  expect(output).toContain("0 fail");
});

test("a missing program is a failure in CI", () => {
  const output = run("missing", "true");
  expect(output).toContain("no-such-program is not installed; .ci/run must install it");
  expect(output).toContain("1 fail");
});

function run(name: string, CI: string): string {
  const child = Bun.spawnSync([process.execPath, "test", `./${name}.test.ts`], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", CI },
  });
  return child.stderr.toString();
}
