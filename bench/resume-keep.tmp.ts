/**
 * What it costs to resume a long session: `node script/bun.mjs bench/resume.ts`.
 *
 * A file of 100,000 entries and 300 MB, compacted now and then as such sessions are, is opened and
 * its context built in a fresh process each time; next to it a process that only reads the bytes.
 */

import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contextOf, SessionLog } from "@omp/session";
import { systemClock, systemRandom } from "@omp/std";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 7);
const ENTRIES = 100_000;
const ENTRY_BYTES = 3000;
const COMPACTED_EVERY = 400;

const [part, file = ""] = process.argv.slice(2);
if (part === "resume") await resume(file);
else if (part === "read") read(file);
else main();

interface Sample {
  readonly ms: number;
  readonly peakMb: number;
}

function main(): void {
  const path = join(tmpdir(), `omp-bench-resume-${ENTRIES}.jsonl`);
  if (!existsSync(path)) generate(path);
  const samples: Record<"resume" | "read", Sample[]> = { resume: [], read: [] };
  for (let index = 0; index < SAMPLES; index++) {
    samples.read.push(measured("read", path));
    samples.resume.push(measured("resume", path));
  }

  const [ours, floor] = [median(samples.resume, "ms"), median(samples.read, "ms")];
  const peak = median(samples.resume, "peakMb");
  console.log(`open + context: ${ours} ms, reading the bytes ${floor} ms`);
  console.log(`ratio ${(ours / floor).toFixed(2)}`);
  console.log(`time ${ours} ms  reach 1000${ours <= 1000 ? "  ok" : "  MISSED"}`);
  console.log(`peak memory ${peak} MB  reach 300${peak <= 300 ? "  ok" : "  MISSED"}`);
}

async function resume(path: string): Promise<void> {
  const start = performance.now();
  const doors = { clock: systemClock, random: systemRandom };
  await using log = await SessionLog.open({ path, ...doors });
  const { messages } = contextOf(log.branch());
  if (log.entries.length !== ENTRIES || messages.length < 2)
    throw new Error("not what was written");
  tell(start);
}

function read(path: string): void {
  const start = performance.now();
  const descriptor = openSync(path, "r");
  const window = Buffer.allocUnsafe(1 << 20);
  while (readSync(descriptor, window) > 0);
  closeSync(descriptor);
  tell(start);
}

function tell(start: number): void {
  const ms = performance.now() - start;
  const mark = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"));
  console.log(JSON.stringify({ ms, peakMb: Number(mark?.[1] ?? 0) / 1024 }));
}

function measured(what: "resume" | "read", path: string): Sample {
  const { stdout } = Bun.spawnSync([process.execPath, import.meta.path, what, path], {
    stderr: "inherit",
  });
  return JSON.parse(stdout.toString());
}

/** Questions, answers that call a tool, results; the lines as omp writes them. */
function generate(path: string): void {
  const unfinished = `${path}.${process.pid}`;
  const file = Bun.file(unfinished).writer();
  const header = { type: "session", version: 3, id: "bench", timestamp: time(0), cwd: "/w" };
  void file.write(`${JSON.stringify(header)}\n`);
  const filler = 'the quick brown fox jumps over the lazy dog \\ "quoted"\n'.repeat(60);
  for (let index = 0; index < ENTRIES; index++) {
    const parentId = index === 0 ? null : idOf(index - 1);
    const place = { id: idOf(index), parentId, timestamp: time(index) };
    const { type, ...rest } = draft(index, filler.slice(0, ENTRY_BYTES - 350));
    void file.write(`${JSON.stringify({ type, ...place, ...rest })}\n`);
  }
  void file.end();
  renameSync(unfinished, path);
}

function draft(index: number, text: string): { type: string } & Record<string, unknown> {
  if (index % COMPACTED_EVERY === COMPACTED_EVERY - 100) {
    const firstKeptEntryId = idOf(index - 20);
    return { type: "compaction", summary: text, firstKeptEntryId, tokensBefore: 1 };
  }
  const role = ["user", "assistant", "toolResult"][index % 3];
  const content = [{ type: "text", text }];
  const message = {
    role,
    content,
    provider: "b",
    model: "m",
    timestamp: index,
    toolCallId: "1",
    toolName: "bash",
  };
  return { type: "message", message };
}

function idOf(index: number): string {
  return index.toString(16).padStart(8, "0");
}

function time(index: number): string {
  return new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
}

function median(samples: readonly Sample[], field: keyof Sample): number {
  const sorted = samples.map((sample) => sample[field]).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}
