/** The report reader, on reports that Bun itself writes. */

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJunit } from "./junit.ts";

test("passed, failed and skipped are counted; the names of skipped tests are readable", async () => {
  const folder = await mkdtemp(join(tmpdir(), "junit-"));
  try {
    await Bun.write(
      join(folder, "a.test.ts"),
      `import { describe, expect, test } from "bun:test";
       test("one", () => {});
       test.each([1, 2])("%d > 0", (n) => expect(n).toBeGreaterThan(0));
       test("breaks", () => expect("<a>").toBe("</testcase>"));
       describe("outer", () => { test.skip('"a" & <b> (needs git)', () => {}); });
       test.todo("later");`,
    );
    Bun.spawnSync([process.execPath, "test", "--reporter=junit", "--reporter-outfile=out.xml"], {
      cwd: folder,
    });
    expect(readJunit(await Bun.file(join(folder, "out.xml")).text())).toEqual({
      passed: 3,
      failed: 1,
      skipped: ['a.test.ts > outer > "a" & <b> (needs git)', "a.test.ts > later"],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
