/** Runs `bun test` and tells exactly how many tests passed, failed and were skipped. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJunit, type TestCounts } from "./junit.ts";

/** Shows the output of failing tests while they run. `extra` goes to `bun test`. */
export async function runTests(root: string, extra: readonly string[]): Promise<TestCounts> {
  const folder = await mkdtemp(join(tmpdir(), "omp-test-"));
  try {
    const report = join(folder, "junit.xml");
    const { exitCode, output } = await runBunTest(root, report, extra);
    const file = Bun.file(report);
    const hasReport = await file.exists();
    const counts = readJunit(hasReport ? await file.text() : "");
    // A file that fails to load is missing in the report but counted on the screen.
    const onScreen = Number(/^ *(\d+) fail$/m.exec(output)?.[1] ?? 0);
    // A test that ends the process with 0 leaves no report: that is a failure as well.
    const least = exitCode === 0 && hasReport ? 0 : 1;
    return { ...counts, failed: Math.max(counts.failed, onScreen, least) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The last line of `npm test`, which other programs read. */
export function countsLine({ passed, failed, skipped }: TestCounts): string {
  const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
  return `${passed} passed, ${failed} failed${tail}`;
}

async function runBunTest(
  root: string,
  report: string,
  extra: readonly string[],
): Promise<{ exitCode: number; output: string }> {
  const flags = [
    "--parallel",
    "--only-failures",
    // Processes start slowly where many tests run at once; a hang is still found.
    "--timeout=20000",
    "--reporter=junit",
    `--reporter-outfile=${report}`,
    // Material of tests, which may itself contain tests.
    "--path-ignore-patterns=**/cases/**",
    "--path-ignore-patterns=**/golden/**",
    "--path-ignore-patterns=**/fixtures/**",
  ];
  const child = Bun.spawn([process.execPath, "test", ...flags, ...extra], {
    cwd: root,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  return { exitCode: await child.exited, output };
}
