/**
 * What it costs to decide about a compaction: `node script/bun.mjs bench/compaction.ts`.
 *
 * A branch of 10,000 entries is planned, sized and pruned in this process; the median counts.
 */

import { SessionLog } from "@omp/session";
import { seededRandom, systemClock } from "@omp/std";
import { contextSizeOf, planCompaction, windowOf } from "../packages/engine/src/compaction/plan.ts";
import { planPruning } from "../packages/engine/src/compaction/prune.ts";
import { assistant, call, result, user } from "../packages/engine/test/histories.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 21);
const ENTRIES = 10_000;
const REACH_MS = 20;

const branch = history();
const options = { keepTokens: 20_000, overhead: 5000 };
const figures = {
  plan: median(() => planCompaction(branch, options)),
  size: median(() => contextSizeOf(branch, options.overhead)),
  prune: median(() => planPruning(windowOf(branch).entries, () => false)),
};
for (const [name, ms] of Object.entries(figures)) {
  const verdict = ms <= REACH_MS ? "ok" : "MISSED";
  console.log(
    `${name} over ${ENTRIES} entries: ${ms.toFixed(2)} ms  reach ${REACH_MS}  ${verdict}`,
  );
}

function history() {
  const doors = { clock: systemClock, random: seededRandom(1) };
  const log = SessionLog.create({ cwd: "/work", folder: undefined, ...doors });
  for (let turn = 0; log.entries.length < ENTRIES; turn++) {
    log.append(user(`prompt ${turn} ${"x".repeat(200)}`));
    log.append(assistant("", [call(`c${turn}`, "bash", { command: "ls" })]));
    log.append(result(`c${turn}`, "bash", "y".repeat(2000)));
    log.append(assistant(`answer ${"z".repeat(400)}`));
  }
  return log.branch();
}

function median(work: () => unknown): number {
  const times = Array.from({ length: SAMPLES }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(SAMPLES / 2)]!;
}
