/** `npm test`: checks, builds, runs every test, and ends with one line of counts. Arguments go to `bun test`. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readJunit, type TestCounts } from "./junit.ts";

const root = resolve(import.meta.dir, "..");

/** Each stage runs whatever became of the one before it: one run tells everything that is wrong. */
async function main(testArguments: readonly string[]): Promise<number> {
  const stages = [await runScript("check.ts"), await runScript("build.ts")];
  const broken = stages.filter((isFine) => !isFine).length;
  const { passed, failed, skipped } = await runTests(testArguments);
  for (const name of skipped) console.log(`skipped: ${name}`);
  const total = failed + broken;
  const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
  console.log(`${passed} passed, ${total} failed${tail}`);
  return total > 0 ? 1 : 0;
}

async function runScript(name: string): Promise<boolean> {
  const command = [process.execPath, join(import.meta.dir, name)];
  const child = Bun.spawn(command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return (await child.exited) === 0;
}

async function runTests(testArguments: readonly string[]): Promise<TestCounts> {
  const folder = await mkdtemp(join(tmpdir(), "omp-test-"));
  try {
    const report = join(folder, "junit.xml");
    const { exitCode, output } = await runBunTest(report, testArguments);
    const file = Bun.file(report);
    const counts = readJunit((await file.exists()) ? await file.text() : "");
    // A file that fails to load is missing in the report but counted on the screen.
    const onScreen = Number(/^ *(\d+) fail$/m.exec(output)?.[1] ?? 0);
    const failed = Math.max(counts.failed, onScreen, exitCode === 0 ? 0 : 1);
    return { ...counts, failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runBunTest(
  report: string,
  testArguments: readonly string[],
): Promise<{ exitCode: number; output: string }> {
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      "--parallel",
      "--only-failures",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      // Material of tests, which may itself contain tests.
      "--path-ignore-patterns=**/{cases,golden,fixtures}/**",
      ...testArguments,
    ],
    { cwd: root, stdio: ["ignore", "inherit", "pipe"] },
  );
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  return { exitCode: await child.exited, output };
}

process.exitCode = await main(process.argv.slice(2));
