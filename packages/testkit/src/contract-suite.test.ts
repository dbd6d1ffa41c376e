/** Contract suites in real runs of the test program. */

import { join } from "node:path";
import { expect, test } from "bun:test";
import { contractSuite, workspace } from "./index.ts";

test("every case runs for every implementation, each on a fresh subject that is disposed", async () => {
  const { stderr, exitCode } = await runTests(`
    const log = [];
    const stack = contractSuite("stack", (test) => {
      test("starts empty", (list) => expect(list.items.length).toBe(0));
      test("keeps what is pushed", (list) => { list.items.push(1); expect(list.items.length).toBe(1); });
    });
    const fresh = () => ({ items: [], [Symbol.dispose]: () => log.push("disposed") });
    stack({ name: "array", subject: fresh });
    stack({ name: "broken", subject: () => ({ items: { length: 0, push() {} } }) });
    afterAll(() => console.error(log.join(" ")));
  `);
  expect(stderr).toContain("(pass) stack: array > starts empty");
  expect(stderr).toContain("(pass) stack: array > keeps what is pushed");
  expect(stderr).toContain("(pass) stack: broken > starts empty");
  expect(stderr).toContain("(fail) stack: broken > keeps what is pushed");
  expect(stderr).toContain("disposed disposed");
  expect(exitCode).toBe(1);
});

test("a skip is shown with its reason", async () => {
  const { stderr, exitCode } = await runTests(`
    const suite = contractSuite("wire", (test) => test("has usage", () => { throw new Error("ran"); }));
    suite({ name: "plain", subject: () => 0, skip: [{ case: "has usage", reason: "sends none" }] });
  `);
  expect(stderr).toContain("(skip) wire: plain > has usage (sends none)");
  expect(exitCode).toBe(0);
});

test("two cases of one name fail", () => {
  const define = () =>
    contractSuite("suite", (add) => {
      add("same", () => {});
      add("same", () => {});
    });
  expect(define).toThrow('suite has two cases "same"');
});

test("a skip without a reason or of an unknown case fails", () => {
  const suite = contractSuite("suite", (add) => add("known", () => {}));
  const run = (skipped: string, reason: string) => () =>
    suite({ name: "x", subject: () => 0, skip: [{ case: skipped, reason }] });
  expect(run("known", "  ")).toThrow('the skip of "known" needs a reason');
  expect(run("unknown", "because")).toThrow('suite has no case "unknown" to skip');
});

async function runTests(source: string): Promise<{ stderr: string; exitCode: number }> {
  const kit = join(import.meta.dir, "contract-suite.ts");
  const imports = `import { afterAll, expect } from "bun:test";\nimport { contractSuite } from ${JSON.stringify(kit)};\n`;
  await using place = await workspace({ files: { "it.test.js": imports + source } });
  const run = Bun.spawn([process.execPath, "test", "it.test.js"], {
    cwd: place.path,
    stdout: "ignore",
    stderr: "pipe",
  });
  return { stderr: await run.stderr.text(), exitCode: await run.exited };
}
