/** What survives a compaction: pinned texts, outlines, the old entries, and the way back. */

import { callTool, fail, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { outlineOf } from "../src/compaction/outline.ts";
import { compactionStage, long, QUICK, SHORT, SMALL, talk } from "./compaction-stage.ts";
import { assistant, call, emptyLog, message, result, user } from "./histories.ts";
import { entriesIn, entryOf, fileOf, said } from "./session-stage.ts";
import type { BootedEngine } from "./stage.ts";

const PINNED = 'Never touch `main`.\n\n  "Quotes", <tags> & öther bytes stay.\n';

async function summaryOf(booted: BootedEngine): Promise<string> {
  const entries = await entriesIn(fileOf(booted));
  return String(entries.findLast(({ type }) => type === "compaction")!["summary"]);
}

test("pinned texts stand word for word behind each of three summaries, until they are unpinned", async () => {
  await using set = await compactionStage();
  await using booted = await set.boot(SMALL);
  await booted.prompt("the second wish, which is not said again");
  const wish = await entryOf(booted, "the second wish, which is not said again");
  expect((await booted.prompt(`/pin ${wish}`)).text).toBe(`Pinned as ${wish}`);
  const { entryId } = await booted.engine.dispatch({ type: "pin", text: PINNED });
  await booted.prompt("seen?");
  expect(said(set.turns().at(-1)!)).toContain(PINNED.trim());
  for (let round = 0; round < 3; round++) {
    await talk(booted);
    await booted.engine.dispatch({ type: "compact" });
    const summary = await summaryOf(booted);
    expect(summary).toContain(`<pinned id="${entryId}">\n${PINNED.trim()}\n</pinned>`);
    expect(summary).toContain("the second wish, which is not said again");
    expect(summary.split("</pinned>")).toHaveLength(3);
  }
  expect(set.summaries().at(-1)).not.toContain("</pinned>");
  expect((await booted.prompt("/pin")).text).toContain(entryId);
  await booted.prompt(`/unpin ${entryId}`);
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  expect(await summaryOf(booted)).not.toContain("Never touch");
  expect(await summaryOf(booted)).toContain("the second wish");
});

test("what cannot be pinned is said in one sentence", async () => {
  await using set = await compactionStage();
  await using booted = await set.boot(SMALL);
  const pin = (text: string) => booted.engine.dispatch({ type: "pin", text });
  await expect(pin(" ")).rejects.toThrow("There is no text to pin.");
  await expect(pin("x".repeat(90_000))).rejects.toThrow(
    "would be pinned, and the model has room for",
  );
  const missing = booted.engine.dispatch({ type: "pin", entryId: "nowhere" });
  await expect(missing).rejects.toThrow("There is no entry nowhere");
  await expect(booted.prompt("/unpin x")).rejects.toThrow("Nothing is pinned as x.");
});

test("/uncompact: the messages are those from before, byte for byte, and stay so", async () => {
  await using set = await compactionStage();
  await using booted = await set.boot(SMALL);
  await talk(booted);
  const messages = () => JSON.stringify(booted.engine.snapshot().session.messages);
  const before = messages();
  await booted.engine.dispatch({ type: "compact" });
  expect(messages()).not.toBe(before);
  await booted.prompt("said after it");
  expect((await booted.prompt("/uncompact")).text).toContain("Back to before the compaction");
  expect(messages()).toBe(before);
  expect(booted.events.at(-1)).toMatchObject({ type: "session_tree" });
  await booted[Symbol.asyncDispose]();
  await using again = await set.boot({ ...SMALL, session: { kind: "continue" } });
  expect(JSON.stringify(again.engine.snapshot().session.messages)).toBe(before);
  expect(JSON.stringify(await entriesIn(fileOf(again)))).toContain("said after it");
  await again.prompt("on");
  expect(said(set.turns().at(-1)!)).toHaveLength(11);
});

test("who took a compaction back does not get another one from the threshold", async () => {
  const big = turn(say("big")).with({ usage: { input: 90_000 } });
  const ok = turn(say("ok"));
  await using set = await compactionStage([ok, ok, ok, ok, ok, big, big]);
  await using booted = await set.boot({ ...SMALL, config: `${SHORT}` });
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  await booted.engine.dispatch({ type: "revert_compaction" });
  await booted.prompt("go");
  await booted.prompt("go");
  expect(set.summaries()).toHaveLength(1);
});

test("the report says what was kept, summarized and dropped, and each entry can be read again", async () => {
  const ok = turn(say("ok"));
  await using set = await compactionStage([ok, ok, ok, ok, ok]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  const result = await booted.engine.dispatch({ type: "compact" });
  if (result.cancelled) throw new Error("cancelled");
  const { report } = result;
  expect(report).toMatchObject({ reason: "manual", way: "model", model: "house/small" });
  expect(report.kept.entries).toHaveLength(2);
  expect(report.summarized.entries).toHaveLength(8);
  expect(report.dropped.entries).toEqual([]);
  expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
  expect(await booted.engine.dispatch({ type: "compaction_report" })).toEqual(report);
  expect((await booted.prompt("/compact --report")).text).toContain("Summarized:  8 entries");

  const [first = ""] = report.summarized.entries;
  expect(result.summary).toContain("history://");
  await using reading = await compactionStage([
    turn(
      callTool("read", { path: `history://${first}` }),
      callTool("read", { path: "history://" }),
    ),
  ]);
  await using resumed = await reading.boot({
    ...SMALL,
    session: { kind: "resume", value: fileOf(booted) },
  });
  await resumed.prompt("what was first?");
  const request = JSON.stringify(reading.turns().at(-1)!.body);
  expect(request).toContain(long("one"));
  expect(request).toContain(`${first}  user: one xxx`);
});

test("of an older part that does not fit the summary model, the report names what it never saw", async () => {
  await using set = await compactionStage();
  const config = `${QUICK}compaction: { keepRecentTokens: 700, enabled: false, reserveTokens: 98500 }\n`;
  await using booted = await set.boot({ ...SMALL, config });
  for (const name of ["a", "b", "c", "d"]) await booted.prompt(`${name} ${"w".repeat(70_000)}`);
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  const report = await booted.engine.dispatch({ type: "compaction_report" });
  expect(report!.dropped.entries.length).toBeGreaterThan(0);
  expect(report!.dropped.tokens).toBeGreaterThan(15_000);
});

test("an outline has the goals, decisions, failures, files and todos, over several compactions", async () => {
  await using set = await compactionStage(
    [
      turn(callTool("bash", { command: "npm run frobnicate" })),
      turn(callTool("read", { path: "src/a.ts" })),
      turn(say("We will use SQLite instead of Postgres. Nothing else matters here.")),
    ],
    fail(500),
  );
  await set.place.write("src/a.ts", "a");
  const config = `${QUICK}compaction: { keepRecentTokens: 700, strategy: outline }\n`;
  await using booted = await set.boot({ ...SMALL, config });
  await booted.prompt("Build the importer for invoices");
  for (let round = 0; round < 3; round++) {
    await talk(booted);
    await booted.engine.dispatch({ type: "compact" });
  }
  const summary = await summaryOf(booted);
  expect(summary).toContain("## Goals\n- Build the importer for invoices\n- one xxx");
  expect(summary).toContain("- We will use SQLite instead of Postgres.");
  expect(summary).toMatch(/## Failures\n- bash `npm run frobnicate`: .+/);
  expect(summary).toContain("<read-files>\nsrc/a.ts\n</read-files>");
  expect(summary).not.toContain("Nothing else matters");
  expect(set.summaries()).toEqual([]);
  expect(await booted.engine.dispatch({ type: "compaction_report" })).toMatchObject({
    way: "outline",
  });
});

test("an outline goes on with the one before it, keeps another summary, and has the open todos", () => {
  const log = emptyLog();
  log.append(user("second goal"));
  log.append(assistant("", [call("1", "todo")]));
  const phases = [
    {
      name: "A",
      tasks: [
        { content: "write it", status: "completed" },
        { content: "test it", status: "in_progress" },
        { content: "ship it", status: "pending" },
      ],
    },
  ];
  const text = [{ type: "text" as const, text: "list" }];
  log.append(
    message({
      role: "toolResult",
      toolCallId: "1",
      toolName: "todo",
      content: text,
      details: { phases },
      isError: false,
      timestamp: 1,
    }),
  );
  log.append(result("2", "bash", "\nfatal: no\nmore\nlines\nand more", true));
  const first = outlineOf(log.branch(), "A summary by a model.");
  expect(first.text).toContain("## Open todos\n- test it\n- ship it");
  expect(first.text).toContain("- bash: fatal: no | more | lines");
  expect(first.text).toEndWith("## Earlier summary\nA summary by a model.");
  const later = emptyLog(2);
  later.append(user("third goal"));
  const second = outlineOf(later.branch(), first.text);
  expect(second.text).toContain("## Goals\n- second goal\n- third goal");
  expect(second.text).toEndWith("## Earlier summary\nA summary by a model.");
  expect(second.used.size).toBe(1);
});

test("/compact --outline asks no model", async () => {
  await using set = await compactionStage();
  await using booted = await set.boot(SMALL);
  await talk(booted);
  expect((await booted.prompt("/compact --outline")).text).toContain("by outline");
  expect(set.summaries()).toEqual([]);
});
