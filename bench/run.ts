/**
 * `npm run bench`: what omp costs above the floor, an agent with nothing but the loop.
 *
 * Absolute times are noise on a shared machine, so every figure is a ratio to the floor measured in the
 * same run: both compiled with the same flags, samples interleaved, medians compared.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBinary } from "../script/build.ts";
import { startModelServer } from "./model-server.ts";
import { benchEnvironment, median, round } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 20);
const root = join(import.meta.dir, "..");
const scratch = mkdtempSync(join(tmpdir(), "omp-bench-"));
const subjects = { omp: join(root, "dist/omp"), floor: join(scratch, "floor") } as const;
type Subject = keyof typeof subjects;
type Figures = Record<string, number>;

await buildBinary({ entry: join(root, "packages/app/src/main.ts"), outfile: subjects.omp });
await buildBinary({ entry: join(root, "bench/floor.ts"), outfile: subjects.floor });
using server = startModelServer();
const memoryWatch = new Worker(new URL("./watch-memory.ts", import.meta.url));

const samples: Record<Subject, Figures[]> = { omp: [], floor: [] };
for (let index = 0; index < SAMPLES; index++) {
  for (const subject of ["omp", "floor"] as const) samples[subject].push(await sample(subject));
}
const shellMs = await medianShellTime();
const report = compare(shellMs);
await Bun.write(join(root, "bench/results.json"), `${JSON.stringify(report, null, 2)}\n`);
print(report);
rmSync(scratch, { recursive: true });
memoryWatch.terminate();

async function sample(subject: Subject): Promise<Figures> {
  const version = await launch(subject, ["--version"]);
  const hi = await launch(subject, ["-p", "hi"]);
  const short = await launch(subject, ["-p", "go"], 50);
  const long = await launch(subject, ["-p", "go"], 200);
  return {
    versionMs: version.totalMs,
    firstRequestMs: hi.arrivals[0]!,
    hiTotalMs: hi.totalMs,
    hiPeakMb: await peakMemory(subject, ["-p", "hi"]),
    turnMs: perTurn(short.arrivals, 0, 50),
    earlyTurnMs: perTurn(long.arrivals, 0, 10),
    lateTurnMs: perTurn(long.arrivals, 190, 200),
    longPeakMb: await peakMemory(subject, ["-p", "go"], 200),
  };
}

async function launch(subject: Subject, args: string[], shellCalls = 0) {
  server.expect(shellCalls);
  const start = performance.now();
  const child = spawn(subject, args);
  const [, problems, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  const totalMs = performance.now() - start;
  if (code !== 0) throw new Error(`${subject} ${args.join(" ")} exited with ${code}: ${problems}`);
  const arrivals = server.arrivals.map((time) => time - start);
  const expected = args[0] === "--version" ? 0 : shellCalls + 1;
  if (arrivals.length !== expected) throw new Error(`${subject}: ${arrivals.length} requests`);
  return { totalMs, arrivals };
}

/** A run of its own, because looking disturbs the times. */
async function peakMemory(subject: Subject, args: string[], shellCalls = 0): Promise<number> {
  server.expect(shellCalls);
  const peak = Promise.withResolvers<number>();
  memoryWatch.onmessage = ({ data }) => peak.resolve(data);
  const child = spawn(subject, args);
  memoryWatch.postMessage(child.pid);
  await child.exited;
  return peak.promise;
}

function spawn(subject: Subject, args: string[]) {
  const home = mkdtempSync(join(scratch, "home-"));
  return Bun.spawn([subjects[subject], ...args, ...(subject === "omp" ? ["--yolo"] : [])], {
    cwd: scratch,
    env: benchEnvironment(home, server.url),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Milliseconds from one request to the next, over the turns from `from` to `to`. */
function perTurn(arrivals: readonly number[], from: number, to: number): number {
  return (arrivals[to]! - arrivals[from]!) / (to - from);
}

async function medianShellTime(): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 100; index++) {
    const start = performance.now();
    const child = Bun.spawn(["bash", "-c", `echo turn ${index}`], {
      stdout: "pipe",
      stderr: "pipe",
    });
    await new Response(child.stdout).text();
    await child.exited;
    times.push(performance.now() - start);
  }
  return median(times);
}

function compare(shellOnlyMs: number) {
  const of = (subject: Subject, key: string) =>
    median(samples[subject].map((figures) => figures[key]!));
  const row = (key: string, reach: number | null) => {
    const [omp, floor] = [of("omp", key), of("floor", key)];
    return { omp: round(omp), floor: round(floor), ratio: round(omp / floor), reach };
  };
  const turn = {
    omp: of("omp", "turnMs") - shellOnlyMs,
    floor: of("floor", "turnMs") - shellOnlyMs,
  };
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    samples: SAMPLES,
    figures: {
      version: row("versionMs", 2),
      firstRequest: row("firstRequestMs", 2.5),
      hiToExit: row("hiTotalMs", null),
      peakMemoryHi: row("hiPeakMb", 1.6),
      turn: row("turnMs", 1.6),
      turnLessShell: { omp: round(turn.omp), floor: round(turn.floor), ratio: null, reach: null },
      lateToEarlyTurns: {
        omp: round(of("omp", "lateTurnMs")),
        early: round(of("omp", "earlyTurnMs")),
        ratio: round(of("omp", "lateTurnMs") / of("omp", "earlyTurnMs")),
        reach: 1.2,
      },
      peakMemory200Turns: row("longPeakMb", null),
    },
  };
}

function print({ figures }: ReturnType<typeof compare>): void {
  for (const [name, figure] of Object.entries(figures)) {
    const { ratio, reach, ...values } = figure;
    const measured = Object.entries(values).map(([key, value]) => `${key} ${value}`);
    const verdict = reach === null || ratio === null ? "" : ratio <= reach ? "  ok" : "  MISSED";
    console.log(
      `${name.padEnd(20)} ${measured.join("  ").padEnd(28)} ratio ${ratio ?? "-"}  reach ${reach ?? "-"}${verdict}`,
    );
  }
}

function commit(): string {
  const { stdout } = Bun.spawnSync(["git", "rev-parse", "--short", "HEAD"], { cwd: root });
  return stdout.toString().trim();
}
