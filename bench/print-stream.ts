/**
 * What a long answer costs in print mode: `node script/bun.mjs bench/print-stream.ts`.
 *
 * CPU time (user and system, all threads) of `omp -p` for an answer of 1 MB in 20,000 deltas, less that
 * of `omp -p hi`, samples interleaved, medians. The same for `--mode json`, which prints every delta.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBinary } from "../script/build.ts";
import { benchEnvironment } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 15);
const DELTAS = 20_000;
const WORD = "0123456789 ".repeat(5).slice(0, 52);
const REACH_MS = 200;

const root = join(import.meta.dir, "..");
const binary = process.env["OMP_BINARY"] ?? join(root, "dist/omp");
if (!process.env["OMP_BINARY"]) {
  await buildBinary({ entry: join(root, "packages/app/src/main.ts"), outfile: binary });
}
const scratch = mkdtempSync(join(tmpdir(), "omp-bench-"));
const bodies = { short: body(1), long: body(DELTAS) };
let answer = bodies.short;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    await request.arrayBuffer();
    return new Response(answer, { headers: { "content-type": "text/event-stream" } });
  },
});

const figures: Record<string, number[]> = { short: [], text: [], json: [] };
for (let index = 0; index < SAMPLES; index++) {
  figures["short"]!.push(await cpuOf(bodies.short, ["-p", "hi"]));
  figures["text"]!.push(await cpuOf(bodies.long, ["-p", "hi"]));
  figures["json"]!.push(await cpuOf(bodies.long, ["--mode", "json", "hi"]));
}
await server.stop(true);
rmSync(scratch, { recursive: true });
const [short, text, json] = [median("short"), median("text"), median("json")];
const beyond = Math.round(text - short);
console.log(`omp -p hi ${short} ms CPU; 1 MB in ${DELTAS} deltas: -p ${text} ms, json ${json} ms`);
console.log(
  `beyond -p hi: ${beyond} ms  reach ${REACH_MS}  ${beyond <= REACH_MS ? "ok" : "MISSED"}`,
);

async function cpuOf(prepared: string, args: string[]): Promise<number> {
  answer = prepared;
  const home = mkdtempSync(join(scratch, "home-"));
  const child = Bun.spawn([binary, ...args], {
    cwd: scratch,
    env: benchEnvironment(home, `http://127.0.0.1:${server.port}`),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const printed = await child.stdout.text();
  const code = await child.exited;
  const wanted = prepared === bodies.long ? DELTAS * WORD.length : 1;
  if (code !== 0 || printed.length < wanted)
    throw new Error(`exit code ${code}, ${printed.length}`);
  const { user, system } = child.resourceUsage()!.cpuTime;
  return Number(user + system) / 1000;
}

function body(deltas: number): string {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", content: [], model: "b", usage };
  const delta = { type: "text_delta", text: WORD };
  const events = [
    { type: "message_start", message: { ...message, stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...Array.from({ length: deltas }, () => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function median(name: string): number {
  const sorted = figures[name]!.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)]! * 10) / 10;
}
