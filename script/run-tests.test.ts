/** The counts of a test run, from runs of Bun itself on small folders of tests. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countsLine } from "./run-tests.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "run-tests-"));
  const files = {
    "mixed/a.test.ts": `
      test("one", () => {});
      test.each([1, 2])("%d > 0", (n) => expect(n).toBeGreaterThan(0));
      test("breaks", () => expect("<a>").toBe("</testcase>"));
      describe("outer", () => { test.skip('"a" & <b> (needs git)', () => {}); });`,
    "mixed/cases/not-ours.test.ts": `test("a case", () => expect(1).toBe(2));`,
    "unloadable/a.test.ts": `import { gone } from "./gone.ts"; test("x", () => gone());`,
    "unloadable/b.test.ts": `test("fails", () => expect(1).toBe(2)); test("fine", () => {});`,
    "crashing/a.test.ts": `test("fine", () => {}); test("dies", () => process.exit(0));`,
    "fine/a.test.ts": `test("fine", () => {}); test("other", () => {});`,
    "empty/readme.md": "",
  };
  for (const [path, text] of Object.entries(files)) {
    const head = `import { describe, expect, test } from "bun:test"; void describe; void expect;`;
    await Bun.write(join(folder, path), path.endsWith(".ts") ? head + text : text);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["mixed", 3, 1, ['a.test.ts > outer > "a" & <b> (needs git)']],
  // A file that does not load, and a program that dies, are failures and not silence.
  ["unloadable", 1, 2, []],
  ["crashing", 0, 1, []],
  ["fine", 2, 0, []],
  ["empty", 0, 1, []],
])("%s: %d passed, %d failed, skipped %p", (name, passed, failed, skipped) => {
  expect(counts(name)).toEqual({ passed, failed, skipped });
});

test("arguments reach bun test", () => {
  expect(counts("fine", "-t", "other")).toMatchObject({ passed: 1, failed: 0 });
});

test("the line of counts names skipped tests only when there are any", () => {
  expect(countsLine({ passed: 3, failed: 0, skipped: [] })).toBe("3 passed, 0 failed");
  expect(countsLine({ passed: 3, failed: 1, skipped: ["a"] })).toBe(
    "3 passed, 1 failed, 1 skipped",
  );
});

/** In a process of its own, as the runner shares its output with the run. */
function counts(name: string, ...extra: string[]): unknown {
  const program = `
    import { runTests } from ${JSON.stringify(join(import.meta.dir, "run-tests.ts"))};
    console.log("\\n" + JSON.stringify(await runTests(process.cwd(), process.argv.slice(1))));`;
  const child = Bun.spawnSync([process.execPath, "-e", program, "--", ...extra], {
    cwd: join(folder, name),
  });
  return JSON.parse(child.stdout.toString().trim().split("\n").at(-1)!);
}
