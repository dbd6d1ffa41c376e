/** Compactions that start by themselves: overflow, answers without room, thresholds, idle time. */

import { callTool, fail, manualClock, say, turn, type RecordedRequest } from "@omp/testkit";
import { expect, test } from "bun:test";
import type { EngineEvent } from "../src/protocol/index.ts";
import {
  compactions,
  compactionStage,
  long,
  measured,
  QUICK,
  SHORT,
  SMALL,
  talk,
} from "./compaction-stage.ts";
import { entriesIn, fileOf, said } from "./session-stage.ts";
import { facts } from "./shelf.ts";
import { house, type BootedEngine } from "./stage.ts";

const ok = turn(say("ok"));
const five = [ok, ok, ok, ok, ok];
const tooLong = fail(400, {
  body: { error: { code: "context_length_exceeded", message: "too long" } },
});
const cutShort = turn(say("half of it")).with({ stop: "length" });

async function stored(booted: BootedEngine) {
  return (await entriesIn(fileOf(booted))).filter(({ type }) => type === "compaction");
}

function brief(events: readonly EngineEvent[]) {
  return events.flatMap((event) =>
    event.type === "auto_compaction_start" || event.type === "auto_compaction_end"
      ? [[event.type.slice("auto_compaction_".length), event.reason, event.willRetry]]
      : [],
  );
}

function errors(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "notice" && event.level === "error" ? [event.text] : [],
  );
}

test("COMP-07 COMP-54 an overflow is compacted away, and the turn is sent again", async () => {
  await using set = await compactionStage([...five, tooLong, turn(say("it fits"))]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  expect(await booted.prompt("go")).toMatchObject({ stopReason: "stop", text: "it fits" });
  expect(brief(booted.events)).toEqual([
    ["start", "overflow", true],
    ["end", "overflow", true],
  ]);
  expect(await stored(booted)).toHaveLength(1);
  const last = said(set.turns().at(-1)!);
  expect(last[0]).toContain("SUMMARY");
  expect(last.at(-1)).toBe("go");
  expect(JSON.stringify(last)).not.toContain("too long");
  expect(last).not.toContain(long("one"));
});

test("RETRY-01 what may pass is retried, an abort is not, and an overflow goes to the compaction", async () => {
  const slow = turn(say("late")).with({ delayMs: 60_000 });
  await using set = await compactionStage([...five, fail(503), ok, slow, tooLong, ok]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  const told = async (run: () => Promise<unknown>) => {
    const from = booted.events.length;
    await run();
    const types = booted.events.slice(from).map(({ type }) => type);
    return types.filter((type) => type === "auto_retry_start" || type === "auto_compaction_start");
  };
  expect(await told(() => booted.prompt("may pass"))).toEqual(["auto_retry_start"]);
  const aborted = told(() => booted.prompt("aborted"));
  await set.model.waitForRequest(8);
  await booted.engine.dispatch({ type: "abort" });
  expect(await aborted).toEqual([]);
  expect(await told(() => booted.prompt("too long"))).toEqual(["auto_compaction_start"]);
});

test("COMP-58 COMP-35 a second overflow of the same turn is told: there is no loop", async () => {
  // Each measured as less than it looks, so that a second compaction would find something to summarize.
  const less = Array.from({ length: 5 }, () => measured("ok", 1500));
  await using set = await compactionStage([...less, tooLong, tooLong, tooLong, tooLong]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  expect(await booted.prompt("go")).toMatchObject({ stopReason: "error" });
  expect(await stored(booted)).toHaveLength(1);
  const [first, second, ...more] = set.turns().slice(5).map(said);
  expect(more).toEqual([]);
  expect(first).not.toEqual(second);
});

test("results that are larger than a small window go as well: the turn fits the second time", async () => {
  const read = [1, 2, 3, 4].map((index) => callTool("bash", { command: `cat ${index}.txt` }));
  const sized = (request: RecordedRequest) =>
    JSON.stringify(request.body).length > 80_000 ? tooLong : turn(say("it fits"));
  await using set = await compactionStage([ok, ok, turn(...read), sized, sized]);
  for (const index of [1, 2, 3, 4])
    await set.place.write(`${index}.txt`, `${index}${"z".repeat(99)}\n`.repeat(300));
  await using booted = await set.boot({
    ...SMALL,
    extraProviders: [house(facts("small", { contextWindow: 32_768 }))],
    config: "compaction: { midTurnEnabled: false }\n",
  });
  for (const name of ["one", "two"]) await booted.prompt(long(name));
  expect(await booted.prompt("read them")).toMatchObject({ stopReason: "stop", text: "it fits" });
  const last = JSON.stringify(set.turns().at(-1)!.body);
  expect(last).toContain("[Output truncated - ");
  expect(JSON.stringify(await entriesIn(fileOf(booted)))).toContain("4zzz");
});

test("an abort while a compaction is made before a prompt ends the prompt too", async () => {
  const slow = turn(say("late")).with({ delayMs: 60_000 });
  await using set = await compactionStage([...five], slow);
  {
    await using booted = await set.boot(SMALL);
    await talk(booted);
  }
  const config = "compaction: { keepRecentTokens: 700, thresholdTokens: 1500 }\n";
  await using booted = await set.boot({ ...SMALL, config, session: { kind: "continue" } });
  const running = booted.prompt("go on");
  await set.model.waitForRequest(6);
  await booted.engine.dispatch({ type: "abort" });
  expect(await running).toMatchObject({ stopReason: "aborted" });
  expect(set.turns()).toHaveLength(5);
});

test("COMP-11 an overflow of a model that is not in use any more starts nothing", async () => {
  const held = Promise.withResolvers<void>();
  await using set = await compactionStage([
    ...five,
    async () => {
      await held.promise;
      return tooLong;
    },
  ]);
  await using booted = await set.boot({
    ...SMALL,
    extraProviders: [house(facts("small"), facts("other"))],
  });
  await talk(booted);
  const running = booted.prompt("go");
  await set.model.waitForRequest(6);
  await booted.engine.dispatch({ type: "set_model", provider: "house", modelId: "other" });
  held.resolve();
  expect(await running).toMatchObject({ stopReason: "error" });
  expect(compactions(booted.events)).toEqual([]);
});

test("COMP-08 an overflow is never handed off", async () => {
  await using set = await compactionStage([...five, tooLong, ok]);
  const config = "compaction: { keepRecentTokens: 700, strategy: handoff }\n";
  await using booted = await set.boot({ ...SMALL, config });
  await talk(booted);
  await booted.prompt("go");
  expect(await stored(booted)).toHaveLength(1);
  expect(set.turns()).toHaveLength(7);
});

test("COMP-09 COMP-54 an answer without room is taken back, and asked for again with more", async () => {
  await using set = await compactionStage([...five, cutShort, turn(say("all of it"))]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  expect(await booted.prompt("go")).toMatchObject({ stopReason: "stop", text: "all of it" });
  expect(brief(booted.events)).toEqual([
    ["start", "incomplete", true],
    ["end", "incomplete", true],
  ]);
  const last = said(set.turns().at(-1)!);
  expect(last[0]).toContain("SUMMARY");
  expect(last.at(-1)).toBe("go");
  expect(JSON.stringify(await entriesIn(fileOf(booted)))).toContain("half of it");
  await using again = await set.boot({ ...SMALL, session: { kind: "continue" } });
  expect(JSON.stringify(again.engine.snapshot().session.messages)).not.toContain("half of it");
});

test("an answer that is as long as the model can make it is left alone in a short conversation", async () => {
  await using set = await compactionStage([cutShort]);
  await using booted = await set.boot(SMALL);
  expect(await booted.prompt("go")).toMatchObject({ stopReason: "length", text: "half of it" });
  expect(set.turns()).toHaveLength(1);
});

test("PM-66 a larger model is tried first: for want of room, and above the threshold", async () => {
  const windows = [facts("small"), facts("large", { contextWindow: 400_000 })];
  for (const trouble of [cutShort, measured("big", 90_000)]) {
    await using set = await compactionStage([...five, trouble, ok]);
    await using booted = await set.boot({ ...SMALL, extraProviders: [house(...windows)] });
    await talk(booted);
    await booted.prompt("go");
    expect(booted.engine.snapshot().model.id).toBe("large");
    expect(compactions(booted.events)).toEqual([]);
  }
});

test("COMP-10 COMP-12 SET-185 above the threshold: compacted, not sent again, and told to go on", async () => {
  await using set = await compactionStage([
    ...five,
    measured("done", 90_000),
    turn(say("once more")),
  ]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  expect(await booted.prompt("go")).toMatchObject({ text: "once more" });
  expect(brief(booted.events)).toEqual([
    ["start", "threshold", false],
    ["end", "threshold", false],
  ]);
  const { messages } = set.turns().at(-1)!.body as { messages: { role: string }[] };
  expect(messages.at(-1)).toMatchObject({
    content: expect.stringContaining("replaced by a summary"),
  });
  const entries = await entriesIn(fileOf(booted));
  const told = entries.map((entry) => entry["message"]).find((one) => hasRole(one, "developer"));
  expect(told).toMatchObject({ attribution: "agent" });
  const { messages: made } = booted.events.findLast(
    ({ type }) => type === "agent_end",
  ) as never as {
    messages: { role: string }[];
  };
  expect(made.map(({ role }) => role).slice(-2)).toEqual(["developer", "assistant"]);
});

function hasRole(message: unknown, role: string): boolean {
  return (message as { role?: string } | undefined)?.role === role;
}

test("COMP-12 with autoContinue false nothing follows", async () => {
  await using set = await compactionStage([...five, measured("done", 90_000)]);
  const config = `${QUICK}compaction: { keepRecentTokens: 700, autoContinue: false }\n`;
  await using booted = await set.boot({ ...SMALL, config });
  await talk(booted);
  expect(await booted.prompt("go")).toMatchObject({ text: "done" });
  expect(await stored(booted)).toHaveLength(1);
  expect(set.turns()).toHaveLength(6);
});

test("a run that is over is not kept going by compactions", async () => {
  const big = measured("y".repeat(4000), 95_000);
  await using set = await compactionStage([...five, ...Array.from({ length: 30 }, () => big)]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  await booted.prompt("go");
  expect(set.turns()).toHaveLength(7);
});

test("SET-193 between tool calls the conversation is compacted too, unless that is off", async () => {
  const read = turn(callTool("read", { path: "a.txt" })).with({ usage: { input: 90_000 } });
  for (const isOn of [true, false]) {
    await using set = await compactionStage([...five, read, ok]);
    await set.place.write("a.txt", "content of a");
    const more = isOn ? "" : ", midTurnEnabled: false, autoContinue: false";
    const config = `compaction: { keepRecentTokens: 2000${more} }\n`;
    await using booted = await set.boot({ ...SMALL, config });
    await talk(booted);
    await booted.prompt("go");
    const last = JSON.stringify(set.turns()[6]!.body);
    expect(last.includes("SUMMARY")).toBe(isOn);
    expect(last).toContain("content of a");
    expect(set.turns()).toHaveLength(7);
  }
});

test("COMP-10 a resumed conversation above the threshold is compacted before the prompt is sent", async () => {
  await using set = await compactionStage([...five]);
  {
    await using booted = await set.boot(SMALL);
    await talk(booted);
  }
  const config = "compaction: { keepRecentTokens: 700, thresholdTokens: 1500 }\n";
  await using booted = await set.boot({ ...SMALL, config, session: { kind: "continue" } });
  await booted.prompt("go on");
  expect(brief(booted.events)[0]).toEqual(["start", "threshold", false]);
  const first = said(set.turns()[5]!);
  expect(first[0]).toContain("SUMMARY");
  expect(first.at(-1)).toBe("go on");
});

test("COMP-16 COMP-18 COMP-19 old tool results are pruned before anything is summarized", async () => {
  const read = (index: number) => turn(callTool("bash", { command: `cat ${index}.txt` }));
  const calls = [1, 2, 3, 4, 5, 6, 7, 8].map(read);
  await using set = await compactionStage([...calls, ok, ok]);
  for (const index of [1, 2, 3, 4, 5, 6, 7, 8])
    await set.place.write(`${index}.txt`, `${index}${"z".repeat(99)}\n`.repeat(300));
  const config = "compaction: { thresholdTokens: 60000 }\n";
  await using booted = await set.boot({ ...SMALL, config });
  await booted.prompt("go");
  await booted.prompt("next");
  const request = JSON.stringify(set.turns().at(-1)!.body);
  expect(request.split(/\[Output truncated - \d+ tokens\]/)).toHaveLength(4);
  expect(request).not.toContain("1zzz");
  expect(request).toContain("8zzz");
  expect(compactions(booted.events)).toEqual([]);
  const snapshot = JSON.stringify(booted.engine.snapshot().session.messages);
  expect(snapshot.split("[Output truncated")).toHaveLength(4);
  await using again = await set.boot({ ...SMALL, config, session: { kind: "continue" } });
  expect(JSON.stringify(again.engine.snapshot().session.messages)).toBe(snapshot);
});

test("COMP-56 COMP-57 each way of failing has its own words, and changes nothing", async () => {
  const broken = {
    compacting: () => Promise.resolve({ preserveData: { big: 1n as unknown } }),
  };
  const ways = [
    [tooLong, "Context overflow recovery failed: "],
    [cutShort, "Incomplete response recovery failed: "],
    [measured("done", 90_000), "Auto-compaction failed: "],
  ] as const;
  for (const [trouble, words] of ways) {
    await using set = await compactionStage([...five, trouble]);
    await using booted = await set.boot({ ...SMALL, hooks: [broken] });
    await talk(booted);
    await booted.prompt("go");
    expect(errors(booted.events)).toEqual([expect.stringContaining(words)]);
    expect(brief(booted.events)[1]).toMatchObject(["end", expect.any(String), false]);
    expect(await stored(booted)).toEqual([]);
    expect(booted.engine.snapshot().session.messages.length).toBeGreaterThanOrEqual(11);
  }
});

test("COMP-56 without a model that answers, a threshold is kept by nothing; an overflow by an outline", async () => {
  const broken = fail(400, { message: "no summaries today" });
  await using set = await compactionStage([...five, measured("done", 90_000), tooLong, ok], broken);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  await booted.prompt("go");
  expect(errors(booted.events)).toEqual([
    expect.stringMatching(/^Auto-compaction failed: .*no summaries today/),
  ]);
  expect(await stored(booted)).toEqual([]);
  await booted.engine.dispatch({ type: "set_auto_compaction", enabled: true });
  expect(await booted.prompt("again")).toMatchObject({ stopReason: "stop" });
  const [entry] = await stored(booted);
  expect(entry!["summary"]).toContain("made without a model");
  const report = await booted.engine.dispatch({ type: "compaction_report" });
  expect(report).toMatchObject({
    way: "outline",
    because: expect.stringContaining("no summaries today"),
  });
});

test("COMP-55 the abort of a compaction in a run leaves the run its failure", async () => {
  const slow = turn(say("late")).with({ delayMs: 60_000 });
  await using set = await compactionStage([...five, tooLong], slow);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  const running = booted.prompt("go");
  await set.model.waitForRequest(7);
  await booted.engine.dispatch({ type: "abort_compaction" });
  expect(await running).toMatchObject({ stopReason: "error" });
  expect(booted.events.findLast(({ type }) => type === "auto_compaction_end")).toMatchObject({
    aborted: true,
    willRetry: false,
  });
  expect(await stored(booted)).toEqual([]);
});

test("COMP-14 SET-190 SET-191 SET-192 a large conversation is compacted when nobody says anything", async () => {
  const manual = manualClock();
  const clock = {
    ...manual,
    after: (ms: number, action: () => void) =>
      ms > 60_000 ? manual.after(ms, action) : setTimeoutOf(ms, action),
  };
  const big = (request: RecordedRequest) => {
    void request;
    return measured("big", 30_000);
  };
  await using set = await compactionStage([big, big, big, big, big]);
  const idle = "idleEnabled: true, idleThresholdTokens: 20000, idleTimeoutSeconds: 300";
  const config = `compaction: { keepRecentTokens: 700, ${idle} }\n`;
  await using booted = await set.boot({ ...SMALL, config, clock });
  await talk(booted);
  manual.advance(299_000);
  await Bun.sleep(20);
  expect(compactions(booted.events)).toEqual([]);
  manual.advance(1000);
  await set.model.waitForRequest(6);
  while (booted.engine.snapshot().isCompacting) await Bun.sleep(5);
  expect(brief(booted.events)).toEqual([
    ["start", "idle", false],
    ["end", "idle", false],
  ]);
  manual.advance(400_000);
  await Bun.sleep(20);
  expect(set.turns()).toHaveLength(5);
  expect(await stored(booted)).toHaveLength(1);
});

function setTimeoutOf(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

test("COMP-60 SET-180 SET-181 SET-183 SET-186 SET-187 a fresh start has the defaults", async () => {
  const { compactionArea } = await import("../src/settings/schema/compaction.ts");
  const defaults = Object.entries(compactionArea.settings).map(([key, one]) => [key, one.default]);
  expect(Object.fromEntries(defaults)).toMatchObject({
    enabled: true,
    strategy: "context-full",
    reserveTokens: 16_384,
    keepRecentTokens: 20_000,
    autoContinue: true,
    remoteEnabled: true,
    remoteEndpoint: "",
    thresholdPercent: -1,
    thresholdTokens: -1,
    idleEnabled: false,
    idleThresholdTokens: 200_000,
    idleTimeoutSeconds: 300,
  });
  await using set = await compactionStage();
  await using booted = await set.boot({ ...SMALL, config: SHORT });
  expect(booted.engine.snapshot()).toMatchObject({
    isAutoCompactionEnabled: true,
    isCompacting: false,
  });
});
