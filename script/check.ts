/** `npm run check`: everything that can be said about the code without running it, side by side. */

import { join, resolve } from "node:path";

interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** A stage that has something to say even when it passes: its warnings. */
  readonly speaks?: boolean;
}

interface Outcome {
  readonly stage: Stage;
  readonly isFine: boolean;
  readonly output: string;
  readonly seconds: number;
}

const root = resolve(import.meta.dir, "..");
const bun = process.execPath;
const installed = (name: string) => join(root, "node_modules/.bin", name);

/** The slow ones first, so that the quick ones fill the gaps. */
const stages: readonly Stage[] = [
  { name: "lint", command: [bun, installed("oxlint"), "--type-aware"] },
  { name: "types", command: [bun, "check", "--no-script"] },
  {
    name: "page types",
    command: [bun, "check", "--no-script", "-p", "packages/engine/page"],
  },
  { name: "unused code", command: [bun, "--bun", installed("knip"), "--no-config-hints"] },
  { name: "architecture", command: [bun, "script/check-architecture.ts"], speaks: true },
  { name: "generated docs", command: [bun, "script/gen-docs.ts", "--check"] },
  { name: "exported page", command: [bun, "script/gen-export-page.ts", "--check"] },
  { name: "format", command: [bun, "fmt", "--no-script", "--check"] },
];

async function main(): Promise<number> {
  const started = performance.now();
  const outcomes = await Promise.all(stages.map(run));
  for (const { stage, isFine, output } of outcomes) {
    if (output && (!isFine || stage.speaks)) console.log(`── ${stage.name}\n${output}\n`);
  }
  const failed = outcomes.filter(({ isFine }) => !isFine);
  for (const { stage, isFine, seconds } of outcomes) {
    console.log(`${isFine ? "ok    " : "FAILED"} ${stage.name.padEnd(15)} ${seconds.toFixed(1)} s`);
  }
  const total = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`check: ${failed.length === 0 ? "ok" : `${failed.length} failed`} in ${total} s`);
  return failed.length === 0 ? 0 : 1;
}

async function run(stage: Stage): Promise<Outcome> {
  const started = performance.now();
  const child = Bun.spawn([...stage.command], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  const seconds = (performance.now() - started) / 1000;
  return { stage, isFine: code === 0, output: `${out}${err}`.trim(), seconds };
}

process.exitCode = await main();
