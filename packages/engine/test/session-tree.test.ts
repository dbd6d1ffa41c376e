/** Moves inside a session: what the model sees afterwards, what is kept of the branch that was left. */

import { say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import type { SessionHooks } from "../src/protocol/index.ts";
import {
  echo,
  echoStage,
  entriesIn,
  entryOf,
  fileOf,
  hashOf,
  lastSaid,
  said,
  talkOf,
  told,
} from "./session-stage.ts";
import { stage, type BootedEngine } from "./stage.ts";

test("SOP-40 SOP-48 before a message of the person: its text comes back, the model sees what was before it", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  for (const text of ["one", "two", "three"]) await booted.prompt(text);
  const moved = await move(booted, "two");
  expect(moved).toEqual({ cancelled: false, isHere: false, editorText: "two" });
  expect(booted.engine.snapshot().session).toMatchObject({
    leafId: await entryOf(booted, "re: one"),
    messages: [{ role: "user" }, { role: "assistant" }],
  });
  await booted.prompt("other");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "other"]);
  expect((await move(booted, "one")).editorText).toBe("one");
  expect(booted.engine.snapshot().session.messages).toEqual([]);
  await booted.prompt("anew");
  expect(lastSaid(set)).toEqual(["anew"]);
  // Nothing of the other branches is lost, and every entry names its parent.
  const entries = await entriesIn(fileOf(booted));
  const texts = JSON.stringify(entries);
  for (const text of ["two", "three", "other", "anew"]) expect(texts).toContain(`"re: ${text}"`);
  expect(await branchInFile(booted)).toEqual(talkOf("anew"));
});

test("SOP-42 SOP-48 to any other entry: it is the leaf, and the editor is left alone", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  for (const text of ["one", "two", "three"]) await booted.prompt(text);
  const target = await entryOf(booted, "re: two");
  const moved = await move(booted, "re: two");
  expect(moved).toEqual({ cancelled: false, isHere: false });
  expect(booted.engine.snapshot().session.leafId).toBe(target);
  await booted.prompt("other");
  expect(lastSaid(set)).toEqual([...talkOf("one", "two"), "other"]);
  // And back to the branch that was left.
  await move(booted, "re: three");
  await booted.prompt("on");
  expect(lastSaid(set)).toEqual([...talkOf("one", "two", "three"), "on"]);
});

test("a message of an extension is gone back before, like one of the person", async () => {
  await using set = await echoStage();
  let path: string;
  {
    await using first = await set.boot();
    await first.prompt("one");
    path = fileOf(first);
  }
  const leaf = (await entriesIn(path)).at(-1)!.id;
  const entry = {
    type: "custom_message",
    id: "c0ffee01",
    parentId: leaf,
    timestamp: "2027-01-01T00:00:00.000Z",
    customType: "note",
    content: [{ type: "text", text: "from outside" }],
    display: true,
  };
  await writeFile(path, `${JSON.stringify(entry)}\n`, { flag: "a" });
  await using booted = await set.boot({ session: { kind: "continue" } });
  await booted.prompt("two");
  const moved = await booted.engine.dispatch({ type: "move_leaf", entryId: "c0ffee01" });
  expect(moved).toMatchObject({ editorText: "from outside" });
  expect(booted.engine.snapshot().session.leafId).toBe(leaf!);
});

test("SOP-43 at the leaf already: nothing is done and nobody hears of it", async () => {
  await using set = await echoStage();
  const asked: unknown[] = [];
  await using booted = await set.boot({ hooks: [{ beforeTree: async (e) => void asked.push(e) }] });
  await booted.prompt("one");
  const before = await hashOf(fileOf(booted));
  const entryId = booted.engine.snapshot().session.leafId!;
  const moved = await booted.engine.dispatch({ type: "move_leaf", entryId, summarizes: true });
  expect(moved).toEqual({ cancelled: false, isHere: true });
  expect((await booted.prompt(`/tree ${entryId}`)).text).toBe("Already at this point");
  expect(await hashOf(fileOf(booted))).toBe(before);
  expect(asked).toEqual([]);
  expect(told(booted)).toEqual(["agent_start", "agent_end"]);
});

test("SOP-44 COMP-02 COMP-52 COMP-53 hooks are asked before: the first to cancel ends it, a given summary spares the model", async () => {
  await using set = await echoStage();
  const asked: string[] = [];
  let answer: Awaited<ReturnType<NonNullable<SessionHooks["beforeTree"]>>>;
  const first: SessionHooks = {
    async beforeTree({ targetId, oldLeafId, abandoned, wantsSummary }) {
      asked.push(`first ${targetId} ${oldLeafId} ${abandoned.length} ${wantsSummary}`);
      return answer;
    },
  };
  const second: SessionHooks = { beforeTree: async () => void asked.push("second") };
  await using booted = await set.boot({ hooks: [first, second] });
  await booted.prompt("one");
  await booted.prompt("two");
  const before = await hashOf(fileOf(booted));
  const { leafId } = booted.engine.snapshot().session;
  const target = await entryOf(booted, "re: one");

  answer = { cancel: true };
  expect(await move(booted, "re: one", true)).toEqual({ cancelled: true, isHere: false });
  expect(asked).toEqual([`first ${target} ${leafId} 2 true`]);
  expect(booted.engine.snapshot().session.leafId).toBe(leafId);
  expect(await hashOf(fileOf(booted))).toBe(before);
  expect(told(booted)).not.toContain("session_tree");

  answer = { summary: { summary: "given words", details: { by: "hook" } } };
  // Not asked for, so not used.
  expect(await move(booted, "re: one")).not.toHaveProperty("summaryEntryId");
  await move(booted, "re: two");
  const { summaryEntryId } = await move(booted, "re: one", true);
  expect(asked.filter((who) => who === "second")).toHaveLength(3);
  expect(set.model.requests).toHaveLength(2);
  const entry = (await entriesIn(fileOf(booted))).at(-1)!;
  expect(entry).toMatchObject({
    id: summaryEntryId,
    type: "branch_summary",
    parentId: target,
    fromId: target,
    summary: "given words",
    details: { by: "hook" },
    fromExtension: true,
  });
  expect(booted.events.at(-1)).toEqual({
    type: "session_tree",
    newLeafId: summaryEntryId!,
    oldLeafId: leafId,
    summaryEntryId: summaryEntryId!,
  });
});

test("SOP-45 SOP-48 COMP-41 COMP-42 a summary of just what is left stands at the target and is sent from then on", async () => {
  await using set = await stage([echo, echo, echo, turn(say("they tried two and three")), echo]);
  await using booted = await set.boot();
  for (const text of ["one", "two", "three"]) await booted.prompt(text);
  const { summaryEntryId } = await move(booted, "re: one", true);
  const [told] = said(set.model.requests[3]!);
  for (const text of talkOf("two", "three")) expect(told).toContain(text);
  expect(told).not.toContain("re: one");
  expect(set.model.requests[3]!.body).not.toHaveProperty("tools");
  expect((await entriesIn(fileOf(booted))).at(-1)).toMatchObject({
    id: summaryEntryId,
    type: "branch_summary",
    parentId: await entryOf(booted, "re: one"),
    summary: "they tried two and three",
  });
  await booted.prompt("four");
  const sent = lastSaid(set);
  expect(sent.join()).toContain("they tried two and three");
  expect(sent.join()).not.toContain("re: two");
  expect(sent.at(-1)).toEndWith("four");
});

test("COMP-44 the person's own words take the place of the instructions", async () => {
  await using set = await stage([echo, echo, turn(say("s"))]);
  await using booted = await set.boot();
  await booted.prompt("one");
  await booted.prompt("two");
  await booted.engine.dispatch({
    type: "move_leaf",
    entryId: await entryOf(booted, "re: one"),
    summarizes: true,
    instructions: "Only the file names.",
  });
  const [told] = said(set.model.requests[2]!);
  expect(told).toEndWith("</conversation>\n\nOnly the file names.");
});

test("SOP-46 nothing was left behind: the leaf moves and no summary is made", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await booted.prompt("one");
  await booted.prompt("two");
  await move(booted, "re: one");
  const before = await hashOf(fileOf(booted));
  expect(await move(booted, "re: two", true)).toEqual({ cancelled: false, isHere: false });
  expect(booted.engine.snapshot().session.leafId).toBe(await entryOf(booted, "re: two"));
  expect(await hashOf(fileOf(booted))).toBe(before);
  expect(set.model.requests).toHaveLength(2);
});

test("SOP-47 an aborted summary leaves leaf, file and conversation as they were", async () => {
  await using set = await stage([echo, echo, turn(say("late")).with({ delayMs: 60_000 }), echo]);
  await using booted = await set.boot();
  await booted.prompt("one");
  await booted.prompt("two");
  const before = await hashOf(fileOf(booted));
  const { session } = booted.engine.snapshot();
  const moving = move(booted, "re: one", true);
  await set.model.waitForRequest(3);
  await booted.engine.dispatch({ type: "abort_summary" });
  expect(await moving).toEqual({ cancelled: true, isHere: false });
  await set.model.waitForClosedByClient(1);
  expect(booted.engine.snapshot().session).toEqual(session);
  expect(await hashOf(fileOf(booted))).toBe(before);
  expect(told(booted)).not.toContain("session_tree");
  await booted.prompt("three");
  expect(lastSaid(set)).toEqual([...talkOf("one", "two"), "three"]);
});

test("a summary that fails moves nothing and says why", async () => {
  await using set = await stage([echo, echo]);
  await using booted = await set.boot();
  await booted.prompt("one");
  await booted.prompt("two");
  const { session } = booted.engine.snapshot();
  await expect(move(booted, "re: one", true)).rejects.toMatchObject({
    kind: "session",
    message: expect.stringMatching(/could not be summarized.*Nothing moved\.$/s),
  });
  expect(booted.engine.snapshot().session).toEqual(session);
});

test("SET-205 COMP-46 COMP-47 the window less the reserve bounds what is summarized, newest first", async () => {
  const { facts } = await import("./shelf.ts");
  const { house } = await import("./stage.ts");
  const long = (name: string) => `${name} ${"x".repeat(2000)}`;
  const sum = async (config: string) => {
    await using set = await stage([
      ...Array.from({ length: 7 }, () => turn(say("ok"))),
      turn(say("sum")),
    ]);
    await using booted = await set.boot({
      model: { model: "house/small" },
      extraProviders: [house(facts("small", { contextWindow: 20_000 }))],
      config,
    });
    await booted.prompt("start");
    for (const name of ["a", "b", "c", "d", "e", "f"]) await booted.prompt(long(name));
    const entries = await booted.engine.dispatch({ type: "session_entries" });
    const first = entries.find(({ type }) => type === "message")!;
    const rest = entries.filter(({ type }) => type === "message")[1]!;
    expect(rest.parentId).toBe(first.id);
    await booted.engine.dispatch({ type: "move_leaf", entryId: rest.id, summarizes: true });
    const { messages } = set.model.requests.at(-1)!.body as { messages: { content: unknown }[] };
    const text = JSON.stringify(messages.at(-1));
    return ["a", "b", "c", "d", "e", "f"].filter((name) => text.includes(long(name)));
  };
  const still = "compaction: { enabled: false }\n";
  expect(await sum(still)).toEqual(["b", "c", "d", "e", "f"]);
  expect(await sum(`${still}branchSummary: { reserveTokens: 18000 }\n`)).toEqual(["e", "f"]);
});

test("a move during a run is refused, and so is one to an entry that is not there", async () => {
  await using set = await stage([echo, turn(say("slow")).with({ delayMs: 60_000 })]);
  await using booted = await set.boot();
  await booted.prompt("one");
  const running = booted.prompt("two");
  await set.model.waitForRequest(2);
  await expect(move(booted, "one")).rejects.toMatchObject({ kind: "busy" });
  await booted.engine.dispatch({ type: "abort" });
  await running;
  await expect(
    booted.engine.dispatch({ type: "move_leaf", entryId: "nowhere" }),
  ).rejects.toMatchObject({ kind: "bad-input" });
});

test("SOP-51 labels are entries: set, changed, taken away; the last one counts", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await booted.prompt("one");
  const entryId = await entryOf(booted, "one");
  const seen: (string | undefined)[] = [];
  for (const label of ["first", "second", ""]) {
    await booted.engine.dispatch({ type: "set_label", entryId, label });
    seen.push(await labelOf(booted, entryId));
  }
  expect(seen).toEqual(["first", "second", undefined]);
  const labels = (await entriesIn(fileOf(booted))).filter(({ type }) => type === "label");
  expect(labels.map(({ targetId, label }) => [targetId, label || undefined])).toEqual([
    [entryId, "first"],
    [entryId, "second"],
    [entryId, undefined],
  ]);
  await booted.prompt("two");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "two"]);
  await expect(
    booted.engine.dispatch({ type: "set_label", entryId: "nowhere", label: "x" }),
  ).rejects.toMatchObject({ kind: "bad-input" });
});

test("SOP-52 entries without their parent are roots of their own and can be gone to", async () => {
  await using set = await echoStage();
  let path: string;
  {
    await using first = await set.boot();
    await first.prompt("one");
    await first.prompt("two");
    path = fileOf(first);
  }
  const { readFile } = await import("node:fs/promises");
  const lines = (await readFile(path, "utf8")).split("\n");
  const kept = lines.filter((line) => !line.includes('"re: one"'));
  expect(kept).toHaveLength(lines.length - 1);
  await writeFile(path, kept.join("\n"));
  await using booted = await set.boot({ session: { kind: "continue" } });
  const { roots } = await booted.engine.dispatch({ type: "session_tree" });
  const texts = roots.map((root) => JSON.stringify(root));
  expect(texts.some((text) => text.includes('"one"'))).toBe(true);
  expect(texts.some((text) => text.includes('"re: two"'))).toBe(true);
  await move(booted, "one");
  await move(booted, "re: two");
  await booted.prompt("three");
  expect(lastSaid(set)).toEqual([...talkOf("two"), "three"]);
});

async function move(booted: BootedEngine, text: string, summarizes = false) {
  const entryId = await entryOf(booted, text);
  return booted.engine.dispatch({ type: "move_leaf", entryId, summarizes });
}

async function labelOf({ engine }: BootedEngine, entryId: string) {
  const { roots } = await engine.dispatch({ type: "session_tree" });
  const all = roots.slice();
  for (const node of all) all.push(...node.children);
  return all.find(({ entry }) => entry.id === entryId)?.label;
}

/** The texts from the last entry of the file up to its root. */
async function branchInFile(booted: BootedEngine): Promise<readonly string[]> {
  const entries = await entriesIn(fileOf(booted));
  const texts: string[] = [];
  for (let at = entries.at(-1); at; at = entries.find(({ id }) => id === at!["parentId"])) {
    const message = at["message"] as { content: string | { text?: string }[] } | undefined;
    if (!message) continue;
    const { content } = message;
    texts.unshift(typeof content === "string" ? content : (content[0]?.text ?? ""));
  }
  return texts;
}
