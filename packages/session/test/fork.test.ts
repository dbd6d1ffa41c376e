/** Sessions made of others, and sessions that move. */

import { expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { artifactFolder, ArtifactStore, contextOf, SessionLog } from "@omp/session";
import { answered, doors, golden, jsonl, linesOf, said, scratch } from "./scratch.ts";

function copied(folder: string, name = "omp-18.2.3-tui-tree"): string {
  const path = join(folder, "old.jsonl");
  cpSync(golden(name), path);
  return path;
}

const textOf = (path: string) => readFileSync(path, "utf8").split("\n");

test("SESS-65 SOP-22 SESS-15 a fork has its own id and names its parent; every other line is the same", async () => {
  using place = scratch();
  const path = copied(place.folder);
  const target = { cwd: "/home/user/project", folder: join(place.folder, "forks"), ...doors() };
  await using old = await SessionLog.open({ path, ...doors() });
  const added = old.append(said("the last word"));
  await using fork = await SessionLog.fork(old, target);

  const [before, after] = [textOf(path), textOf(fork.path!)];
  expect(after.toSpliced(1, 1)).toEqual(before.toSpliced(1, 1));
  const [oldHeader, header] = [JSON.parse(before[1]!), JSON.parse(after[1]!)];
  const { id, timestamp, parentSession, ...same } = header;
  expect(parentSession).toBe(oldHeader.id);
  expect(id).not.toBe(oldHeader.id);
  expect(timestamp).not.toBe(oldHeader.timestamp);
  expect({ ...same, id: oldHeader.id, timestamp: oldHeader.timestamp }).toEqual(oldHeader);
  expect(fork.path).toContain(id);
  expect((statSync(fork.path!).mode & 0o777).toString(8)).toBe("600");
  expect([fork.title, fork.leafId]).toEqual([old.title!, added.id]);

  // The old session is open and untouched; each goes its own way.
  old.append(said("here"));
  fork.append(said("there"));
  expect(textOf(path).length).toBe(before.length + 1);
  expect(textOf(fork.path!).length).toBe(before.length + 1);
});

test("a fork keeps what we do not understand: unknown fields and types, damaged lines, a torn end", async () => {
  using place = scratch();
  const path = join(place.folder, "odd.jsonl");
  const header = {
    type: "session",
    version: 3,
    id: "s",
    timestamp: "t",
    cwd: "/w",
    unheardOf: [7],
  };
  const time = "2026-01-01T00:00:00.000Z";
  const future = { type: "future", id: "a", parentId: null, timestamp: time, deep: { x: [null] } };
  const body = `${jsonl(future)}garbage\r\n\0\0\n{"type":"mess`;
  writeFileSync(path, jsonl(header) + body);
  const fork = await SessionLog.fork(path, { cwd: "/x", folder: place.folder, ...doors() });
  fork.append(said("after"));
  await fork.close();
  const [first, ...rest] = textOf(fork.path!);
  expect(JSON.parse(first!)).toMatchObject({ unheardOf: [7], cwd: "/x", parentSession: "s" });
  expect(rest.join("\n").startsWith(`${body}\n{"type":"message"`)).toBe(true);
  expect(readFileSync(path, "utf8")).toBe(jsonl(header) + body);
});

test("an older session is forked in today's form, one that was never written from memory", async () => {
  using place = scratch();
  const path = join(place.folder, "v1.jsonl");
  const user = { type: "message", timestamp: "t", message: { role: "user", content: "one" } };
  writeFileSync(
    path,
    jsonl({ type: "session", id: "s", timestamp: "t", cwd: "/w" }, user) + "junk\n",
  );
  const target = { cwd: "/w", folder: place.folder, ...doors() };
  await using fork = await SessionLog.fork(path, target);
  expect(fork.header).toMatchObject({ version: 3, parentSession: "s" });
  expect(textOf(fork.path!)[3]).toBe("junk");
  expect(contextOf(fork.branch()).messages).toMatchObject([{ content: "one" }]);

  const unwritten = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors(3) });
  unwritten.append(said("draft"));
  await using second = await SessionLog.fork(unwritten, { ...target, ...doors(4) });
  expect(linesOf(second.path!)[2]).toEqual({ ...unwritten.entries[0] });
  await using third = await SessionLog.fork(unwritten, { ...target, folder: undefined });
  expect([third.path, third.entries]).toEqual([undefined, unwritten.entries]);
  expect(third.header.parentSession).toBe(unwritten.header.id);
});

test("STOR-39 STOR-40 artifacts come along and their numbers go on; without them the fork succeeds", async () => {
  using place = scratch();
  const path = copied(place.folder);
  const target = { cwd: "/w", folder: join(place.folder, "forks"), ...doors() };
  const next = async (log: SessionLog) =>
    (await new ArtifactStore(() => log.path).reserve("bash"))?.id;

  await using bare = await SessionLog.fork(path, target);
  expect(existsSync(artifactFolder(bare.path!))).toBe(false);
  expect(await next(bare)).toBe("0");

  mkdirSync(artifactFolder(path));
  for (const n of [0, 1, 2, 3]) writeFileSync(join(artifactFolder(path), `${n}.bash.log`), `${n}`);
  await using fork = await SessionLog.fork(path, { ...target, ...doors(2) });
  expect(fork.header.parentSession).toBe(bare.header.parentSession!);
  expect(readFileSync(join(artifactFolder(fork.path!), "0.bash.log"), "utf8")).toBe("0");
  expect(await next(fork)).toBe("4");

  // A file stands where the copy should go: the session is forked all the same.
  const probe = await SessionLog.fork(path, { ...target, ...doors(3) });
  await probe.close();
  const folder = join(place.folder, "blocked");
  const blocker = join(folder, basename(artifactFolder(probe.path!)));
  mkdirSync(folder);
  writeFileSync(blocker, "");
  await using without = await SessionLog.fork(path, { ...target, folder, ...doors(3) });
  expect(without.entries.length).toBe(fork.entries.length);
  rmSync(blocker);
  expect(await next(without)).toBe("0");
});

test("SESS-66 a branch is the way from the root; labels on the way are set again, others are not", async () => {
  using place = scratch();
  const log = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors() });
  const first = log.append(said("first"));
  const reply = log.append(answered("reply"));
  log.setLabel(first.id, "start");
  log.setLabel(reply.id, "gone later");
  log.setLabel(reply.id, undefined);
  const second = log.append(said("second"));
  const after = log.append(answered("after"));
  log.setLabel(after.id, "not on the way");
  log.persist();
  await log.close();

  const source = await SessionLog.open({ path: log.path!, ...doors(2) });
  const before = readFileSync(log.path!, "utf8");
  const target = { cwd: "/w", folder: place.folder, ...doors(5) };
  await using branch = await source.extract(second.id, target);
  const [, header, ...entries] = linesOf(branch.path!);
  expect(header).toMatchObject({ parentSession: log.header.id, cwd: "/w" });
  expect(entries).toMatchObject([
    { id: first.id, parentId: null },
    { id: reply.id, parentId: first.id },
    { id: second.id, parentId: reply.id },
    { type: "label", parentId: second.id, targetId: first.id, label: "start" },
  ]);
  expect(entries.length).toBe(4);
  const lines = readFileSync(log.path!, "utf8").split("\n");
  for (const { id } of [first, reply])
    expect(textOf(branch.path!)).toContain(lines.find((line) => line.includes(`"id":"${id}"`))!);
  expect(readFileSync(log.path!, "utf8")).toBe(before);

  // From the very first message nothing is copied.
  await using root = await source.extract(null, { ...target, ...doors(6) });
  expect([root.entries, root.header.parentSession]).toEqual([[], log.header.id]);
  expect(existsSync(root.path!)).toBe(false);
  await source.close();
});

test("a branch of what was just said is what was said", async () => {
  using place = scratch();
  await using log = await SessionLog.open({ path: copied(place.folder), ...doors() });
  const added = log.append(said("unread \u2028 line"));
  await using branch = await log.extract(added.id, {
    cwd: "/w",
    folder: place.folder,
    ...doors(4),
  });
  const notLabels = log.branch().filter(({ type }) => type !== "label");
  expect(branch.branch().filter(({ type }) => type !== "label").length).toBe(notLabels.length);
  expect(contextOf(branch.branch())).toEqual(contextOf(log.branch()));
});

test("SESS-64 a move takes file and artifacts along, changes the header alone and remembers where it was", async () => {
  using place = scratch();
  const path = copied(place.folder);
  mkdirSync(artifactFolder(path));
  writeFileSync(join(artifactFolder(path), "0.bash.log"), "output");
  const before = textOf(path);
  const log = await SessionLog.open({ path, ...doors() });
  const folder = join(place.folder, "-elsewhere");
  await log.moveTo({ cwd: "/home/user/elsewhere", folder });
  expect(log.path).toBe(join(folder, "old.jsonl"));
  expect([existsSync(path), existsSync(artifactFolder(path))]).toEqual([false, false]);
  expect(readFileSync(join(folder, "old", "0.bash.log"), "utf8")).toBe("output");
  const after = textOf(log.path!);
  expect(after.toSpliced(1, 1)).toEqual(before.toSpliced(1, 1));
  expect(JSON.parse(after[1]!)).toEqual({
    ...JSON.parse(before[1]!),
    cwd: "/home/user/elsewhere",
    previousSessionFiles: [path],
  });
  expect(log.header).toMatchObject({ cwd: "/home/user/elsewhere", previousSessionFiles: [path] });

  log.append(said("here now"));
  await log.sync();
  await log.moveTo({ cwd: "/home/user/again", folder: place.folder });
  await log.close();
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(place.folder).sort()).toEqual(["-elsewhere", "old", "old.jsonl"]);
  expect(linesOf(path)[1]).toMatchObject({
    cwd: "/home/user/again",
    previousSessionFiles: [path, join(folder, "old.jsonl")],
  });
  expect(linesOf(path).at(-1)).toMatchObject({ message: { content: "here now" } });
});

test("a session that stays in its folder changes its header alone; one without a file only its mind", async () => {
  using place = scratch();
  const path = copied(place.folder);
  await using log = await SessionLog.open({ path, ...doors() });
  await log.moveTo({ cwd: "/other", folder: place.folder });
  expect(linesOf(path)[1]).toMatchObject({ cwd: "/other" });
  expect(linesOf(path)[1]).not.toHaveProperty("previousSessionFiles");
  log.append(said("goes on"));
  expect(linesOf(path).at(-1)).toMatchObject({ message: { content: "goes on" } });

  await using memory = SessionLog.create({ cwd: "/a", folder: undefined, ...doors() });
  await memory.moveTo({ cwd: "/b", folder: place.folder });
  expect([memory.header.cwd, memory.path]).toEqual(["/b", undefined]);
  await using fresh = SessionLog.create({ cwd: "/a", folder: place.folder, ...doors(9) });
  await fresh.moveTo({ cwd: "/b", folder: join(place.folder, "b") });
  fresh.append(said("first"));
  fresh.persist();
  expect(dirname(fresh.path!)).toBe(join(place.folder, "b"));
  expect(linesOf(fresh.path!)[1]).toMatchObject({ cwd: "/b" });
  expect(linesOf(fresh.path!)[1]).not.toHaveProperty("previousSessionFiles");
});

test("STOR-41 when the artifacts cannot follow, file and artifacts are where they were", async () => {
  using place = scratch();
  const path = copied(place.folder);
  mkdirSync(artifactFolder(path));
  writeFileSync(join(artifactFolder(path), "0.bash.log"), "output");
  const folder = join(place.folder, "full");
  // What is already there cannot be replaced by a folder.
  mkdirSync(folder);
  writeFileSync(join(folder, "old"), "in the way");
  const before = readFileSync(path, "utf8");
  const log = await SessionLog.open({ path, ...doors() });
  await expect(log.moveTo({ cwd: "/x", folder })).rejects.toMatchObject({ kind: "session" });
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readFileSync(join(artifactFolder(path), "0.bash.log"), "utf8")).toBe("output");
  expect(readdirSync(folder)).toEqual(["old"]);
  expect([log.path, log.header.cwd]).toEqual([path, "/home/user/project"]);
  log.append(said("still here"));
  await log.close();
  expect(linesOf(path).at(-1)).toMatchObject({ message: { content: "still here" } });

  // A session of that name is there already: it is not replaced.
  const taken = join(place.folder, "taken");
  mkdirSync(taken);
  writeFileSync(join(taken, "old.jsonl"), "another");
  await using again = await SessionLog.open({ path, ...doors() });
  await expect(again.moveTo({ cwd: "/x", folder: taken })).rejects.toMatchObject({
    kind: "session",
  });
  expect(readdirSync(taken)).toEqual(["old.jsonl"]);
  expect(readFileSync(join(taken, "old.jsonl"), "utf8")).toBe("another");
});
