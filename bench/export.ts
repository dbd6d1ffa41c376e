/**
 * What an exported page costs: `node script/bun.mjs bench/export.ts`.
 *
 * A session of 2,000 messages from its file to the page on disk, as a ratio to JSON.stringify of the
 * same data in the same run, samples interleaved; and the same for a session of 50 MB.
 */

import { exportSession } from "@omp/engine/boot";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { long, sessionFile } from "../test/e2e/sample-session.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 15);
/** Seconds that a person waits for 2,000 messages, at most. */
const REACH_MS = 1000;

const cwd = mkdtempSync(join(tmpdir(), "omp-bench-export-"));
try {
  await measure("2,000 messages", 60, REACH_MS);
  await measure("50 MB", 10_000, undefined);
} finally {
  rmSync(cwd, { recursive: true });
}

async function measure(name: string, words: number, reachMs: number | undefined): Promise<void> {
  const text = sessionFile(long(2000, words));
  await Bun.write(join(cwd, "s.jsonl"), text);
  const data = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const [pages, floors]: [number[], number[]] = [[], []];
  for (let index = 0; index < SAMPLES + 2; index++) {
    const page = await timeOf(() =>
      exportSession({ input: "s.jsonl", output: "s.html", cwd, home: cwd, environment: {} }),
    );
    const floor = await timeOf(() => JSON.stringify(data));
    // The first ones load and warm up what the compiler has to learn.
    if (index < 2) continue;
    pages.push(page);
    floors.push(floor);
  }
  const [page, floor] = [median(pages), median(floors)];
  const verdict =
    reachMs === undefined ? "" : `  reach ${reachMs} ms${page <= reachMs ? "  ok" : "  MISSED"}`;
  console.log(
    `${name}: page ${page} ms, JSON.stringify ${floor} ms, ratio ${Math.round((page / floor) * 10) / 10}${verdict}`,
  );
}

async function timeOf(work: () => unknown): Promise<number> {
  Bun.gc(true);
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)]! * 100) / 100;
}
