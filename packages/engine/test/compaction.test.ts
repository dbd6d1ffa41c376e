/** Compaction by hand: what is stored, what the model sees afterwards, hooks, failure, what is said meanwhile. */

import { callTool, fail, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { compactionStage, long, SHORT, SMALL, talk } from "./compaction-stage.ts";
import { entriesIn, fileOf, hashOf, said } from "./session-stage.ts";

test("COMP-01 COMP-03 COMP-05 /compact: a summary, then the kept entries, then what comes", async () => {
  await using set = await compactionStage();
  await using booted = await set.boot(SMALL);
  await talk(booted);
  const told = await booted.prompt("/compact");
  expect(told).toMatchObject({ isCommand: true });
  expect(told.text).toMatch(/^Compacted from \d+ to about \d+ tokens by model \(house\/small\)/);
  const entry = (await entriesIn(fileOf(booted))).findLast(({ type }) => type === "compaction")!;
  expect(entry).toMatchObject({
    type: "compaction",
    summary: expect.stringContaining("SUMMARY"),
    shortSummary: "About the work.",
    tokensBefore: expect.any(Number),
    details: { readFiles: [], modifiedFiles: [] },
  });
  const entries = await booted.engine.dispatch({ type: "session_entries" });
  const kept = entries.find(({ id }) => id === entry["firstKeptEntryId"])!;
  expect(JSON.stringify(kept)).toContain("five ");
  expect(JSON.stringify(await entriesIn(fileOf(booted)))).toContain(long("one"));

  await booted.prompt("next");
  const request = said(set.turns().at(-1)!);
  expect(request[0]).toContain("SUMMARY");
  expect(request.slice(1)).toEqual([long("five"), "ok", "next"]);
});

test("COMP-06 the focus is in the request, and the run in progress is aborted first", async () => {
  const slow = turn(say("slow")).with({ delayMs: 60_000 });
  const first = Array.from({ length: 5 }, () => turn(say("ok")));
  await using set = await compactionStage([...first, slow]);
  await using booted = await set.boot(SMALL);
  await talk(booted);
  const running = booted.prompt(long("six"));
  await set.model.waitForRequest(6);
  await booted.prompt("/compact focus on tests");
  expect(await running).toMatchObject({ stopReason: "aborted" });
  expect(set.summaries()).toHaveLength(1);
  expect(set.summaries()[0]).toContain("focus on tests");
});

test("COMP-27 COMP-28 COMP-20 SET-184 the conversation, the summary before it, and a request for each kind", async () => {
  await using set = await compactionStage();
  await using booted = await set.boot(SMALL);
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  for (const name of ["six", "seven"]) await booted.prompt(long(name));
  await booted.engine.dispatch({ type: "compact" });
  const [first = "", second = ""] = set.summaries();
  expect(first).toMatch(
    /^<conversation>\nPerson: one [^]*<\/conversation>\n\nThe conversation between/,
  );
  expect(first).not.toContain("<previous-summary>");
  expect(second).toMatch(
    /<\/conversation>\n\n<previous-summary>\nAbout the work\.\n\n## Goal\nSUMMARY\n</,
  );
  expect(second).toContain("Write the previous summary anew");
  expect(second).not.toContain("Person: four");
  expect(second).toContain("Person: five");
});

test("COMP-26 one turn that is too long is split: its beginning is summarized apart", async () => {
  const read = (index: number) => turn(callTool("read", { path: `${index}.txt` }));
  await using set = await compactionStage([1, 2, 3, 4, 5].map(read), (request) =>
    turn(say(said(request).join("").includes("beginning of a turn") ? "PREFIX" : "HISTORY")),
  );
  for (const index of [1, 2, 3, 4, 5]) await set.place.write(`${index}.txt`, "y".repeat(2000));
  await using booted = await set.boot(SMALL);
  await booted.prompt("before");
  await booted.prompt("go");
  await booted.engine.dispatch({ type: "compact" });
  const entry = (await entriesIn(fileOf(booted))).findLast(({ type }) => type === "compaction")!;
  expect(entry["summary"]).toMatch(
    /^HISTORY\n\n---\n\n\*\*Turn Context \(split turn\):\*\*\n\nPREFIX\n/,
  );
  expect(set.summaries()).toHaveLength(2);
});

test("COMP-15 nothing happens by itself when it is off; /compact works all the same", async () => {
  for (const off of ["enabled: false", "strategy: off"]) {
    const big = turn(say("big")).with({ usage: { input: 99_000 } });
    await using set = await compactionStage([big, big, big, big, big, big]);
    const config = `compaction: { keepRecentTokens: 50, ${off} }\n`;
    await using booted = await set.boot({ ...SMALL, config });
    await talk(booted);
    await booted.prompt("more");
    expect(set.summaries()).toEqual([]);
    await booted.prompt("/compact");
    expect(set.summaries()).not.toEqual([]);
    const entries = await entriesIn(fileOf(booted));
    expect(entries.filter(({ type }) => type === "compaction")).toHaveLength(1);
  }
});

test("COMP-57 COMP-55 a compaction that is aborted or fails leaves everything as it was", async () => {
  let answers = 0;
  await using set = await compactionStage([], () =>
    answers++ === 0 ? turn(say("late")).with({ delayMs: 60_000 }) : turn(say("fine")),
  );
  await using booted = await set.boot({
    ...SMALL,
    hooks: [
      {
        compacting: () => {
          const loop: Record<string, unknown> = {};
          loop["self"] = loop;
          return Promise.resolve(answers > 0 ? { preserveData: loop } : undefined);
        },
      },
    ],
  });
  await talk(booted);
  const before = [await hashOf(fileOf(booted)), JSON.stringify(booted.engine.snapshot().session)];
  const compacting = booted.engine.dispatch({ type: "compact" });
  await set.model.waitForRequest(6);
  expect(booted.engine.snapshot().isCompacting).toBe(true);
  await booted.engine.dispatch({ type: "abort_compaction" });
  expect(await compacting).toEqual({ cancelled: true });
  await set.model.waitForClosedByClient(1);
  expect(booted.engine.snapshot().isCompacting).toBe(false);
  await expect(booted.engine.dispatch({ type: "compact" })).rejects.toThrow();
  expect(JSON.stringify(booted.engine.snapshot().session)).toBe(before[1]!);
  const entries = await entriesIn(fileOf(booted));
  expect(entries.filter(({ type }) => type === "compaction")).toEqual([]);
  await booted.prompt("after");
  expect(said(set.turns().at(-1)!)).toHaveLength(11);
});

test("nothing to summarize is said in one sentence", async () => {
  await using set = await compactionStage();
  await using booted = await set.boot(SMALL);
  await expect(booted.prompt("/compact")).rejects.toThrow(
    "There is nothing old enough to summarize",
  );
  await expect(booted.prompt("/uncompact")).rejects.toThrow("was never compacted");
});

test("SLASH-33 what is said meanwhile waits: slash commands are expanded, the rest is said as typed", async () => {
  await using set = await compactionStage([], () => turn(say("S")).with({ delayMs: 300 }));
  await set.place.write(".omp/commands/foo.md", "expanded $1");
  await using booted = await set.boot({
    ...SMALL,
    trust: {
      isFolderTrusted: () => Promise.resolve(true),
      allowed: (items) => Promise.resolve(items),
    },
  });
  await talk(booted);
  const compacting = booted.engine.dispatch({ type: "compact" });
  await set.model.waitForRequest(6);
  const held = [booted.prompt("/foo a"), booted.prompt("plain text")];
  await compacting;
  expect((await Promise.all(held)).map(({ isQueued }) => isQueued ?? false)).toEqual([false, true]);
  const requests = set.turns().slice(5).map(said);
  expect(requests[0]!.at(-1)).toBe("expanded a");
  expect(requests[0]![0]).toContain("<summary>");
  expect(requests[1]!.slice(-3)).toEqual(["expanded a", "ok", "plain text"]);
});

test("COMP-49 COMP-51 a hook cancels, or brings a summary of its own", async () => {
  await using set = await compactionStage();
  let isCancelled = true;
  const heard: unknown[] = [];
  await using booted = await set.boot({
    ...SMALL,
    hooks: [
      {
        beforeCompact: ({ summarized, reason }) => {
          heard.push([reason, summarized.length > 0]);
          return Promise.resolve(
            isCancelled
              ? { cancel: true }
              : { compaction: { summary: "BROUGHT", details: { a: 1 } } },
          );
        },
        compacted: ({ compactionEntry, fromExtension }) => {
          heard.push([compactionEntry.type, fromExtension]);
          return Promise.resolve();
        },
      },
    ],
  });
  await talk(booted);
  expect(await booted.engine.dispatch({ type: "compact" })).toEqual({ cancelled: true });
  expect(heard).toEqual([["manual", true]]);
  isCancelled = false;
  await booted.engine.dispatch({ type: "compact" });
  const entry = (await entriesIn(fileOf(booted))).at(-1)!;
  expect(entry).toMatchObject({ summary: "BROUGHT", details: { a: 1 }, fromExtension: true });
  expect(heard.slice(1)).toEqual([
    ["manual", true],
    ["compaction", true],
  ]);
  expect(set.summaries()).toEqual([]);
  const event = booted.events.find(({ type }) => type === "session_compact");
  expect(event).toMatchObject({ compactionEntry: { id: entry.id }, fromExtension: true });
});

test("COMP-50 a hook changes the request, and its data is kept", async () => {
  await using set = await compactionStage();
  await using booted = await set.boot({
    ...SMALL,
    hooks: [
      {
        compacting: () =>
          Promise.resolve({
            prompt: "ONLY THE NAMES",
            context: ["line 1", "line 2"],
            preserveData: { mine: [1, 2] },
          }),
      },
    ],
  });
  await talk(booted);
  await booted.engine.dispatch({ type: "compact" });
  const [request = ""] = set.summaries();
  expect(request).toContain("<additional-context>\nline 1\nline 2\n</additional-context>");
  expect(request).toContain("ONLY THE NAMES");
  expect(request).not.toContain("will stand in its place");
  const entry = (await entriesIn(fileOf(booted))).findLast(({ type }) => type === "compaction")!;
  expect(entry["preserveData"]).toEqual({ mine: [1, 2] });
});

test("COMP-29 COMP-31 the files that were touched are listed at the end, from compaction to compaction", async () => {
  const ok = turn(say("ok"));
  const first = turn(
    callTool("read", { path: "a.txt" }),
    callTool("write", { path: "b.txt", content: "b" }),
  );
  await using set = await compactionStage([
    first,
    ...Array.from({ length: 6 }, () => ok),
    turn(callTool("read", { path: "c.txt" })),
  ]);
  for (const name of ["a", "c"]) await set.place.write(`${name}.txt`, name);
  await using booted = await set.boot(SMALL);
  const summary = async () => {
    await talk(booted);
    await booted.engine.dispatch({ type: "compact" });
    const entries = await entriesIn(fileOf(booted));
    return entries.findLast(({ type }) => type === "compaction")!["summary"];
  };
  await booted.prompt("go");
  expect(await summary()).toEndWith(
    "<read-files>\na.txt\n</read-files>\n<modified-files>\nb.txt\n</modified-files>",
  );
  await booted.prompt("go on");
  expect(await summary()).toEndWith(
    "<read-files>\na.txt\nc.txt\n</read-files>\n<modified-files>\nb.txt\n</modified-files>",
  );
});

test("COMP-34 RETRY-17 COMP-35 one that must wait long is passed over; what may pass is tried again", async () => {
  const { facts } = await import("./shelf.ts");
  const { house } = await import("./stage.ts");
  const models: string[] = [];
  let failures = 0;
  await using set = await compactionStage([], (request) => {
    const { model } = request.body as { model: string };
    models.push(model);
    if (model === "small") return fail(429, { headers: { "retry-after": "30" } });
    return failures++ === 0 ? fail(503) : turn(say("from large"));
  });
  await using booted = await set.boot({
    ...SMALL,
    extraProviders: [house(facts("small"), facts("large"))],
    config: `${SHORT}modelRoles: { smol: house/large }\n`,
  });
  await talk(booted);
  const result = await booted.engine.dispatch({ type: "compact" });
  expect(models).toEqual(["small", "large", "large"]);
  expect(result).toMatchObject({
    cancelled: false,
    report: { model: "house/large", way: "model" },
  });
});
