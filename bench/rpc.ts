/**
 * What RPC mode costs: `node script/bun.mjs bench/rpc.ts`.
 *
 * `get_state` there and back, as a ratio to a process that answers lines of the same length; and the CPU
 * time of an answer of 1 MB in 20,000 deltas, as a ratio to JSON mode, which tells the deltas alone.
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBinary } from "../script/build.ts";
import { benchEnvironment, median, round } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 20);
const TRIPS = 100;
const DELTAS = 20_000;
const root = join(import.meta.dir, "..");
const scratch = mkdtempSync(join(tmpdir(), "omp-bench-"));
const omp = process.env["OMP_BINARY"] ?? join(root, "dist/omp");
const floor = join(scratch, "floor");

if (process.env["OMP_BINARY"] === undefined) {
  await buildBinary({ entry: join(root, "packages/app/src/main.ts"), outfile: omp });
}
await buildBinary({ entry: join(root, "bench/rpc-floor.ts"), outfile: floor });
using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: longAnswer });
await roundTrips();
await longStream();
rmSync(scratch, { recursive: true });

async function roundTrips(): Promise<void> {
  await using ours = await open([omp, "--mode", "rpc", "--no-session"]);
  const ask = '{"id":"1","type":"get_state"}\n';
  const { length } = await ours.trip(ask);
  await using echo = await open([floor, String(length)]);
  const times: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
  for (let index = 0; index < SAMPLES; index++) {
    times.ours.push(await timed(ours, ask));
    times.floor.push(await timed(echo, ask));
  }
  const [state, bare] = [median(times.ours), median(times.floor)];
  console.log(
    `get_state (${length} bytes): ${round(state)} ms, floor ${round(bare)} ms, ratio ${round(state / bare)}` +
      `  reach 2 ms${state <= 2 ? "  ok" : "  MISSED"}`,
  );
}

async function timed(process: Opened, line: string): Promise<number> {
  const start = performance.now();
  for (let trip = 0; trip < TRIPS; trip++) await process.trip(line);
  return (performance.now() - start) / TRIPS;
}

async function longStream(): Promise<void> {
  const cpu: { rpc: number[]; json: number[] } = { rpc: [], json: [] };
  let told = 0;
  for (let index = 0; index < Math.ceil(SAMPLES / 4); index++) {
    await using ours = await open([omp, "--mode", "rpc", "--no-session"]);
    told = (await ours.until('{"type":"prompt","message":"go"}\n', '{"type":"agent_end"')).length;
    cpu.rpc.push(cpuMs(ours.pid));
    const json = spawn([omp, "--mode", "json", "--no-session", "go"], "ignore");
    await json.stdout.text();
    await json.exited;
    cpu.json.push(Number(json.resourceUsage()!.cpuTime.total) / 1000);
  }
  const [rpc, json] = [median(cpu.rpc), median(cpu.json)];
  console.log(
    `1 MB in 20,000 deltas: rpc ${round(rpc)} ms CPU and ${round(told / 1e6)} MB of lines, ` +
      `json ${round(json)} ms CPU, ratio ${round(rpc / json)}`,
  );
}

interface Opened extends AsyncDisposable {
  readonly pid: number;
  trip(line: string): Promise<{ readonly length: number }>;
  /** All that comes until the text is in it. */
  until(line: string, wanted: string): Promise<string>;
}

async function open(command: readonly string[]): Promise<Opened> {
  const child = spawn(command, "pipe");
  const reader = child.stdout.getReader();
  const read = async () => (await reader.read()).value!;
  await read();
  return {
    pid: child.pid,
    async trip(line) {
      void child.stdin!.write(line);
      await child.stdin!.flush();
      let length = 0;
      for (;;) {
        const chunk = await read();
        length += chunk.length;
        if (chunk.at(-1) === 0x0a) return { length };
      }
    },
    async until(line, wanted) {
      void child.stdin!.write(line);
      await child.stdin!.flush();
      const decoder = new TextDecoder();
      let text = "";
      while (!text.slice(-3_000_000).includes(wanted)) text += decoder.decode(await read());
      return text;
    },
    async [Symbol.asyncDispose]() {
      await child.stdin!.end();
      await child.exited;
    },
  };
}

function spawn(command: readonly string[], stdin: "pipe" | "ignore") {
  const home = mkdtempSync(join(scratch, "home-"));
  return Bun.spawn([...command], {
    cwd: scratch,
    env: benchEnvironment(home, `http://127.0.0.1:${server.port}`),
    stdin,
    stdout: "pipe",
    stderr: "inherit",
  });
}

/** User and system time so far. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function longAnswer(): Response {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = { id: "msg", type: "message", role: "assistant", content: [], model: "m", usage };
  const delta = { type: "text_delta", text: "word word ".repeat(5) };
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...Array.from({ length: DELTAS }, () => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  ];
  const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  let next = 0;
  // As fast as it is read, but in the pieces that a network makes.
  const body = new ReadableStream({
    pull(controller) {
      if (next >= frames.length) return controller.close();
      controller.enqueue(new TextEncoder().encode(frames.slice(next, (next += 10)).join("")));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
