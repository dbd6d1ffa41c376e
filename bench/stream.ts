/**
 * What a model's stream costs: `node script/bun.mjs bench/stream.ts`.
 *
 * CPU time of reading 20,000 deltas (1 MB) by the whole `ai` package, as a ratio to the parser of
 * server-sent events alone on the same bytes, samples interleaved; and the time from nothing to the
 * first request with 30 tools, in a fresh process, next to what it takes without any.
 */

import { createParser } from "eventsource-parser";
import { modelOf, providers, stream } from "@omp/ai";
import { systemClock } from "@omp/std";
import { round } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 30);
const DELTAS = 20_000;
const CHUNK = 16 * 1024;

if (process.argv[2] === "first-request") await firstRequest(Number(process.argv[3]));
else await main();

async function main(): Promise<void> {
  const chunks = chunksOf(new TextEncoder().encode(body()));
  const ours: number[] = [];
  const parser: number[] = [];
  const json: number[] = [];
  for (let index = 0; index < SAMPLES + 5; index++) {
    const sample = [
      await cpuOf(() => readAll(chunks)),
      await cpuOf(() => parse(chunks)),
      await cpuOf(() => parse(chunks, (data) => void (data === "[DONE]" || JSON.parse(data)))),
    ] as const;
    // The first ones warm up what the compiler has to learn.
    if (index < 5) continue;
    ours.push(sample[0]);
    parser.push(sample[1]);
    json.push(sample[2]);
  }
  const [all, floor, withJson] = [median(ours), median(parser), median(json)];
  console.log(
    `20,000 deltas: ai ${all} ms, parser alone ${floor} ms, parser + JSON ${withJson} ms`,
  );
  console.log(
    `ratio to the parser ${round(all / floor)}  reach 1.5${all / floor <= 1.5 ? "  ok" : "  MISSED"}`,
  );
  console.log(`ratio to the parser + JSON ${round(all / withJson)}`);
  const [none, thirty] = [await launches(0), await launches(30)];
  console.log(`import and first request: no tools ${none} ms, 30 tools ${thirty} ms`);
}

/** The shortest frames that servers really send: everything but the text is overhead. */
function body(): string {
  const word = (text: string) =>
    `data: {"choices":[{"delta":{"content":${JSON.stringify(text)}}}]}\n\n`;
  const words = Array.from({ length: DELTAS }, (_, index) => word(`w${index % 100} `));
  return `${words.join("")}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
}

async function readAll(chunks: readonly Uint8Array[]): Promise<void> {
  const openai = providers.find(({ id }) => id === "openai")!;
  const model = { ...modelOf(openai, openai.models[0]!.id, {}), api: "openai-completions" };
  const request = { model, systemPrompt: "", messages: [], tools: [] };
  const fetch = async () => new Response(bodyOf(chunks));
  const signal = new AbortController().signal;
  const turn = stream(request, { apiKey: "bench", signal, clock: systemClock, fetch });
  let letters = 0;
  for await (const event of turn) if (event.type === "text_delta") letters += event.delta.length;
  const { type, message } = await turn.result;
  if (type !== "done" || letters < DELTAS)
    throw new Error(message.errorMessage ?? "too little came");
}

function parse(chunks: readonly Uint8Array[], use: (data: string) => void = () => {}): void {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => use(data) });
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
}

function bodyOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[at++];
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / CHUNK);
  return Array.from({ length: count }, (_, i) => bytes.slice(i * CHUNK, (i + 1) * CHUNK));
}

async function cpuOf(work: () => unknown): Promise<number> {
  Bun.gc(true);
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** In a process of its own: import, write, send. Prints the milliseconds since it began. */
async function firstRequest(count: number): Promise<void> {
  const anthropic = providers.find(({ id }) => id === "anthropic")!;
  const model = modelOf(anthropic, anthropic.models[0]!.id, {});
  const tools = Array.from({ length: count }, (_, index) => tool(index));
  const fetch = async () => {
    console.log(performance.now());
    return new Response("", { status: 500 });
  };
  const signal = new AbortController().signal;
  const request = { model, systemPrompt: "", messages: [], tools };
  await stream(request, { apiKey: "bench", signal, clock: systemClock, fetch }).result;
}

function tool(index: number): { name: string; description: string; parameters: object } {
  const property = (name: string) => ({
    type: "string",
    description: `The ${name} of it`,
    minLength: 1,
  });
  const names = ["path", "pattern", "content", "command", "cwd", "mode"];
  const properties = {
    ...Object.fromEntries(names.map((name) => [name, property(name)])),
    edits: { type: "array", items: { type: "object", properties: { a: property("a") } } },
  };
  const parameters = {
    type: "object",
    properties,
    required: ["path"],
    additionalProperties: false,
  };
  return { name: `tool_${index}`, description: "Does something useful.", parameters };
}

async function launches(count: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 10; index++) {
    const child = Bun.spawn([process.execPath, import.meta.path, "first-request", String(count)], {
      stdout: "pipe",
    });
    times.push(Number(await child.stdout.text()));
  }
  return median(times);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return round(sorted[Math.floor(sorted.length / 2)]!);
}
