/** Other sessions take over: new, resumed, and what happens when that fails or is cancelled. */

import { callTool, say, turn, type RecordedRequest } from "@omp/testkit";
import { expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
import { vendor } from "./shelf.ts";
import { house, stage, type BootedEngine } from "./stage.ts";

test("SOP-01 what only looks leaves the file as it is", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  await booted.prompt("one");
  const before = await hashOf(fileOf(booted));
  const { engine } = booted;
  await engine.dispatch({ type: "session_tree" });
  await engine.dispatch({ type: "session_entries" });
  await engine.dispatch({ type: "session_stats" });
  await engine.dispatch({ type: "branch_points" });
  await engine.dispatch({ type: "list_sessions", scope: "folder" });
  await engine.dispatch({ type: "list_sessions", scope: "all" });
  for (const type of ["export_html", "export_markdown", "export_json"] as const)
    await engine.dispatch({ type, path: `out.${type}` });
  expect(await engine.dispatch({ type: "dump_text" })).toContain("re: one");
  // Nobody is there to agree, so it goes nowhere.
  await engine.dispatch({ type: "share_session" }).catch((error) => expect(error).toBeDefined());
  engine.snapshot();
  expect(await hashOf(fileOf(booted))).toBe(before);
  expect(await files(set)).toHaveLength(1);
});

test("SOP-02 the tree stays in its file, branch and fork make new ones, resume opens another", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  const { engine } = booted;
  await booted.prompt("one");
  await booted.prompt("two");
  const first = fileOf(booted);
  await engine.dispatch({ type: "move_leaf", entryId: await entryOf(booted, "re: one") });
  expect([fileOf(booted), (await files(set)).length]).toEqual([first, 1]);
  await engine.dispatch({ type: "branch_session", entryId: await entryOf(booted, "two") });
  const branched = fileOf(booted);
  expect(branched).not.toBe(first);
  expect(await files(set)).toHaveLength(2);
  await engine.dispatch({ type: "fork_session" });
  expect([first, branched]).not.toContain(fileOf(booted));
  expect(await files(set)).toHaveLength(3);
  await engine.dispatch({ type: "switch_session", path: first });
  expect([fileOf(booted), (await files(set)).length]).toEqual([first, 3]);
});

test("SOP-37 a new session is empty, says where it came from, and has no file before its first prompt", async () => {
  await using set = await echoStage();
  const asked: unknown[] = [];
  await using booted = await set.boot({
    hooks: [{ beforeSwitch: async (e) => void asked.push(e) }],
  });
  await booted.prompt("one");
  const first = fileOf(booted);
  const { id } = booted.engine.snapshot().session.header;
  const result = await booted.engine.dispatch({ type: "new_session", parentSession: id });
  expect(result).toEqual({ cancelled: false });
  const { session } = booted.engine.snapshot();
  expect(session).toMatchObject({ messages: [], leafId: null, header: { parentSession: id } });
  expect(session.header.id).not.toBe(id);
  expect(await files(set)).toEqual([first]);
  expect(asked).toEqual([{ reason: "new" }]);
  expect(booted.events.at(-1)).toEqual({
    type: "session_switch",
    reason: "new",
    previousSessionFile: first,
  });
  await booted.prompt("two");
  expect(lastSaid(set)).toEqual(["two"]);
  expect(await headerIn(fileOf(booted))).toMatchObject({ parentSession: id });
});

test("SESS-63 SOP-35 SOP-36 SOP-37 the order of a switch, with a run in progress", async () => {
  await using set = await stage([echo, echo, turn(say("slow")).with({ delayMs: 60_000 }), echo]);
  const order: string[] = [];
  const hooks: SessionHooks[] = [
    { beforeSwitch: async (event) => void order.push(`before ${JSON.stringify(event)}`) },
  ];
  const extraProviders = [house("a", "b")];
  await using booted = await set.boot({ hooks, extraProviders, model: { model: "house/a:low" } });
  const { engine } = booted;
  await booted.prompt("one");
  const first = fileOf(booted);
  await engine.dispatch({ type: "new_session" });
  await engine.dispatch({ type: "set_model", provider: "house", modelId: "b" });
  await engine.dispatch({ type: "set_thinking_level", level: "high" });
  await booted.prompt("two");
  const second = fileOf(booted);
  order.length = 0;
  engine.subscribe(({ type }) => {
    if (["agent_end", "session_switch", "model_change"].includes(type)) order.push(type);
    if (type !== "session_switch") return;
    const { session, model, thinkingLevel } = engine.snapshot();
    const { length } = session.messages;
    order.push(`at ${session.file} with ${length} on ${model.id}:${thinkingLevel}`);
  });
  const running = booted.prompt("three");
  await set.model.waitForRequest(3);
  await engine.dispatch({ type: "follow_up", text: "never said" });
  const before = await files(set);
  expect(await engine.dispatch({ type: "switch_session", path: first })).toEqual({
    cancelled: false,
  });
  expect(order).toEqual([
    `before ${JSON.stringify({ reason: "resume", targetSessionFile: first })}`,
    "agent_end",
    "session_switch",
    `at ${first} with 2 on a:low`,
    "model_change",
  ]);
  expect(booted.events.filter(({ type }) => type === "session_switch").at(-1)).toEqual({
    type: "session_switch",
    reason: "resume",
    previousSessionFile: second,
  });
  expect((await running).stopReason).toBe("aborted");
  expect(engine.snapshot().queue).toEqual({ steering: [], followUp: [] });
  expect(await files(set)).toEqual(before);
  // What was said in the old session up to the end is in its file.
  expect(JSON.stringify(await entriesIn(second))).toContain('"three"');
  await booted.prompt("four");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "four"]);
  expect(set.model.requests.at(-1)!.body).toMatchObject({ model: "a" });
});

test("SESS-63 SOP-25 SOP-37 the first hook to cancel ends it; the old session goes on, its run too", async () => {
  await using set = await stage([
    echo,
    echo,
    turn(say("slow answer")).with({ delayMs: 300 }),
    echo,
  ]);
  const asked: string[] = [];
  let cancels = false;
  const hooks: SessionHooks[] = [
    { beforeSwitch: async ({ reason }) => (asked.push(`first ${reason}`), { cancel: cancels }) },
    { beforeSwitch: async ({ reason }) => void asked.push(`second ${reason}`) },
  ];
  await using booted = await set.boot({ hooks });
  const { engine } = booted;
  await booted.prompt("one");
  const first = fileOf(booted);
  await engine.dispatch({ type: "new_session" });
  await booted.prompt("two");
  cancels = true;
  asked.length = 0;
  const { session } = engine.snapshot();
  const running = booted.prompt("three");
  await set.model.waitForRequest(3);
  expect(await engine.dispatch({ type: "switch_session", path: first })).toEqual({
    cancelled: true,
  });
  expect(await engine.dispatch({ type: "new_session" })).toEqual({ cancelled: true });
  expect((await running).text).toBe("slow answer");
  expect(await engine.dispatch({ type: "fork_session" })).toEqual({ cancelled: true });
  expect(asked).toEqual(["first resume", "first new", "first fork"]);
  await expect(booted.prompt("/fork")).rejects.toMatchObject({
    message: "Fork failed (session not persisted or cancelled)",
  });
  expect(engine.snapshot().session.file).toBe(session.file!);
  expect(told(booted).filter((type) => type === "session_switch")).toHaveLength(1);
  expect(await files(set)).toHaveLength(2);
  await booted.prompt("four");
  expect(lastSaid(set)).toEqual([...talkOf("two"), "three", "slow answer", "four"]);
});

test("SESS-63 SOP-36 a target that cannot be opened costs nothing: not there, not a session, not readable", async () => {
  await using set = await stage([turn(say("slow answer")).with({ delayMs: 300 }), echo]);
  await using booted = await set.boot();
  const { engine } = booted;
  const missing = join(set.place.path, "missing.jsonl");
  const text = await set.place.write("text.jsonl", "not a session\n");
  const empty = await set.place.write("empty.jsonl", "");
  const folder = join(set.place.path, "folder.jsonl");
  await mkdir(folder);
  const running = booted.prompt("one");
  await set.model.waitForRequest(1);
  for (const path of [missing, text, empty, folder]) {
    await expect(engine.dispatch({ type: "switch_session", path })).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringContaining(path),
    });
  }
  expect((await running).text).toBe("slow answer");
  expect(set.place.exists("missing.jsonl")).toBe(false);
  expect(await set.place.read("text.jsonl")).toBe("not a session\n");
  expect(await set.place.read("empty.jsonl")).toBe("");
  await booted.prompt("two");
  expect(lastSaid(set)).toEqual(["one", "slow answer", "two"]);
});

test("two sessions in turn, fifty times: each gets what was said in it and nothing is lost", async () => {
  await using set = await echoStage(120);
  await using booted = await set.boot();
  const { engine } = booted;
  await booted.prompt("a0");
  const a = fileOf(booted);
  await engine.dispatch({ type: "new_session" });
  await booted.prompt("b0");
  const b = fileOf(booted);
  for (let round = 1; round <= 25; round++) {
    for (const [path, name] of [
      [a, "a"],
      [b, "b"],
    ] as const) {
      await engine.dispatch({ type: "switch_session", path });
      await booted.prompt(`${name}${round}`);
      const prompts = Array.from({ length: round }, (_, index) => `${name}${index}`);
      expect(lastSaid(set)).toEqual([...talkOf(...prompts), `${name}${round}`]);
    }
  }
  for (const [path, name] of [
    [a, "a"],
    [b, "b"],
  ] as const) {
    const messages = (await entriesIn(path)).filter(({ type }) => type === "message");
    expect(messages).toHaveLength(52);
    const other = name === "a" ? "b" : "a";
    expect(JSON.stringify(messages)).not.toContain(`"${other}1"`);
  }
  expect(await files(set)).toHaveLength(2);
});

test("changes that are asked for at once are made one after the other", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  const { engine } = booted;
  await booted.prompt("one");
  const first = fileOf(booted);
  await engine.dispatch({ type: "new_session" });
  await booted.prompt("two");
  await Promise.all([
    engine.dispatch({ type: "switch_session", path: first }),
    engine.dispatch({ type: "fork_session" }),
    engine.dispatch({ type: "new_session" }),
    engine.dispatch({ type: "switch_session", path: first }),
  ]);
  expect(fileOf(booted)).toBe(first);
  await booted.prompt("three");
  expect(lastSaid(set)).toEqual([...talkOf("one"), "three"]);
  expect(await files(set)).toHaveLength(3);
});

test("SOP-39 a model that is not there any more: another one answers, and both are named", async () => {
  await using set = await echoStage();
  let path: string;
  {
    await using first = await set.boot({
      extraProviders: [vendor("gone", ["zeta-9"], { baseUrlEnv: "HOUSE_URL" })],
      env: { GONE_KEY: "test-gone-key-0001" },
      model: { model: "gone/zeta-9" },
    });
    await first.prompt("one");
    path = fileOf(first);
  }
  await using booted = await set.boot({
    extraProviders: [house("kept")],
    model: { model: "house/kept" },
  });
  await booted.engine.dispatch({ type: "switch_session", path });
  const notices = [...set.notices, ...booted.events.filter(({ type }) => type === "notice")];
  const texts = JSON.stringify(notices);
  expect(texts).toContain("gone/zeta-9");
  expect(texts).toContain("house/kept");
  await booted.prompt("two");
  expect(set.model.requests.at(-1)!.body).toMatchObject({ model: "kept" });
  expect(lastSaid(set)).toEqual([...talkOf("one"), "two"]);
});

test("SESS-68 a name is the person's: no automatic one takes its place, an empty one is refused", async () => {
  const title = turn(callTool("set_title", { title: "Automatic words" }));
  const answer = (request: RecordedRequest) =>
    JSON.stringify(request.body).includes("set_title") ? title : echo(request);
  const prompted = async (name?: string) => {
    await using set = await stage([answer, answer]);
    const booted = await set.boot({ givesTitles: true });
    if (name !== undefined) await booted.engine.dispatch({ type: "rename_session", title: name });
    await booted.prompt("please fix the login");
    if (name === undefined) await set.model.waitForRequest(2);
    await Promise.all(set.model.requests.map(({ ended }) => ended));
    await until(() => name !== undefined || told(booted).includes("session_title"));
    const path = fileOf(booted);
    await booted[Symbol.asyncDispose]();
    await using again = await set.boot({ session: { kind: "continue" } });
    expect(fileOf(again)).toBe(path);
    const [listed] = await again.engine.dispatch({ type: "list_sessions", scope: "folder" });
    const { title: stored, titleSource } = again.engine.snapshot().session.header;
    return { events: booted.events, stored, titleSource, listed: listed!.title };
  };
  expect(await prompted()).toMatchObject({ stored: "Automatic words", titleSource: "auto" });
  const mine = await prompted("  My\n work ");
  expect(mine).toMatchObject({ stored: "My work", titleSource: "user", listed: "My work" });
  expect(mine.events.filter(({ type }) => type === "session_title")).toEqual([
    { type: "session_title", title: "My work" },
  ]);
  await using set = await echoStage();
  await using booted = await set.boot();
  await expect(
    booted.engine.dispatch({ type: "rename_session", title: " \n" }),
  ).rejects.toMatchObject({ message: "Session name cannot be empty" });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(2);
}

test("a terminal goes on with the session it switched to, and with none after a new one", async () => {
  await using set = await echoStage();
  const env = { TMUX_PANE: "%7" };
  let first: string;
  {
    await using booted = await set.boot({ env });
    await booted.prompt("one");
    first = fileOf(booted);
    await booted.engine.dispatch({ type: "new_session" });
    await booted.prompt("two");
    await booted.engine.dispatch({ type: "switch_session", path: first });
  }
  {
    await using booted = await set.boot({ env, session: { kind: "continue" } });
    expect(fileOf(booted)).toBe(first);
    await booted.engine.dispatch({ type: "new_session" });
  }
  await using booted = await set.boot({ env, session: { kind: "continue" } });
  expect(booted.engine.snapshot().session.messages).toEqual([]);
  expect(await files(set)).not.toContain(fileOf(booted));
});

test("figures are those of the file, all branches together", async () => {
  await using set = await stage([
    turn(say("re: one")).with({ usage: { input: 10, output: 5, cacheRead: 2, cacheWrite: 1 } }),
    turn(say("re: two")).with({ usage: { input: 20, output: 7, cacheRead: 0, cacheWrite: 0 } }),
    turn(say("re: three")).with({ usage: { input: 30, output: 9, cacheRead: 0, cacheWrite: 0 } }),
  ]);
  await using booted = await set.boot();
  await booted.prompt("one");
  await booted.prompt("two");
  await booted.engine.dispatch({ type: "move_leaf", entryId: await entryOf(booted, "two") });
  await booted.prompt("three");
  const stats = await booted.engine.dispatch({ type: "session_stats" });
  const messages = (await entriesIn(fileOf(booted))).flatMap(({ message }) =>
    message ? [message as { usage?: { input: number; cost: { total: number } } }] : [],
  );
  expect(stats).toEqual({
    sessionFile: fileOf(booted),
    sessionId: booted.engine.snapshot().session.header.id,
    userMessages: 3,
    assistantMessages: 3,
    toolCalls: 0,
    toolResults: 0,
    totalMessages: 6,
    tokens: { input: 60, output: 21, cacheRead: 2, cacheWrite: 1, total: 84 },
    cost: messages.reduce((sum, { usage }) => sum + (usage?.cost.total ?? 0), 0),
  });
  expect(stats.cost).toBeGreaterThan(0);
});

test("the list of the folder has this folder's sessions, that of all has all", async () => {
  await using set = await echoStage();
  const other = join(set.place.path, "other");
  await mkdir(other);
  const names = async (booted: BootedEngine, scope: "folder" | "all") =>
    (await booted.engine.dispatch({ type: "list_sessions", scope })).map(({ path }) => path);
  let elsewhere: string;
  {
    await using first = await set.boot({ cwd: other });
    await first.prompt("elsewhere");
    elsewhere = fileOf(first);
  }
  await using booted = await set.boot();
  await booted.prompt("here");
  expect(await names(booted, "folder")).toEqual([fileOf(booted)]);
  expect((await names(booted, "all")).toSorted()).toEqual([fileOf(booted), elsewhere].toSorted());
});

test("a session that is being written elsewhere is resumed as a fork, and that is said", async () => {
  await using set = await echoStage();
  await using owner = await set.boot();
  await owner.prompt("one");
  const path = fileOf(owner);
  await using booted = await set.boot();
  await booted.engine.dispatch({ type: "switch_session", path });
  expect(fileOf(booted)).not.toBe(path);
  expect(JSON.stringify(set.notices)).toContain("fork");
  await Promise.all([owner.prompt("two"), booted.prompt("three")]);
  expect(JSON.stringify(await entriesIn(path))).not.toContain('"three"');
  const copied = JSON.stringify(await entriesIn(fileOf(booted)));
  expect(copied).toContain('"re: one"');
  expect(copied).toContain('"three"');
});

test("a session of a later version is shown, not written; a fork goes on from it", async () => {
  await using set = await echoStage();
  await using booted = await set.boot();
  const path = join(set.place.path, "later.jsonl");
  const header = { type: "session", version: 99, id: "01900000-0000-7000-8000-000000000001" };
  const at = { timestamp: "2026-01-01T00:00:00.000Z" };
  const message = { role: "user", content: "from later", timestamp: 1 };
  const lines = [
    { ...header, ...at, cwd: set.place.path },
    { type: "message", id: "aaaaaaaa", parentId: null, ...at, message },
  ];
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await chmod(path, 0o600);
  const before = await hashOf(path);
  await booted.engine.dispatch({ type: "switch_session", path });
  expect(booted.engine.snapshot().session.messages).toHaveLength(1);
  await expect(booted.prompt("go")).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringMatching(/fork/i),
  });
  expect(told(booted)).not.toContain("agent_start");
  expect(await hashOf(path)).toBe(before);
});
