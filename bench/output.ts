/**
 * What 1 GB of output costs: `node script/bun.mjs bench/output.ts`.
 *
 * A command that prints it runs through the shell host: cleaned, counted, cut for the model, whole in a
 * file. Its time is a ratio to the same command into `cat >file`, samples interleaved; memory is the growth
 * of the high-water mark of a fresh process over what a short command leaves it at.
 */

import { createProcesses, createShell, spillInto } from "@omp/host";
import { systemClock } from "@omp/std";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 5);
const BYTES = 1_000_000_000;

/** What is printed decides how it can be read: plain, in tiny lines, in many scripts, in colours. */
const OUTPUTS = {
  lines: `yes ${"x".repeat(99)} | head -c ${BYTES}`,
  "short lines": `yes | head -c ${BYTES}`,
  "one line": `head -c ${BYTES} /dev/zero | tr '\\0' x`,
  "UTF-8 lines, a tenth": `yes ${"日本語".repeat(10)} | head -c ${BYTES / 10}`,
  "coloured lines, a tenth": `yes $'\\e[31m${"x".repeat(80)}\\e[0m' | head -c ${BYTES / 10}`,
};

if (process.argv[2] === "sample") await sample(process.argv[3]!, process.argv[4]!);
else await main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "omp-bench-"));
  try {
    for (const [name, command] of Object.entries(OUTPUTS)) await compare(name, command, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(name: string, command: string, folder: string): Promise<void> {
  const ours: number[] = [];
  const floor: number[] = [];
  const grown: number[] = [];
  for (let index = 0; index < SAMPLES; index++) {
    floor.push(await timeOf(["bash", "-c", `${command} | cat >"$0"`, join(folder, "floor")]));
    const child = Bun.spawn(
      [process.execPath, import.meta.path, "sample", command, join(folder, "ours")],
      { stdout: "pipe", stderr: "inherit" },
    );
    const { ms, grownMb } = (await child.stdout.json()) as { ms: number; grownMb: number };
    ours.push(ms);
    grown.push(grownMb);
  }
  const [time, least, memory] = [median(ours), median(floor), median(grown)];
  const ratio = (time / least).toFixed(2);
  console.log(`${name}: ${time} ms, cat ${least} ms, ratio ${ratio}, memory +${memory} MB`);
}

async function timeOf(command: string[]): Promise<number> {
  const start = performance.now();
  await Bun.spawn(command, { stdout: "ignore", stderr: "inherit" }).exited;
  return Math.round(performance.now() - start);
}

async function sample(command: string, path: string): Promise<void> {
  const processes = createProcesses({ clock: systemClock });
  const environment = { PATH: process.env["PATH"] ?? "" };
  const shell = createShell({ processes, environment });
  const place = {
    reserve: () => Promise.resolve({ id: "0", path }),
    keep: () => undefined,
  };
  const run = (text: string) =>
    shell.run(text, { cwd: "/", openSpill: spillInto(place, "bench"), onOutput: () => {} });
  await run("seq 100000");
  const before = peakMb();
  const start = performance.now();
  await run(command);
  const ms = Math.round(performance.now() - start);
  console.log(JSON.stringify({ ms, grownMb: Math.round(peakMb() - before) }));
}

function peakMb(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024;
}
