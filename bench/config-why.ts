/**
 * What `omp config why <name>` costs, from exec to exit: `node script/bun.mjs bench/config-why.ts`.
 *
 * With a config.yml, a file of `--config` and a project's file, as a ratio to `omp --version`. The goal is 40 ms.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { median } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 20);
const binary = process.env["OMP_BINARY"] ?? join(import.meta.dir, "../dist/omp");
const root = mkdtempSync(join(tmpdir(), "omp-bench-"));
try {
  write("home/.omp/agent/config.yml", "# mine\nretry:\n  maxRetries: 3\nlsp:\n  enabled: false\n");
  write("project/.omp/config.yml", "retry: { maxRetries: 4 }\n");
  write("project/over.yml", "retry.maxRetries: 5\n");
  const times = { version: [] as number[], why: [] as number[] };
  for (let at = 0; at < SAMPLES; at++) {
    times.version.push(await run(["--version"]));
    times.why.push(
      await run(["config", "why", "retry.maxRetries", "--config", "over.yml", "--trust"]),
    );
  }
  const [version, why] = [median(times.version), median(times.why)];
  console.log(`--version ${version.toFixed(1)} ms`);
  console.log(`config why ${why.toFixed(1)} ms, ratio ${(why / version).toFixed(2)} (goal 40 ms)`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function run(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = Bun.spawn([binary, ...args], {
    cwd: join(root, "project"),
    env: { PATH: process.env["PATH"], HOME: join(root, "home") },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [text, problems, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  if (code !== 0 || text === "") throw new Error(`omp ${args.join(" ")}: ${problems}`);
  return performance.now() - start;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
