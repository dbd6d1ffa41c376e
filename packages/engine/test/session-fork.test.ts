/** Copies of sessions: the whole of one, or what came before a message. */

import { callTool, say, turn } from "@omp/testkit";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SessionHooks } from "../src/protocol/index.ts";
import {
  echo,
  echoStage,
  entriesIn,
  entryOf,
  fileOf,
  files,
  hashOf,
  headerIn,
  lastSaid,
  talkOf,
  told,
} from "./session-stage.ts";
import { png } from "./pictures.ts";
import { sent, stage, type Stage } from "./stage.ts";

test("SESS-65 SOP-22 SOP-24 STOR-39 a fork has the same entries under a new id, and takes over", async () => {
  await using set = await echoStage();
  const asked: unknown[] = [];
  await using booted = await set.boot({
    hooks: [{ beforeSwitch: async (e) => void asked.push(e) }],
  });
  await booted.prompt("one");
  const original = fileOf(booted);
  const before = await hashOf(original);
  const old = await headerIn(original);
  expect(await booted.engine.dispatch({ type: "fork_session" })).toEqual({ cancelled: false });
  const copy = fileOf(booted);
  expect(asked).toEqual([{ reason: "fork" }]);
  expect(booted.events.at(-1)).toEqual({
    type: "session_switch",
    reason: "fork",
    previousSessionFile: original,
  });
  const { id, timestamp, parentSession, ...rest } = await headerIn(copy);
  expect(parentSession).toBe(old.id!);
  expect(id).not.toBe(old.id!);
  expect(timestamp).not.toBe(old["timestamp"]);
  const { id: _id, timestamp: _timestamp, ...oldRest } = old;
  expect(rest as object).toEqual(oldRest);
  expect(await linesAfterHeader(copy)).toEqual(await linesAfterHeader(original));
  await booted.prompt("two");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "two"]);
  expect(await hashOf(original)).toBe(before);
  expect(JSON.stringify(await entriesIn(copy))).toContain('"two"');
});

test("a fork stands where the person stands, not at the end of the file", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await booted.prompt("one");
  await booted.prompt("two");
  await booted.engine.dispatch({ type: "move_leaf", entryId: await entryOf(booted, "re: one") });
  await booted.engine.dispatch({ type: "fork_session" });
  await booted.prompt("three");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "three"]);
});

test("SESS-65 a fork during a run is refused, and the run goes on", async () => {
  await using set = await stage([turn(say("slow answer")).with({ delayMs: 300 })]);
  await using booted = await set.boot();
  const running = booted.prompt("one");
  await set.model.waitForRequest(1);
  await expect(booted.engine.dispatch({ type: "fork_session" })).rejects.toMatchObject({
    kind: "busy",
  });
  expect((await running).text).toBe("slow answer");
  expect(await files(set)).toHaveLength(1);
});

test("SOP-23 STOR-39 STOR-40 artifacts go along and can be read; blobs stay; numbers go on after the highest", async () => {
  await using set = await stage([
    echo,
    turn(callTool("read", { path: "artifact://2" })),
    turn(callTool("bash", { command: "seq 1 200000" })),
    turn(say("done")),
  ]);
  await using booted = await set.boot();
  await booted.prompt("one", [await set.place.write("noise.png", await png(40, 40))]);
  const blobs = await readdir(join(set.place.home, ".omp/agent/blobs"));
  expect(blobs).toHaveLength(1);
  await makeArtifacts(fileOf(booted), [0, 1, 2, 3]);
  await booted.engine.dispatch({ type: "fork_session" });
  const copied = artifactFolder(fileOf(booted));
  expect((await readdir(copied)).toSorted()).toEqual(names(0, 1, 2, 3));
  await booted.prompt("look");
  expect(sent(set.model, 2)).toContain("out 2");
  expect((await readdir(copied)).toSorted()).toEqual(names(0, 1, 2, 3, 4));
  expect(await readdir(join(set.place.home, ".omp/agent/blobs"))).toEqual(blobs);
});

test("STOR-39 without artifacts a fork has none", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await booted.prompt("one");
  expect(await booted.engine.dispatch({ type: "fork_session" })).toEqual({ cancelled: false });
  expect(existsSync(artifactFolder(fileOf(booted)))).toBe(false);
  expect(await logText(set)).not.toContain("artifacts-not-copied");
});

test("STOR-39 STOR-40 artifacts that cannot be copied do not stop the fork; numbers start anew", async () => {
  await using set = await stage([
    echo,
    turn(callTool("bash", { command: "seq 1 200000" })),
    turn(say("done")),
  ]);
  await using booted = await set.boot();
  await booted.prompt("one");
  const folder = await makeArtifacts(fileOf(booted), [7]);
  // A pipe cannot be copied, whoever asks.
  await Bun.$`mkfifo ${join(folder, "pipe")}`.quiet();
  expect(await booted.engine.dispatch({ type: "fork_session" })).toEqual({ cancelled: false });
  expect(await logText(set)).toContain("artifacts-not-copied");
  await booted.prompt("long output");
  expect(await readdir(artifactFolder(fileOf(booted)))).toEqual(names(0));
});

function artifactFolder(sessionFile: string): string {
  return sessionFile.replace(/\.jsonl$/, "");
}

function names(...numbers: readonly number[]): string[] {
  return numbers.map((number) => `${number}.bash.log`);
}

async function makeArtifacts(sessionFile: string, numbers: readonly number[]): Promise<string> {
  const folder = artifactFolder(sessionFile);
  await mkdir(folder, { mode: 0o700 });
  for (const number of numbers) await writeFile(join(folder, ...names(number)), `out ${number}`);
  return folder;
}

async function logText({ place }: Stage): Promise<string> {
  const folder = join(place.home, ".omp/logs");
  const logs = existsSync(folder) ? await readdir(folder) : [];
  return (await Promise.all(logs.map((name) => readFile(join(folder, name), "utf8")))).join("");
}

test("SESS-54 SOP-25 SOP-53 a session in memory cannot be forked; nothing touches the disk", async () => {
  await using set = await echoStage();
  await using booted = await set.boot({ session: { kind: "in-memory" } });
  const { engine } = booted;
  await booted.prompt("one");
  await booted.prompt("two");
  await expect(engine.dispatch({ type: "fork_session" })).rejects.toMatchObject({
    message: "Fork failed (session not persisted or cancelled)",
  });
  for (const type of ["export_html", "share_session"] as const) {
    await expect(engine.dispatch({ type })).rejects.toMatchObject({
      message: "Cannot export in-memory session to HTML",
    });
  }
  expect(await engine.dispatch({ type: "dump_text" })).toContain("re: one");
  expect(engine.snapshot().session).not.toHaveProperty("file");
  expect(await engine.dispatch({ type: "session_stats" })).not.toHaveProperty("sessionFile");
  // The rest works without a file.
  await engine.dispatch({ type: "rename_session", title: "kept in mind" });
  await engine.dispatch({ type: "move_leaf", entryId: await entryOf(booted, "re: one") });
  await booted.prompt("three");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "three"]);
  await engine.dispatch({ type: "branch_session", entryId: await entryOf(booted, "three") });
  await booted.prompt("four");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "four"]);
  await engine.dispatch({ type: "new_session" });
  await booted.prompt("five");
  expect(lastSaid(set)).toEqual(["five"]);
  expect(await files(set)).toEqual([]);
});

test("SOP-25 a session that was never written cannot be forked", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await expect(booted.engine.dispatch({ type: "fork_session" })).rejects.toMatchObject({
    message: "Fork failed (session not persisted or cancelled)",
  });
});

test("SESS-66 SOP-50 a branch has what came before the message, with the labels in it", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  const { engine } = booted;
  for (const text of ["one", "two", "three"]) await booted.prompt(text);
  await engine.dispatch({
    type: "set_label",
    entryId: await entryOf(booted, "one"),
    label: "kept",
  });
  await engine.dispatch({
    type: "set_label",
    entryId: await entryOf(booted, "three"),
    label: "left",
  });
  expect((await engine.dispatch({ type: "branch_points" })).map(({ text }) => text)).toEqual([
    "one",
    "two",
    "three",
  ]);
  const original = fileOf(booted);
  const before = await hashOf(original);
  const entryId = await entryOf(booted, "two");
  const oldId = (await headerIn(original)).id!;
  const result = await engine.dispatch({ type: "branch_session", entryId });
  expect(result).toEqual({ cancelled: false, text: "two" });
  expect(booted.events.at(-1)).toEqual({ type: "session_branch", previousSessionFile: original });
  const branched = fileOf(booted);
  expect(await headerIn(branched)).toMatchObject({ parentSession: oldId });
  const entries = await entriesIn(branched);
  const labels = entries.filter(({ type }) => type === "label");
  expect(labels.map(({ label }) => label)).toEqual(["kept"]);
  expect(JSON.stringify(entries)).not.toContain('"two"');
  expect(await hashOf(original)).toBe(before);
  await booted.prompt("other");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "other"]);
});

test("SESS-66 before the first message there is nothing: a new session that says where it came from", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await booted.prompt("one");
  const { id } = booted.engine.snapshot().session.header;
  const entryId = await entryOf(booted, "one");
  expect(await booted.engine.dispatch({ type: "branch_session", entryId })).toEqual({
    cancelled: false,
    text: "one",
  });
  await booted.prompt("anew");
  expect(lastSaid(set)).toEqual(["anew"]);
  expect(await headerIn(fileOf(booted))).toMatchObject({ parentSession: id });
});

test("SOP-50 a hook may cancel a branch, or keep the conversation as it is", async () => {
  await using set = await echoStage();
  let say: Awaited<ReturnType<NonNullable<SessionHooks["beforeBranch"]>>> = { cancel: true };
  await using booted = await set.boot({ hooks: [{ beforeBranch: async () => say }] });
  const { engine } = booted;
  await booted.prompt("one");
  await booted.prompt("two");
  const original = fileOf(booted);
  const entryId = await entryOf(booted, "two");
  expect(await engine.dispatch({ type: "branch_session", entryId })).toMatchObject({
    cancelled: true,
  });
  expect([fileOf(booted), (await files(set)).length]).toEqual([original, 1]);
  expect(told(booted)).not.toContain("session_branch");
  say = { skipConversationRestore: true };
  await engine.dispatch({ type: "branch_session", entryId });
  expect(await files(set)).toHaveLength(2);
  expect(fileOf(booted)).not.toBe(original);
  expect(engine.snapshot().session.messages).toHaveLength(4);
});

test("what is not a message of the person cannot be branched from", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await booted.prompt("one");
  for (const entryId of [await entryOf(booted, "re: one"), "nowhere"]) {
    await expect(booted.engine.dispatch({ type: "branch_session", entryId })).rejects.toMatchObject(
      {
        kind: "bad-input",
      },
    );
  }
  expect(await files(set)).toHaveLength(1);
});

test("a folder that cannot be written to: the fork fails and the old session goes on", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await booted.prompt("one");
  const original = fileOf(booted);
  const folder = dirname(original);
  // A file in place of the folder stops root as well.
  await Bun.$`mv ${folder} ${folder}.away && touch ${folder}`.quiet();
  try {
    await expect(booted.engine.dispatch({ type: "fork_session" })).rejects.toMatchObject({
      name: "UserError",
    });
  } finally {
    await Bun.$`rm ${folder} && mv ${folder}.away ${folder}`.quiet();
  }
  expect(fileOf(booted)).toBe(original);
  await booted.prompt("two");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "two"]);
  expect(JSON.stringify(await entriesIn(original))).toContain('"re: two"');
});

async function linesAfterHeader(path: string): Promise<readonly string[]> {
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.slice(lines.findIndex((line) => line.startsWith('{"type":"session"')) + 1);
}
