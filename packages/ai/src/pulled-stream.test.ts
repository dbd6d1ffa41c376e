/** Who waits for whom: readers, sources and those who only want the result. */

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

async function* playing(events: readonly GrowthEvent[], seen: GrowthEvent[]) {
  for (const event of events) {
    seen.push(event);
    yield [event];
  }
  return done;
}

function streamOf(events: readonly GrowthEvent[], signal = never, seen: GrowthEvent[] = []) {
  return new PulledStream(Promise.resolve(playing(events, seen)), signal);
}

async function settle(): Promise<void> {
  await Bun.sleep(1);
}

test("a reader gets one event for each it asks for; the source waits for it", async () => {
  const seen: GrowthEvent[] = [];
  const stream = streamOf([delta("a"), delta("b"), delta("c")], never, seen);
  const reader = stream[Symbol.asyncIterator]();
  expect((await reader.next()).value).toEqual(delta("a"));
  await settle();
  expect(seen).toHaveLength(1);
  expect((await reader.next()).value).toEqual(delta("b"));
  await settle();
  expect(seen).toHaveLength(2);
});

test("without a reader the turn runs on, and its deltas become one", async () => {
  const letters = Array.from({ length: 1_000 }, () => delta("x"));
  const stream = streamOf([...letters, delta("y", 1)]);
  expect(await stream.result).toBe(done);
  expect(await Array.fromAsync(stream)).toEqual([delta("x".repeat(1_000)), delta("y", 1), done]);
});

test("a reader who leaves does not end the turn", async () => {
  const stream = streamOf([delta("a"), delta("b"), delta("c")]);
  for await (const _event of stream) break;
  expect(await stream.result).toBe(done);
});

test("a reader who has stopped reading does not hold up an abort", async () => {
  const controller = new AbortController();
  const stream = streamOf([delta("a"), delta("b")], controller.signal);
  await stream[Symbol.asyncIterator]().next();
  await settle();
  controller.abort();
  expect(await stream.result).toBe(done);
});

test("a reader who takes the last event need not ask again", async () => {
  const stream = streamOf([]);
  const reader = stream[Symbol.asyncIterator]();
  expect((await reader.next()).value).toBe(done);
  expect(await stream.result).toBe(done);
});
