/** Retries of failed model requests, through the whole engine and over real sockets. */

import {
  callTool,
  fail,
  say,
  think,
  turn,
  type Block,
  type Failure,
  type TurnSource,
} from "@omp/testkit";
import { systemClock, type Clock } from "@omp/std";
import { expect, test } from "bun:test";
import type { EngineEvent } from "../src/protocol/index.ts";
import { house, retryEvents, sent, stage, type StageOptions } from "./stage.ts";

/** One prompt against this script. */
async function run(turns: TurnSource[], options?: StageOptions) {
  await using set = await stage(turns);
  await using booted = await set.boot(options);
  const result = await booted.prompt("go");
  return {
    result,
    requests: set.model.requests.length,
    retries: retryEvents(booted.events),
    entries: await set.entries(),
    bodies: set.model.requests.map((_, index) => sent(set.model, index)),
  };
}

/** Real time, but for the waits that retries announce: they pass at once, or never. */
function retryClock({ isHeld = false } = {}) {
  let announced: number | undefined;
  const waiting = Promise.withResolvers<void>();
  const clock: Clock = {
    ...systemClock,
    after(ms, action) {
      if (ms !== announced) return systemClock.after(ms, action);
      announced = undefined;
      waiting.resolve();
      return isHeld ? () => {} : systemClock.after(0, action);
    },
  };
  const hear = (event: EngineEvent) => {
    if (event.type === "auto_retry_start") announced = event.delayMs;
  };
  return { clock, hear, waiting: waiting.promise };
}

const chat = { model: { model: "house/a" }, extraProviders: [house("a")] };
const answer = turn(say("at last"));

test("RETRY-02 what may pass is tried again: statuses, limits, broken connections, words", async () => {
  const passing: TurnSource[] = [
    ...[429, 500, 502, 503, 504, 529].map((status) => fail(status)),
    fail(429, { message: "You have reached your usage limit" }),
    fail(503, { message: "Service Unavailable", body: "upstream connect error" }),
    turn(say("x")).with({ fault: { kind: "reset", atByte: 0 } }),
    turn(say("x")).with({ fault: { kind: "cut", atByte: 10 } }),
    turn(say("x")).with({ fault: { kind: "garbage", atByte: 0 } }),
    turn(say("x")).with({ fault: { kind: "early-end", atByte: 0 } }),
    inBand("overloaded_error", "Overloaded"),
    inBand("api_error", "Please retry your request"),
  ];
  for (const failing of passing) {
    const { result, requests } = await run([failing, answer]);
    expect({ failing, text: result.text, requests }).toEqual({
      failing,
      text: "at last",
      requests: 2,
    });
  }
});

const inBand = (type: string, message: string) =>
  turn(say("x")).with({ fault: { kind: "in-band-error", type, message, afterFrames: 1 } });

test("RETRY-02 nobody listens, or nobody answers: the request is sent again", async () => {
  await using set = await stage([answer]);
  const nobody = await set.boot({
    env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" },
    config: "retry: { baseDelayMs: 1, maxRetries: 2 }\n",
  });
  await using booted = nobody;
  const result = await booted.prompt("go");
  expect(result.stopReason).toBe("error");
  expect(retryEvents(booted.events).map(({ type }) => type)).toEqual([
    "auto_retry_start",
    "auto_retry_start",
    "auto_retry_end",
  ]);
});

test("what stays wrong is asked once: key, request, policy, overflow without a larger model", async () => {
  const lasting: Failure[] = [fail(401), fail(403), fail(400), fail(404)];
  for (const failing of lasting) {
    const { result, requests, retries } = await run([failing, answer]);
    expect({ stopReason: result.stopReason, requests, retries }).toEqual({
      stopReason: "error",
      requests: 1,
      retries: [],
    });
  }
  const refused = await run([turn(say("")).with({ stop: "refused" }), answer], chat);
  expect(refused).toMatchObject({ requests: 1, retries: [] });
  const overflow = await run(
    [fail(400, { message: "prompt is too long: 9 tokens > 8 maximum" }), answer],
    { model: { model: "anthropic/claude-opus-5-5" } },
  );
  expect(overflow).toMatchObject({ requests: 1, retries: [] });
});

test("RETRY-04 PROV-12 a break after something visible is final; thoughts and blanks are dropped", async () => {
  // Slow enough that what came before the break has been read.
  const cut = { betweenMs: 5, textPiece: 10, fault: { kind: "cut", atByte: 1500 } } as const;
  const seen = await run([turn(say("Hello there. ".repeat(40))).with(cut), answer]);
  expect(seen.result).toMatchObject({
    stopReason: "error",
    text: expect.stringContaining("Hello there."),
  });
  expect(seen.requests).toBe(1);
  const called = await run([unfinished(callTool("read", { path: "." })), answer]);
  expect(called.requests).toBe(1);
  for (const block of [think("hm"), say(" \n")]) {
    const dropped = await run([unfinished(block), answer]);
    expect(dropped.result.text).toBe("at last");
    expect(dropped.requests).toBe(2);
    expect(dropped.bodies[1]).toBe(dropped.bodies[0]!);
  }
});

/** All of the block has come, but the answer never ends. */
const unfinished = (block: Block) =>
  turn(block).with({
    fault: { kind: "in-band-error", type: "overloaded_error", message: "Overloaded" },
  });

test("RETRY-05 after the tools have run, a broken answer is asked for again and nothing runs twice", async () => {
  await using set = await stage([
    turn(callTool("bash", { command: "echo once >> diary" })),
    turn(say("x")).with({ fault: { kind: "reset", atByte: 0 } }),
    answer,
  ]);
  await using booted = await set.boot();
  expect((await booted.prompt("go")).text).toBe("at last");
  expect(await set.place.read("diary")).toBe("once\n");
  expect(sent(set.model, 2)).toBe(sent(set.model, 1));
});

test("RETRY-06 SET-049 the engine waits as the policy says", async () => {
  const { retries } = await run([...Array.from({ length: 3 }, () => fail(503)), answer], {
    config: "retry: { baseDelayMs: 4 }\n",
    random: { next: () => 0, bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  });
  expect(retries.slice(0, 3).map((event) => "delayMs" in event && event.delayMs)).toEqual([
    3, 6, 12,
  ]);
});

test("RETRY-07 SET-050 hints of the provider lengthen the wait, up to the limit", async () => {
  const waits = async (failing: Failure, maxDelayMs = 60_000) => {
    const { clock, hear } = retryClock();
    await using set = await stage([failing, answer]);
    await using booted = await set.boot({
      clock,
      config: `retry: { baseDelayMs: 1, maxDelayMs: ${maxDelayMs} }\n`,
    });
    booted.engine.subscribe(hear);
    const { text, errorMessage } = await booted.prompt("go");
    const [first] = retryEvents(booted.events);
    return { first, text, errorMessage, requests: set.model.requests.length };
  };
  const hints: [Failure, number][] = [
    [fail(429, { headers: { "retry-after-ms": "2500" } }), 2500],
    [fail(503, { headers: { "retry-after": "7" } }), 7000],
    [fail(429, { headers: { "x-ratelimit-reset-ms": "1500" } }), 1500],
    [fail(429, { headers: { "x-ratelimit-reset": "20" } }), 20_000],
    [fail(429, { message: "Please try again in 12s" }), 12_000],
  ];
  for (const [failing, delayMs] of hints) {
    const { first, text } = await waits(failing);
    expect({ first, text }).toMatchObject({
      first: { type: "auto_retry_start", delayMs },
      text: "at last",
    });
  }
  const long = fail(429, { headers: { "retry-after": "90" }, message: "slow down, friend" });
  expect(await waits(long)).toMatchObject({
    requests: 1,
    first: {
      type: "auto_retry_end",
      success: false,
      attempt: 1,
      finalError: expect.stringMatching(
        /^Provider requested 90000ms wait, exceeds retry\.maxDelayMs \(60000ms\): .*slow down, friend/,
      ),
    },
    errorMessage: expect.stringContaining("slow down, friend"),
  });
  expect(await waits(long, 0)).toMatchObject({ text: "at last", requests: 2 });
});

test("RETRY-10 each try and its end are told, with the number of tries", async () => {
  const { retries } = await run([
    fail(503, { message: "one" }),
    fail(529, { message: "two" }),
    answer,
  ]);
  expect(retries).toEqual([
    start(1, 10, "one"),
    start(2, 10, "two"),
    { type: "auto_retry_end", success: true, attempt: 2 },
  ]);
  const lasting = await run(
    [1, 2, 3, 4].map(() => fail(503, { message: "busy" })),
    {
      config: "retry: { baseDelayMs: 1, maxRetries: 3 }\n",
    },
  );
  expect(lasting.retries.slice(0, 3)).toEqual(
    [1, 2, 3].map((attempt) => start(attempt, 3, "busy")),
  );
  expect(lasting.retries.slice(3)).toEqual([
    {
      type: "auto_retry_end",
      success: false,
      attempt: 3,
      finalError: expect.stringContaining("busy"),
    },
  ]);
});

const start = (attempt: number, maxAttempts: number, message: string) => ({
  type: "auto_retry_start" as const,
  attempt,
  maxAttempts,
  delayMs: expect.any(Number) as number,
  errorMessage: expect.stringContaining(message) as string,
});

test("RETRY-11 a failed answer stays in the file, marked when made good, and is never sent", async () => {
  const { entries, bodies } = await run([fail(503, { message: "busy bee" }), answer]);
  const failed = entries.find(({ message }) => isFailed(message))!;
  expect(JSON.stringify(failed)).toContain("busy bee");
  expect(entries.find(({ type }) => type === "custom")).toMatchObject({
    customType: "auto_retry_recovered",
    data: { entries: [failed.id] },
  });
  expect(bodies[1]).toBe(bodies[0]!);
  const lost = await run([fail(400), answer]);
  expect(lost.entries.filter(({ type }) => type === "custom")).toEqual([]);
});

const isFailed = (message: unknown) =>
  (message as { stopReason?: string } | undefined)?.stopReason === "error";

test("abort and abort_retry end the wait: told as cancelled, and no further request", async () => {
  for (const type of ["abort", "abort_retry"] as const) {
    const { clock, hear, waiting } = retryClock({ isHeld: true });
    await using set = await stage([fail(429, { headers: { "retry-after": "20" } }), answer]);
    await using booted = await set.boot({ clock });
    booted.engine.subscribe(hear);
    const done = booted.prompt("go");
    await waiting;
    await booted.engine.dispatch({ type });
    expect((await done).stopReason).toBe(type === "abort" ? "aborted" : "error");
    expect(retryEvents(booted.events).at(-1)).toEqual({
      type: "auto_retry_end",
      success: false,
      attempt: 1,
      finalError: "Retry cancelled",
    });
    expect(set.model.requests).toHaveLength(1);
    expect((await booted.prompt("again")).text).toBe("at last");
  }
});

test("an abort while a retry is under way is no success", async () => {
  await using set = await stage([fail(503), turn(say("never")).with({ delayMs: 60_000 })]);
  await using booted = await set.boot();
  const done = booted.prompt("go");
  await set.model.waitForRequest(2);
  await booted.engine.dispatch({ type: "abort" });
  expect((await done).stopReason).toBe("aborted");
  expect(retryEvents(booted.events).at(-1)).toMatchObject({ success: false, attempt: 1 });
});

test("RETRY-14 a prompt resolves after its retries, and a success begins the count anew", async () => {
  const { result, retries } = await run([
    fail(503),
    fail(503),
    turn(callTool("read", { path: "." })),
    fail(503),
    answer,
  ]);
  expect(result).toMatchObject({ stopReason: "stop", text: "at last" });
  expect(retries.map((event) => `${event.type} ${"attempt" in event && event.attempt}`)).toEqual([
    "auto_retry_start 1",
    "auto_retry_start 2",
    "auto_retry_end 2",
    "auto_retry_start 1",
    "auto_retry_end 1",
  ]);
});

test("RETRY-16 SET-047 SET-048 a server that always fails is asked once and then as often as the setting says", async () => {
  const busy = Array.from({ length: 20 }, () => fail(503));
  for (const more of [{}, chat]) {
    const config = "retry: { baseDelayMs: 1, maxRetries: 4 }\n";
    expect((await run(busy, { config, ...more })).requests).toBe(5);
  }
  expect((await run(busy, { config: "retry: { enabled: false }\n" })).requests).toBe(1);
});

test("PROV-07 a clean end with nothing to see is asked again twice; a stop with calls runs them", async () => {
  const nothing = turn(say(""));
  const { result, requests, retries, bodies } = await run([nothing, turn(think("hm")), answer], {
    ...chat,
    random: { next: () => 0, bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  });
  expect({ text: result.text, requests }).toEqual({ text: "at last", requests: 3 });
  expect(retries).toEqual([
    { ...start(1, 2, "without saying anything"), delayMs: 375 },
    { ...start(2, 2, "without saying anything"), delayMs: 750 },
    { type: "auto_retry_end", success: true, attempt: 2 },
  ]);
  expect(bodies[2]).toBe(bodies[0]!);
  const silent = await run([nothing, nothing, nothing, answer], chat);
  expect(silent.requests).toBe(3);
  expect(silent.retries.at(-1)).toMatchObject({ success: false, attempt: 2 });
  const calls = await run(
    [turn(callTool("read", { path: "." })).with({ stop: "stop" }), answer],
    chat,
  );
  expect(calls.result.text).toBe("at last");
  expect(calls.bodies[1]).toContain('"role":"tool"');
});
