/** Failures and retries as a script sees them: requests, events, exit codes. */

import { fail, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { linesOf, play } from "./stage.ts";

const json = ["--mode", "json", "go"];
const retries = (lines: ReturnType<typeof linesOf>) =>
  lines.filter(({ type }) => type.startsWith("auto_retry"));
const answers = (lines: ReturnType<typeof linesOf>) =>
  lines
    .filter(({ type }) => type === "message_end")
    .map(({ message }) => message as { role: string; stopReason?: string; errorStatus?: number })
    .filter(({ role }) => role === "assistant");

test("RETRY-19 503 three times and then an answer: exit 0, and every wait is told", async () => {
  const busy = fail(503, { message: "busy" });
  const played = await play([busy, busy, busy, turn(say("at last"))], json, {
    config: "retry: { baseDelayMs: 5 }\n",
  });
  expect(played.exitCode).toBe(0);
  expect(played.requests).toHaveLength(4);
  const lines = linesOf(played);
  expect(retries(lines).map(({ type, attempt }) => `${type} ${String(attempt)}`)).toEqual([
    "auto_retry_start 1",
    "auto_retry_start 2",
    "auto_retry_start 3",
    "auto_retry_end 3",
  ]);
  expect(answers(lines).filter(({ stopReason }) => stopReason === "stop")).toHaveLength(1);
});

test("RETRY-20 400 is one request with its status; a wait that is too long is told; both exit 1", async () => {
  const bad = await play([fail(400, { message: "no" }), turn(say("never"))], json);
  expect({ code: bad.exitCode, requests: bad.requests.length }).toEqual({ code: 1, requests: 1 });
  expect(retries(linesOf(bad))).toEqual([]);
  expect(answers(linesOf(bad))).toEqual([
    expect.objectContaining({ stopReason: "error", errorStatus: 400 }),
  ]);
  const long = await play(
    [fail(429, { headers: { "retry-after": "3600" } }), turn(say("never"))],
    json,
  );
  expect({ code: long.exitCode, requests: long.requests.length }).toEqual({ code: 1, requests: 1 });
  expect(retries(linesOf(long))).toEqual([
    {
      type: "auto_retry_end",
      success: false,
      attempt: 1,
      finalError: expect.stringMatching(
        /^Provider requested 3600000ms wait, exceeds retry\.maxDelayMs \(300000ms\)/,
      ),
    },
  ]);
});

test("RETRY-21 a connection lost after visible text: the text stays, nothing is sent again, exit 1", async () => {
  const cut = { betweenMs: 5, textPiece: 10, fault: { kind: "cut", atByte: 1500 } } as const;
  const played = await play(
    [turn(say("Hello there. ".repeat(40))).with(cut), turn(say("x"))],
    json,
  );
  expect(played.exitCode).toBe(1);
  expect(played.requests).toHaveLength(1);
  const [answer] = answers(linesOf(played));
  expect(answer).toMatchObject({
    stopReason: "error",
    content: [{ type: "text", text: expect.stringContaining("Hello there.") }],
  });
});
