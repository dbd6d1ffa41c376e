/** What a compaction would do to a branch: thresholds, sizes, cuts, pruning. Without a model. */

import { stream } from "@omp/ai";
import type { AssistantMessage, Model } from "@omp/ai/schema";
import { NO_TOKENS, usageOf } from "@omp/ai/schema";
import { contextOf, pruneMark, type SessionEntry, type SessionLog } from "@omp/session";
import { seededRandom, systemClock } from "@omp/std";
import { say, scriptedModel, turn } from "@omp/testkit";
import { describe, expect, test } from "bun:test";
import { findCut } from "../src/compaction/cut.ts";
import { isTurnStart, roleOf } from "../src/compaction/entry-kind.ts";
import { filesTouched } from "../src/compaction/files-touched.ts";
import {
  contextSizeOf,
  planCompaction,
  windowOf,
  type CompactionPlan,
} from "../src/compaction/plan.ts";
import { planPruning } from "../src/compaction/prune.ts";
import { keptTokens, thresholdOf } from "../src/compaction/threshold.ts";
import { assistant, call, emptyLog, message, randomHistory, result, user } from "./histories.ts";
import { facts, vendor } from "./shelf.ts";
import { modelFrom } from "@omp/ai";

const unset = { thresholdTokens: -1, thresholdPercent: -1 };
const limits = { ...unset, reserveTokens: 16_384, keepRecentTokens: 20_000 };

test("COMP-61 SET-188 SET-189 the threshold leaves room for an answer, unless a share or a number is set", () => {
  expect(thresholdOf(32_768, limits)).toBe(16_384);
  expect(thresholdOf(200_000, limits)).toBe(170_000);
  expect(thresholdOf(1_000_000, limits)).toBe(850_000);
  expect(thresholdOf(200_000, { ...limits, thresholdPercent: 50 })).toBe(100_000);
  const both = { ...limits, thresholdPercent: 50, thresholdTokens: 90_000 };
  expect(thresholdOf(200_000, both)).toBe(90_000);
});

test("what is kept leaves room for the work after it, in small windows too", () => {
  expect(keptTokens(200_000, limits)).toBe(20_000);
  expect(keptTokens(32_768, limits)).toBe(8192);
  expect(keptTokens(16_384, limits)).toBe(2048);
});

test("the size is what the provider measured, and an estimate of what came later", () => {
  const log = emptyLog();
  const usage = usageOf({ ...NO_TOKENS, input: 900, output: 100 }, NO_TOKENS);
  const later = user("y".repeat(400 - 16));
  log.append(later);
  expect(contextSizeOf(log.branch(), 50)).toEqual({ tokens: 150, ratio: 1 });
  const answer = assistant("x".repeat(1984), [], { usage });
  const measured = emptyLog();
  const { id } = measured.append(answer);
  expect(contextSizeOf(measured.branch(), 0)).toEqual({ tokens: 1000, ratio: 2 });
  measured.append(later);
  expect(contextSizeOf(measured.branch(), 0).tokens).toBe(1200);
  // What was measured before a compaction says nothing about what is left.
  const summary = "s".repeat(40);
  measured.append({ type: "compaction", summary, firstKeptEntryId: id, tokensBefore: 1 });
  expect(contextSizeOf(measured.branch(), 0)).toEqual({ tokens: 610, ratio: 1 });
});

function entryOf(draft: Parameters<SessionLog["append"]>[0]): SessionEntry {
  return emptyLog().append(draft);
}

/** Ten turns of about 1000 tokens each. */
function longTalk(usagePerTurn = 0): SessionLog {
  const log = emptyLog();
  for (let index = 0; index < 10; index++) {
    log.append(user(`prompt ${index} ${"x".repeat(2000)}`));
    const input = usagePerTurn * (index + 1);
    const usage = usageOf({ ...NO_TOKENS, input }, NO_TOKENS);
    log.append(assistant(`answer ${index} ${"y".repeat(2000)}`, [], { usage }));
  }
  return log;
}

const plain = { keepTokens: 3100, overhead: 0 };

describe("cuts", () => {
  test("about as much as is wanted stays, and the rest goes", () => {
    const plan = planCompaction(longTalk().branch(), plain)!;
    expect(plan.kept).toHaveLength(6);
    expect(plan.history).toHaveLength(14);
    expect(plan.prefix).toEqual([]);
    expect(plan.firstKeptEntryId).toBe(plan.kept[0]!.id);
  });

  test("COMP-21 SET-184 real tokens count: twice the estimate leaves half as much", () => {
    const twice = planCompaction(longTalk(2040).branch(), { keepTokens: 6200, overhead: 0 })!;
    const once = planCompaction(longTalk().branch(), { keepTokens: 6200, overhead: 0 })!;
    expect(once.kept).toHaveLength(12);
    expect(twice.kept.length).toBeWithin(5, 8);
  });

  test("COMP-24 what was chosen just before the cut stays with it", () => {
    const log = emptyLog();
    log.append(user("old ".repeat(500)));
    log.append(assistant("old"));
    const change = log.append({ type: "model_change", model: "house/large" });
    log.append({ type: "label", targetId: change.id, label: "new model" });
    log.append(user("new"));
    const plan = planCompaction(log.branch(), { keepTokens: 5, overhead: 0 })!;
    expect(plan.firstKeptEntryId).toBe(change.id);
    expect(plan.kept.map(({ type }) => type)).toEqual(["model_change", "label", "message"]);
  });

  test("COMP-25 a turn starts with a person, with what they ran, or with what stands for them", () => {
    const starts = [
      user("go"),
      message({ role: "bashExecution", command: "ls", output: "" }),
      { type: "custom_message", customType: "note", content: "x", display: true },
      { type: "branch_summary", fromId: "root", summary: "x" },
    ] as const;
    for (const draft of starts) expect(isTurnStart(entryOf(draft))).toBe(true);
    const others = [
      assistant("done"),
      result("1", "bash", "x"),
      message({ role: "hookMessage", content: "x" }),
      { type: "model_change", model: "a/b" },
    ] as const;
    for (const draft of others) expect(isTurnStart(entryOf(draft))).toBe(false);
  });

  test("a turn that is split has its beginning apart", () => {
    const log = emptyLog();
    log.append(user("before"));
    log.append(assistant("done"));
    log.append(user("a long turn"));
    for (let index = 0; index < 6; index++) {
      log.append(assistant("", [call(`c${index}`, "bash")]));
      log.append(result(`c${index}`, "bash", "z".repeat(2000)));
    }
    const plan = planCompaction(log.branch(), { keepTokens: 1100, overhead: 0 })!;
    expect(plan.history).toHaveLength(2);
    expect(plan.prefix).toHaveLength(9);
    expect(roleOf(plan.kept[0]!)).toBe("assistant");
  });

  test("COMP-20 what was summarized before is not looked at again; what was kept then is", () => {
    const log = longTalk();
    const first = planCompaction(log.branch(), plain)!;
    const { firstKeptEntryId, tokensBefore } = first;
    log.append({ type: "compaction", summary: "first", firstKeptEntryId, tokensBefore });
    log.append(user("x".repeat(8000)));
    log.append(assistant("y".repeat(8000)));
    const second = planCompaction(log.branch(), plain)!;
    expect(second.previous).toMatchObject({ summary: "first" });
    const ids = (plan: CompactionPlan) => [...plan.history, ...plan.prefix].map(({ id }) => id);
    expect(ids(second).filter((id) => ids(first).includes(id))).toEqual([]);
    const seen = new Set([...ids(second), ...second.kept.map(({ id }) => id)]);
    expect(first.kept.every(({ id }) => seen.has(id))).toBe(true);
  });

  test("nothing to summarize: no plan", () => {
    const log = emptyLog();
    expect(planCompaction([], plain)).toBeUndefined();
    log.append(user("x".repeat(100_000)));
    expect(planCompaction(log.branch(), plain)).toBeUndefined();
    log.append(assistant("short"));
    expect(planCompaction(log.branch(), { keepTokens: 100_000, overhead: 0 })).toBeUndefined();
  });
});

const ALLOWED = new Set(["user", "assistant", "bashExecution", "hookMessage"]);

test("COMP-22 COMP-23 in random histories the cut is where it may be, and calls keep their results", () => {
  const random = seededRandom(41);
  let plans = 0;
  for (let index = 0; index < 300; index++) {
    const log = randomHistory(random, 10 + Math.floor(random.next() * 120));
    const { entries } = windowOf(log.branch());
    const tokens = entries.map(() => Math.floor(random.next() * 200));
    const cut = findCut(entries, tokens, random.next() * 4000);
    if (!cut) continue;
    plans++;
    const first = entries.slice(cut.firstKept).find((entry) => /message|summary/.test(entry.type))!;
    const role = roleOf(first);
    expect(role === undefined ? first.type : ALLOWED.has(role)).toBeTruthy();
    expect(role).not.toBe("toolResult");
    const kept = entries.slice(cut.firstKept);
    const old = entries.slice(0, cut.firstKept);
    expect(resultsWithout(kept, callsIn(old))).toEqual([]);
  }
  expect(plans).toBeGreaterThan(200);
});

/** Calls of answers that are whole. */
function callsIn(entries: readonly SessionEntry[]): ReadonlySet<string> {
  const ids = entries.flatMap((entry) => {
    const { message: stored } = entry as { message?: AssistantMessage };
    if (stored?.role !== "assistant" || stored.stopReason === "error") return [];
    return stored.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  });
  return new Set(ids);
}

/** Results in these entries whose calls are among `calls`. */
function resultsWithout(entries: readonly SessionEntry[], calls: ReadonlySet<string>): string[] {
  return entries.flatMap((entry) => {
    const { message: stored } = entry as { message?: { role: string; toolCallId: string } };
    return stored?.role === "toolResult" && calls.has(stored.toolCallId) ? [stored.toolCallId] : [];
  });
}

const WIRES = [
  ["anthropic-messages", ""],
  ["openai-completions", "/v1"],
  ["openai-responses", "/v1"],
  ["google-generative-ai", "/v1beta"],
  ["ollama-chat", ""],
] as const;

test.each(WIRES)(
  "what is left of random histories is taken by the strict rules of %s",
  async (api, path) => {
    await using server = await scriptedModel([turn(say("ok"))], { repeatLast: true });
    const provider = vendor("house", ["small"], { api, baseUrl: `${server.url}${path}` });
    const model: Model = modelFrom(provider, facts("small", { reasoning: false }), {});
    const random = seededRandom(43);
    for (let index = 0; index < 25; index++) {
      const log = randomHistory(random, 80);
      const plan = planCompaction(log.branch(), { keepTokens: random.next() * 3000, overhead: 0 });
      if (!plan) continue;
      const { firstKeptEntryId, tokensBefore } = plan;
      log.append({ type: "compaction", summary: "before", firstKeptEntryId, tokensBefore });
      log.append(user("go on"));
      const { messages } = contextOf(log.branch());
      const request = { model, systemPrompt: "s", tools: [], messages };
      const { signal } = new AbortController();
      const final = await stream(request, { apiKey: "key", clock: systemClock, signal }).result;
      expect(final.message.errorMessage).toBeUndefined();
    }
  },
);

/** Each result takes so many thousand tokens. */
function results(...thousands: readonly (readonly [name: string, thousand: number])[]): SessionLog {
  const log = emptyLog();
  log.append(user("go"));
  for (const [index, [name, thousand]] of thousands.entries()) {
    log.append(assistant("", [call(`c${index}`, name)]));
    log.append(result(`c${index}`, name, "x".repeat(thousand * 4000)));
  }
  return log;
}

describe("pruning", () => {
  const nothing = () => false;
  const outputs = (count: number) => Array.from({ length: count }, () => ["bash", 5] as const);

  test("COMP-16 the newest 40000 tokens stay, and less than 20000 are not worth it", () => {
    expect(planPruning(results(...outputs(9)).branch(), nothing)).toBeUndefined();
    const pruned = planPruning(results(...outputs(14)).branch(), nothing)!;
    expect(Object.values(pruned)).toEqual([5000, 5000, 5000, 5000, 5000, 5000]);
    const oldest = results(...outputs(14)).branch();
    expect(Object.keys(pruned)).toHaveLength(
      oldest.filter((e) => roleOf(e) === "toolResult").length - 8,
    );
  });

  test("COMP-17 what was read, and skills, stay as they are", () => {
    const log = results(["read", 30], ["skill", 30], ["bash", 30], ["bash", 41]);
    const pruned = Object.keys(planPruning(log.branch(), nothing)!);
    const names = pruned.map((id) => {
      const { message: stored } = log.entry(id) as unknown as { message: { toolName: string } };
      return stored.toolName;
    });
    expect(names).toEqual(["bash", "bash"]);
  });

  test("COMP-18 the model sees how much was there; the file keeps it", () => {
    const log = results(["bash", 30], ["bash", 30], ["bash", 30]);
    const plan = planPruning(log.branch(), nothing)!;
    log.append(pruneMark(plan));
    const seen = JSON.stringify(contextOf(log.branch()).messages);
    expect(seen.split("[Output truncated - 30000 tokens]")).toHaveLength(3);
    expect(JSON.stringify(log.entries)).toContain("x".repeat(120_000));
    const { entries } = windowOf(log.branch());
    expect(planPruning(entries, (id) => id in plan)).toBeUndefined();
  });
});

test("COMP-29 COMP-30 files are those of the calls; what was changed is not listed as read", () => {
  const log = emptyLog();
  log.append(
    assistant("", [
      call("1", "read", { path: "a.ts" }),
      call("2", "read", { path: "b.ts" }),
      call("3", "edit", { path: "b.ts" }),
      call("4", "write", { path: "c.ts" }),
      call("5", "read", { path: "artifact://3" }),
      call("6", "bash", { command: "rm x" }),
    ]),
  );
  const before = { readFiles: ["z.ts"], modifiedFiles: ["a.ts"] };
  const summary = {
    type: "compaction",
    summary: "s",
    firstKeptEntryId: "x",
    tokensBefore: 1,
  } as const;
  const own = entryOf({ ...summary, details: before });
  expect(filesTouched(log.branch(), own)).toEqual({
    readFiles: ["z.ts"],
    modifiedFiles: ["a.ts", "b.ts", "c.ts"],
  });
  const foreign = entryOf({ ...summary, details: before, fromExtension: true });
  expect(filesTouched(log.branch(), foreign)).toEqual({
    readFiles: ["a.ts"],
    modifiedFiles: ["b.ts", "c.ts"],
  });
});
