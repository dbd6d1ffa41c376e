/** The way out: in order, bounded, and exact where it counts. */

import type { EngineEvent } from "@omp/engine/protocol";
import { manualClock } from "@omp/testkit";
import { expect, test } from "bun:test";
import { Outbox } from "./outbox.ts";

type Update = Extract<EngineEvent, { type: "message_update" }>;
type Answer = Update["message"];

interface Sent {
  readonly type: string;
  readonly message?: Answer;
  readonly assistantMessageEvent?: { type: string; delta?: string };
  readonly [field: string]: unknown;
}

/** An outbox whose client reads when it is told. */
function stage({ reads }: { reads: boolean }) {
  const clock = manualClock();
  let text = "";
  let isReading = reads;
  const go = Promise.withResolvers<void>();
  let isClosed = false;
  const outbox = new Outbox({
    clock,
    async write(batch) {
      if (!isReading) await go.promise;
      text += batch;
    },
    onClosed: () => (isClosed = true),
  });
  outbox.ready();
  return {
    outbox,
    clock,
    read() {
      isReading = true;
      go.resolve();
    },
    fail: (error: Error) => go.reject(error),
    isClosed: () => isClosed,
    async sent(): Promise<Sent[]> {
      await outbox.drained(1000);
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
    characters: () => text.length,
  };
}

function answerOf(text: string): Answer {
  return { role: "assistant", content: [{ type: "text", text }] } as unknown as Answer;
}

/** Tells an answer in deltas as the loop does: the message is one object that grows. */
function* told(pieces: readonly string[]): Generator<Update> {
  const message = answerOf("");
  const block = message.content[0] as { text: string };
  const at = { contentIndex: 0, partial: message };
  const type = "message_update" as const;
  yield { type, message, assistantMessageEvent: { type: "text_start", ...at } };
  for (const delta of pieces) {
    block.text += delta;
    yield { type, message, assistantMessageEvent: { type: "text_delta", delta, ...at } };
  }
  yield {
    type,
    message,
    assistantMessageEvent: { type: "text_end", content: block.text, ...at },
  };
}

const deltasOf = (sent: readonly Sent[]) =>
  sent.map(({ assistantMessageEvent }) => assistantMessageEvent?.delta ?? "").join("");

test("RPC-02 the first line is ready, also when something was said before", async () => {
  const lines: string[] = [];
  const outbox = new Outbox({
    clock: manualClock(),
    write: async (text) => void lines.push(...text.trimEnd().split("\n")),
    onClosed() {},
  });
  outbox.send({ type: "agent_start" });
  outbox.ready();
  outbox.ready();
  outbox.send({ type: "turn_start" });
  await outbox.drained(1000);
  expect(lines).toEqual(['{"type":"ready"}', '{"type":"agent_start"}', '{"type":"turn_start"}']);
});

test("deltas that come together leave as one, with the message so far; the sum is exact", async () => {
  const { outbox, clock, sent } = stage({ reads: true });
  const pieces = Array.from({ length: 300 }, (_, index) => `piece ${index} `);
  for (const [index, event] of [...told(pieces)].entries()) {
    outbox.update(event);
    if (index % 100 === 99) clock.advance(1000);
  }
  outbox.send({ type: "turn_start" });
  const [, ...updates] = await sent();
  expect(updates.at(-1)).toEqual({ type: "turn_start" });
  const kinds = updates
    .slice(0, -1)
    .map(({ assistantMessageEvent }) => assistantMessageEvent!.type);
  expect(kinds).toEqual([
    "text_start",
    "text_delta",
    "text_delta",
    "text_delta",
    "text_delta",
    "text_end",
  ]);
  expect(deltasOf(updates)).toBe(pieces.join(""));
  expect(updates.at(-2)!.message).toEqual(answerOf(pieces.join("")));
  expect(Object.keys(updates[1]!.assistantMessageEvent!)).not.toContain("partial");
});

test("an answer of 1 MB in 20,000 deltas is not told 20,000 times", async () => {
  const { outbox, clock, sent, characters } = stage({ reads: true });
  const pieces = Array.from({ length: 20_000 }, () => "0123456789".repeat(5));
  for (const event of told(pieces)) {
    outbox.update(event);
    clock.advance(1);
    await outbox.pipe.below(1);
  }
  const updates = await sent();
  expect(deltasOf(updates)).toBe(pieces.join(""));
  // Twenty seconds of a stream at the pace that is allowed, and not their square.
  expect(characters()).toBeLessThan(20_000 * 16 * 1024 * 1.5);
  expect(updates.length).toBeLessThan(3000);
});

test("a client that does not read costs bounded memory and loses nothing that it must have", async () => {
  const { outbox, clock, read, sent } = stage({ reads: false });
  const big = "y".repeat(512 * 1024);
  for (let turn = 0; turn < 40; turn++) {
    for (const event of told([big, "end"])) {
      outbox.update(event);
      clock.advance(1000);
    }
    outbox.send({ type: "message_end", message: answerOf("short") });
    for (let index = 0; index < 10; index++) {
      outbox.send({
        type: "tool_execution_update",
        toolCallId: `call-${turn}`,
        toolName: "bash",
        args: {},
        partialResult: { content: [{ type: "text", text: `${index} ${big}` }] },
      });
    }
    outbox.send({ id: `${turn}`, type: "response", command: "get_state", success: true });
  }
  // Unread: about 8 MB, and the newest progress of each call.
  expect(outbox.pipe.length).toBeLessThan(40 * 1024 * 1024);
  read();
  const frames = await sent();
  const count = (type: string) => frames.filter((frame) => frame.type === type).length;
  expect({ ends: count("message_end"), responses: count("response") }).toEqual({
    ends: 40,
    responses: 40,
  });
  const progress = frames.filter(({ toolCallId }) => toolCallId === "call-39");
  expect(progress).toHaveLength(1);
  expect(JSON.stringify(progress[0])).toContain("9 yyy");
});

test("when the client is gone everything is dropped and told once", async () => {
  const { outbox, fail, isClosed } = stage({ reads: false });
  outbox.send({ type: "agent_start" });
  fail(Object.assign(new Error("broken pipe"), { code: "EPIPE" }));
  await outbox.drained(1000);
  expect(isClosed()).toBe(true);
  outbox.send({ type: "turn_start" });
  expect(outbox.pipe.length).toBe(0);
});
