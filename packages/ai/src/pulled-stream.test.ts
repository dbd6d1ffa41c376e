/** Who waits for whom: readers, sources and those who only want the result. */

import { manualClock } from "@omp/testkit";
import { expect, test } from "bun:test";
import { PulledStream } from "./pulled-stream.ts";
import type { AssistantMessage, FinalEvent, ModelEvent } from "./schema/index.ts";

type GrowthEvent = Exclude<ModelEvent, FinalEvent>;

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const message: AssistantMessage = {
  role: "assistant",
  content: [],
  api: "a",
  provider: "p",
  model: "m",
  usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
  stopReason: "stop",
  timestamp: 0,
};
const done: FinalEvent = { type: "done", reason: "stop", message };
const never = new AbortController().signal;

function delta(text: string, contentIndex = 0): GrowthEvent {
  return { type: "text_delta", delta: text, contentIndex, partial: message };
}

const start: GrowthEvent = { type: "text_start", contentIndex: 0, partial: message };
const end: GrowthEvent = { type: "text_end", content: "", contentIndex: 0, partial: message };

/** A source that gives what it is fed, when it is fed. */
function feeding(signal = never) {
  const clock = manualClock();
  const fed: GrowthEvent[][] = [];
  let isOver = false;
  let pulls = 0;
  let wake = () => {};
  async function* source() {
    for (;;) {
      pulls += 1;
      while (fed.length === 0 && !isOver && !signal.aborted)
        await new Promise<void>((resolve) => (wake = resolve));
      const events = fed.shift();
      if (!events) return done;
      yield events;
    }
  }
  return {
    clock,
    stream: new PulledStream(Promise.resolve(source()), signal, clock),
    get pulls() {
      return pulls;
    },
    async feed(...events: GrowthEvent[]) {
      fed.push(events);
      wake();
      await settle();
    },
    async finish() {
      isOver = true;
      wake();
      await settle();
    },
  };
}

/** Reads on its own; `seen` is what it has got. */
function reading(stream: AsyncIterable<ModelEvent>): ModelEvent[] {
  const seen: ModelEvent[] = [];
  void (async () => {
    for await (const event of stream) seen.push(event);
  })();
  return seen;
}

async function settle(): Promise<void> {
  await Bun.sleep(1);
}

test("STRM-05 a thousand small deltas become few, with the newest partial and the same text", async () => {
  const { stream, feed, finish, clock } = feeding();
  const seen = reading(stream);
  const newest = { ...message };
  await feed(start);
  for (let i = 0; i < 1_000; i++) {
    const partial = i === 999 ? newest : message;
    void feed({ type: "text_delta", delta: `${i} `, contentIndex: 0, partial });
    if (i % 100 === 0) await settle();
    clock.advance(1);
  }
  await settle();
  await finish();
  const deltas = seen.filter((event) => event.type === "text_delta");
  expect(deltas.length).toBeLessThan(30);
  expect(deltas.length).toBeGreaterThan(2);
  const text = Array.from({ length: 1_000 }, (_, i) => `${i} `).join("");
  expect(deltas.map((event) => event.delta).join("")).toBe(text);
  expect(deltas.at(-1)?.partial).toBe(newest);
});

test("STRM-05 only deltas of the same type and block are merged", async () => {
  const { stream, feed, finish } = feeding();
  const thought: GrowthEvent = { ...delta("t"), type: "thinking_delta" } as GrowthEvent;
  const seen = reading(stream);
  await feed(delta("a"));
  await feed(delta("b"), delta("c"), delta("d", 1), delta("e", 1), thought, delta("f"));
  await finish();
  expect(seen).toEqual([delta("a"), delta("bc"), delta("de", 1), thought, delta("f"), done]);
});

test("STRM-05 the first delta of a block leaves at once, later ones after 50 ms", async () => {
  const { stream, feed, clock } = feeding();
  const seen = reading(stream);
  await feed(start);
  await feed(delta("a"));
  expect(seen).toEqual([start, delta("a")]);
  await feed(delta("b"));
  clock.advance(49);
  await feed(delta("c"));
  expect(seen).toHaveLength(2);
  clock.advance(1);
  await settle();
  expect(seen).toEqual([start, delta("a"), delta("bc")]);
  expect(clock.waiting).toBe(1);
});

test("STRM-05 after a pause a delta leaves at once", async () => {
  const { stream, feed, clock } = feeding();
  const seen = reading(stream);
  for (const letter of ["a", "b", "c"]) {
    await feed(delta(letter));
    expect(seen.at(-1)).toEqual(delta(letter));
    clock.advance(50);
    await settle();
  }
  expect(clock.waiting).toBe(0);
});

test("STRM-06 what is held back leaves before any other event, and before the end", async () => {
  const { stream, feed, finish } = feeding();
  const seen = reading(stream);
  await feed(start);
  await feed(delta("a"));
  await feed(delta("b"));
  await feed(delta("c"), end);
  expect(seen).toEqual([start, delta("a"), delta("bc"), end]);
  await feed(delta("d", 1));
  await feed(delta("e", 1));
  expect(seen).toHaveLength(5);
  await finish();
  expect(seen.slice(5)).toEqual([delta("e", 1), done]);
});

test("a reader who is busy slows the source down", async () => {
  const scene = feeding();
  const reader = scene.stream[Symbol.asyncIterator]();
  await scene.feed(start);
  await reader.next();
  await scene.feed(delta("a"));
  expect((await reader.next()).value).toEqual(delta("a"));
  const { pulls } = scene;
  await scene.feed(delta("b"));
  await scene.feed(delta("c"));
  scene.clock.advance(100);
  await settle();
  expect(scene.pulls).toBeLessThanOrEqual(pulls + 1);
});

test("without a reader the turn runs on, and its deltas become one", async () => {
  const { stream, feed, finish } = feeding();
  for (let i = 0; i < 1_000; i++) void feed(delta("x"));
  await feed(delta("y", 1));
  await finish();
  expect(await stream.result).toBe(done);
  expect(await Array.fromAsync(stream)).toEqual([delta("x".repeat(1_000)), delta("y", 1), done]);
});

test("a reader who leaves does not end the turn", async () => {
  const { stream, feed, finish } = feeding();
  await feed(delta("a"));
  for await (const _event of stream) break;
  await feed(delta("b"));
  await feed(delta("c"));
  await finish();
  expect(await stream.result).toBe(done);
});

test("a reader who has stopped reading does not hold up an abort", async () => {
  const controller = new AbortController();
  const { stream, feed, finish } = feeding(controller.signal);
  await feed(delta("a"));
  await stream[Symbol.asyncIterator]().next();
  await feed(delta("b"));
  controller.abort();
  await finish();
  expect(await stream.result).toBe(done);
});

test("a reader who takes the last event need not ask again", async () => {
  const { stream, finish } = feeding();
  await finish();
  const reader = stream[Symbol.asyncIterator]();
  expect((await reader.next()).value).toBe(done);
  expect(await stream.result).toBe(done);
});
