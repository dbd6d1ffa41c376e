import { expect, test } from "bun:test";
import { NO_TOKENS, usageOf, type AssistantMessage, type ProviderFault } from "@omp/ai/schema";
import { decideRetry, type RetryDecision } from "./retry.ts";

const settings = { enabled: true, maxRetries: 10, baseDelayMs: 500, maxDelayMs: 300_000 };

function failed(content: AssistantMessage["content"] = []): AssistantMessage {
  const usage = usageOf(NO_TOKENS, NO_TOKENS);
  const origin = { api: "a", provider: "p", model: "m" };
  return { role: "assistant", content, ...origin, usage, stopReason: "error", timestamp: 0 };
}

const decide = (fault: ProviderFault | undefined, retries = 0, message = failed(), jitter = 0) =>
  decideRetry({ fault, retries, message }, settings, jitter);

test("RETRY-06 the waits double from 500 ms to 8 s, less up to a quarter of jitter", () => {
  const range = (retries: number) =>
    [0, 1].map((jitter) => {
      const decision = decide({ kind: "network" }, retries, failed(), jitter);
      return decision.retry ? decision.delayMs : undefined;
    });
  expect([0, 1, 2, 3, 4, 5].map(range)).toEqual([
    [375, 500],
    [750, 1000],
    [1500, 2000],
    [3000, 4000],
    [6000, 8000],
    [6000, 8000],
  ]);
});

const table: [string, ProviderFault | undefined, RetryDecision][] = [
  [
    "a rate limit waits as long as asked",
    { kind: "rate-limit", retryAfterMs: 7000 },
    { retry: true, delayMs: 7000 },
  ],
  ["an overloaded server is asked again", { kind: "overloaded" }, { retry: true, delayMs: 375 }],
  [
    "garbage before any content is asked again",
    { kind: "malformed" },
    { retry: true, delayMs: 375 },
  ],
  ["a wrong key stays wrong", { kind: "auth", reason: "denied" }, { retry: false }],
  ["a bad request stays bad", { kind: "invalid-request" }, { retry: false }],
  ["a refusal is final", { kind: "refused" }, { retry: false }],
  ["an overflow needs compaction, not patience", { kind: "context-overflow" }, { retry: false }],
  ["an abort has no fault", undefined, { retry: false }],
];
test.each(table)("%s", (_name, fault, expected) => expect(decide(fault)).toEqual(expected));

test("a wait above the limit fails at once and says why", () => {
  expect(decide({ kind: "rate-limit", retryAfterMs: 300_001 })).toEqual({
    retry: false,
    because: "Provider requested 300001ms wait, exceeds retry.maxDelayMs (300000ms)",
  });
});

test("RETRY-04 what was seen is never produced again; thinking and blanks may be dropped", () => {
  const seen = (content: AssistantMessage["content"]) =>
    decide({ kind: "network" }, 0, failed(content)).retry;
  expect(seen([{ type: "text", text: "Hello" }])).toBe(false);
  expect(seen([{ type: "toolCall", id: "1", name: "read", arguments: {} }])).toBe(false);
  expect(seen([{ type: "thinking", thinking: "hm" }])).toBe(true);
  expect(seen([{ type: "text", text: " \n" }])).toBe(true);
});

test("the budget and the switch end it", () => {
  expect(decide({ kind: "network" }, 10).retry).toBe(false);
  const off = { ...settings, enabled: false };
  const turn = { fault: { kind: "network" } as const, retries: 0, message: failed() };
  expect(decideRetry(turn, off, 0)).toEqual({ retry: false });
});
