/** What is counted, what the cap refuses, and how a cache miss is explained. */

import { expect, test } from "bun:test";
import { usageOf, type Message, type Usage } from "@omp/ai/schema";
import { seededRandom } from "@omp/std";
import { manualClock } from "@omp/testkit";
import type { Prefix } from "./cache-miss.ts";
import { explainMiss } from "./explain.ts";
import { Ledger } from "./ledger.ts";

const hello: Message = { role: "user", content: "hello", timestamp: 1 };
const prefix: Prefix = {
  model: "house/a",
  thinking: "off",
  tools: [{ name: "read", description: "reads", parameters: {}, strict: true }],
  systemPrompt: "You are omp.",
  messages: [hello],
};

/** A dollar for a million tokens, whatever their kind. */
function used(counts: Partial<Usage>): Usage {
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...counts };
  return usageOf(tokens, { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 });
}

function ledgerWith(cap?: number) {
  const clock = manualClock();
  return { clock, ledger: new Ledger({ clock, cap }) };
}

test("every request is counted once, by agent, model and purpose", () => {
  const { ledger } = ledgerWith();
  const first = ledger.reserve("main", "turn", prefix)!;
  first.settle(used({ input: 100, output: 20, reasoning: 5 }));
  first.settle(used({ input: 999 }));
  ledger.reserve("main", "retry", prefix)!.settle(used({ input: 10 }));
  ledger.reserve("Anna", "turn", { ...prefix, model: "house/b" })!.settle(used({ output: 7 }));
  const { total, byAgent, byModel, byPurpose } = ledger.report();
  expect(total).toMatchObject({ requests: 3, input: 110, output: 27, reasoning: 5 });
  expect(total.cost).toBeCloseTo(137e-6, 12);
  expect(byAgent["main"]).toMatchObject({ requests: 2, totalTokens: 130 });
  expect(byAgent["Anna"]).toMatchObject({ requests: 1, totalTokens: 7 });
  expect(byModel["house/a"]?.requests).toBe(2);
  expect(byPurpose).toMatchObject({ turn: { requests: 2 }, retry: { requests: 1 } });
});

test("the cap refuses the next request, and what is in flight counts", () => {
  const { ledger } = ledgerWith(1);
  const cost = (dollars: number) => used({ input: dollars * 1e6 });
  ledger.reserve("main", "turn", prefix)!.settle(cost(0.6));
  // Expected to cost 0.6 as well: nobody else may start meanwhile.
  const second = ledger.reserve("main", "turn", prefix)!;
  expect(ledger.reserve("Anna", "turn", prefix)).toBeUndefined();
  second.settle(cost(0.1));
  const third = ledger.reserve("Anna", "turn", prefix)!;
  third.settle(cost(0.5));
  expect(ledger.reserve("main", "turn", prefix)).toBeUndefined();
  expect(ledger.spent).toBeCloseTo(1.2, 9);
});

const big = { input: 10_000, cacheWrite: 40_000 };

test.each<[string, Partial<Prefix>, string]>([
  ["the model", { model: "house/b" }, "the model changed from house/a."],
  ["the tools", { tools: [] }, "the tools changed (-read)."],
  [
    "what a tool says",
    { tools: [{ ...prefix.tools[0]!, description: "reads files" }] },
    "the tools changed in what they say.",
  ],
  [
    "the system prompt",
    { systemPrompt: "You are you." },
    "the system prompt changed at character 8.",
  ],
  ["the thinking level", { thinking: "high" }, "the thinking level changed from off."],
  ["the history", { messages: [{ ...hello }, hello] }, "the history changed at message 1."],
  ["time", {}, "nothing changed; the provider forgot it within 7 minutes."],
])("a cache miss names %s as its reason", (_, changed, words) => {
  const { ledger, clock } = ledgerWith();
  // The other model has shown that it caches.
  const other = { ...prefix, model: "house/b" };
  ledger.reserve("other", "turn", other)!.settle(used({ cacheWrite: 5000 }));
  ledger.reserve("main", "turn", prefix)!.settle(used(big));
  clock.advance(400_000);
  const now = ledger.reserve("main", "turn", { ...prefix, ...changed })!;
  const { cacheMiss } = now.settle(used({ input: 50_000 }));
  expect(explainMiss(cacheMiss!)).toBe(
    `50000 tokens were not read from the provider's cache: ${words}`,
  );
  expect(ledger.report().cacheMisses).toHaveLength(1);
});

test("a prefix that grew and was read is no miss, nor is a provider without a cache", () => {
  const { ledger } = ledgerWith();
  ledger.reserve("main", "turn", prefix)!.settle(used(big));
  const grown = { ...prefix, messages: [hello, hello] };
  const next = ledger.reserve("main", "turn", grown)!;
  expect(next.settle(used({ input: 500, cacheRead: 49_500 })).cacheMiss).toBeUndefined();
  const plain = { ...prefix, model: "house/plain" };
  ledger.reserve("Anna", "turn", plain)!.settle(used({ input: 50_000 }));
  const again = ledger.reserve("Anna", "turn", plain)!;
  expect(again.settle(used({ input: 50_000 })).cacheMiss).toBeUndefined();
});

test("a side request neither misses nor hides a miss", () => {
  const { ledger } = ledgerWith();
  ledger.reserve("main", "turn", prefix)!.settle(used(big));
  const title = ledger.reserve("main", "title", { ...prefix, messages: [] })!;
  expect(title.settle(used({ input: 3000 })).cacheMiss).toBeUndefined();
  const next = ledger.reserve("main", "turn", { ...prefix, systemPrompt: "Other." })!;
  expect(next.settle(used({ input: 50_000 })).cacheMiss?.reason.kind).toBe("system-prompt");
});

test("whatever the agents do at once, the cap is passed by no more than what each has in flight", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = seededRandom(seed);
    const { ledger } = ledgerWith(1);
    const inFlight = new Map<string, { settle(usage: Usage): unknown }>();
    let isOver = false;
    let flying = 0;
    let refused = 0;
    for (let step = 0; step < 500; step++) {
      const agent = `agent-${Math.floor(random.next() * 5)}`;
      const mine = inFlight.get(agent);
      if (mine) {
        mine.settle(used({ input: Math.floor(random.next() * 50_000) }));
        inFlight.delete(agent);
      } else {
        const next = ledger.reserve(agent, "turn", prefix);
        if (next) inFlight.set(agent, next);
        else refused++;
        // Once the cap is reached nothing new may start.
        if (isOver) expect(next).toBeUndefined();
      }
      if (!isOver && ledger.spent >= 1) {
        isOver = true;
        flying = inFlight.size;
      }
    }
    expect(isOver).toBeTrue();
    expect(refused).toBeGreaterThan(0);
    expect(ledger.spent).toBeLessThanOrEqual(1 + (flying + 1) * 0.05);
  }
});
