/** `npm test`: checks, builds, runs every test, and ends with one line of counts. Arguments go to `bun test`. */

import { join, resolve } from "node:path";
import { countsLine, runTests } from "./run-tests.ts";

const root = resolve(import.meta.dir, "..");

/** Each stage runs whatever became of the one before it: one run tells everything that is wrong. */
async function main(extra: readonly string[]): Promise<number> {
  const stages = [await runScript("check.ts"), await runScript("build.ts")];
  const counts = await runTests(root, extra);
  const failed = counts.failed + stages.filter((isFine) => !isFine).length;
  for (const name of counts.skipped) console.log(`skipped: ${name}`);
  console.log(countsLine({ ...counts, failed }));
  return failed > 0 ? 1 : 0;
}

async function runScript(name: string): Promise<boolean> {
  const command = [process.execPath, join(import.meta.dir, name)];
  const child = Bun.spawn(command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return (await child.exited) === 0;
}

process.exitCode = await main(process.argv.slice(2));
