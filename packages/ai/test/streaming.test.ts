/** The machine behind every stream: merged deltas, slow readers, long arguments, providers that only pretend to live. */

import { createServer } from "node:net";
import { callTool, manualClock, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { modelOf } from "../src/index.ts";
import type { ModelEvent } from "../src/schema/index.ts";
import { collect } from "./grammar.ts";
import { ask, eventStream, providerOf, stage } from "./stage.ts";

const anthropic = providerOf("anthropic");
const model = { ...modelOf(providerOf("openai"), "gpt-5", {}), api: "openai-completions" };

test("STRM-05 a thousand small deltas over a socket: fewer events, the same text", async () => {
  const text = Array.from({ length: 1_000 }, (_, i) => `w${i} `).join("");
  await using scene = await stage(anthropic, [turn(say(text)).with({ textPiece: 4 })]);
  const { events, message } = await collect(ask(scene.model));
  const deltas = events.filter((event) => event.type === "text_delta");
  expect(deltas.length).toBeLessThan(text.length / 4 / 5);
  expect(deltas[0]?.delta).toBe("w0 w");
  expect(deltas.map(({ delta }) => delta).join("")).toBe(text);
  expect(message.content).toEqual([{ type: "text", text }]);
});

const MEGABYTE = 1024 * 1024;

test("STRM-28 a slow reader of ten megabytes: the provider waits, and what is pending is one delta", async () => {
  const size = 48 * MEGABYTE;
  await using server = await flood(size);
  const stream = ask({ ...modelOf(anthropic, "claude-test", {}), baseUrl: server.url });
  const reader = stream[Symbol.asyncIterator]();
  const next = async () => (await reader.next()).value as ModelEvent;
  let event = await next();
  while (event.type !== "text_delta") event = await next();
  // Nobody reads: what the kernel takes is sent, then nothing more.
  await server.standstill();
  expect(server.sent).toBeLessThan(size);

  let read = event.delta.length;
  let events = 1;
  while (read < 10 * MEGABYTE) {
    event = await next();
    if (event.type === "text_delta") read += event.delta.length;
    events += 1;
    await Bun.sleep(1);
  }
  expect(events).toBeLessThan((10 * MEGABYTE) / server.piece / 10);
});

/** A model that says `size` bytes as fast as they are taken, a thousand letters at a time. */
async function flood(size: number) {
  const text = "x".repeat(1_000);
  const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
  const block = {
    type: "content_block_start",
    index: 0,
    content_block: { type: "text", text: "" },
  };
  const delta = frame({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text },
  });
  let sent = 0;
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", async () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${frame(block)}`);
      while (sent < size && !socket.destroyed) {
        sent += delta.length;
        if (!socket.write(delta)) await new Promise((resolve) => socket.once("drain", resolve));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    piece: text.length,
    get sent() {
      return sent;
    },
    async standstill() {
      for (let before = -1; before !== sent; await Bun.sleep(200)) before = sent;
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

test("a megabyte of arguments in small deltas is read as it grows, and whole at the end", async () => {
  const content = "line of text\n".repeat(80_000);
  const call = turn(callTool("read", { content })).with({ argumentPiece: 512 });
  await using scene = await stage(anthropic, [call]);
  const { message } = await collect(ask(scene.model));
  expect(message.content).toMatchObject([{ type: "toolCall", arguments: { content } }]);
});

/** What servers send to look alive. None of it is content. */
const SIGNS_OF_LIFE = [
  ": keepalive\n\n",
  'data: {"choices":[]}\n\n',
  'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n',
  'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n',
  'data: {"choices":[{"delta":{"content":null,"tool_calls":[]}}]}\n\n',
];

test.each(SIGNS_OF_LIFE)("%j is no content: it puts off neither limit", async (sign) => {
  const timeouts = { firstContentMs: 9_000, idleMs: 4_000 };
  const silent = await collect(ask(model, { ...stalling("", sign), timeouts }));
  expect(silent.final).toMatchObject({ fault: { kind: "network" } });
  expect(silent.message.errorMessage).toContain("sent nothing for 9 s");

  const word = 'data: {"choices":[{"delta":{"content":"so"}}]}\n\n';
  const stalled = await collect(ask(model, { ...stalling(word, sign), timeouts }));
  expect(stalled.message.errorMessage).toContain("sent nothing for 4 s");
  expect(stalled.message.content).toEqual([{ type: "text", text: "so" }]);
});

/** After `first` only the sign comes, once a second, for ever. */
function stalling(first: string, sign: string) {
  const clock = manualClock();
  let isFirst = first !== "";
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(1);
      controller.enqueue(new TextEncoder().encode(isFirst ? first : sign));
      if (!isFirst) clock.advance(1_000);
      isFirst = false;
    },
  });
  return { clock, fetch: async () => eventStream(body) };
}
