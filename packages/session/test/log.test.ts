/** A session from its first entry to its file on disk. */

import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { SessionLog } from "@omp/session";
import { UserError } from "@omp/std";
import { answered, doors, linesOf, said, scratch } from "./scratch.ts";

const CWD = "/home/user/project";

test("SESS-48 nothing is on disk until it is asked for, then everything at once", async () => {
  using place = scratch();
  const folder = join(place.folder, "sessions");
  await using log = SessionLog.create({ cwd: CWD, folder, ...doors() });
  log.append({ type: "model_change", model: "bench/bench-model" });
  log.append(said("hello"));
  await log.sync();
  expect(existsSync(folder)).toBe(false);
  log.persist();
  const types = linesOf(log.path!).map(({ type }) => type);
  expect(types).toEqual(["title", "session", "model_change", "message"]);

  const quit = SessionLog.create({ cwd: CWD, folder: join(place.folder, "quit"), ...doors() });
  quit.append(said("hello"));
  await quit.close();
  expect(existsSync(join(place.folder, "quit"))).toBe(false);
});

test("SESS-01 SESS-03 SESS-10 a new file has its name, its id and the minimal header", () => {
  using place = scratch();
  const both = doors();
  const [first, second] = [0, 1].map(() => {
    const log = SessionLog.create({ cwd: CWD, folder: place.folder, ...both });
    log.persist();
    return log;
  });
  expect(basename(first!.path!)).toBe(`2026-01-02T03-04-05-678Z_${first!.header.id}.jsonl`);
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(first!.header.id).toMatch(uuid);
  expect(first!.header.id < second!.header.id).toBe(true);
  expect(linesOf(first!.path!)[1]).toEqual({
    type: "session",
    version: 3,
    id: first!.header.id,
    timestamp: "2026-01-02T03:04:05.678Z",
    cwd: CWD,
  });
});

test("SESS-03 a file with a short id opens", async () => {
  using place = scratch();
  const path = join(place.folder, "old.jsonl");
  const header = { type: "session", version: 3, id: "0123456789abcdef", timestamp: "t", cwd: CWD };
  writeFileSync(path, `${JSON.stringify(header)}\n`);
  const log = await SessionLog.open({ path, ...doors() });
  expect(log.header).toEqual(header as typeof log.header);
});

test("SESS-09 SESS-13 every line is one JSON object with type, id, parent and time", async () => {
  using place = scratch();
  const log = SessionLog.create({ cwd: CWD, folder: place.folder, ...doors() });
  log.persist();
  for (const text of ["plain", "line\nbreaks\r\u2028\u2029", "潮汐 🌊 \0 \ud800", '"}\n{"'])
    log.append(said(text));
  for (let i = 0; i < 300; i++) log.append(answered(`answer ${i}`));
  await log.close();

  const bytes = readFileSync(log.path!);
  expect(new TextDecoder("utf-8", { fatal: true }).decode(bytes).endsWith("}\n")).toBe(true);
  const [slot, header, ...entries] = linesOf(log.path!);
  expect([slot?.type, header?.type]).toEqual(["title", "session"]);
  expect(entries.length).toBe(304);
  let parent: unknown = null;
  for (const entry of entries) {
    expect(entry).toMatchObject({ type: "message", parentId: parent });
    expect(entry.id).toMatch(/^[0-9a-f]{8}$/);
    expect(new Date(String(entry.timestamp)).toISOString()).toBe(String(entry.timestamp));
    parent = entry.id;
  }
  expect(new Set(entries.map(({ id }) => id)).size).toBe(304);
});

test("what was appended is what is read back, and the next entry follows it", async () => {
  using place = scratch();
  const log = SessionLog.create({ cwd: CWD, folder: place.folder, parentSession: "p", ...doors() });
  log.append(said("before"));
  log.persist();
  log.append(answered("after"));
  await log.close();
  await using again = await SessionLog.open({ path: log.path!, ...doors(2) });
  expect(again.problems).toEqual([]);
  expect(again.header).toEqual(log.header);
  expect(again.header.parentSession).toBe("p");
  expect(again.entries).toEqual(log.entries);
  expect(again.leafId).toBe(log.leafId);
  const added = again.append(said("more"));
  expect(added.parentId).toBe(log.leafId);
  expect(again.branch().map(({ id }) => id)).toEqual([...log.entries, added].map(({ id }) => id));
  expect(linesOf(log.path!).at(-1)).toEqual({ ...added });
});

test("a session in memory has no path and writes nothing", async () => {
  await using log = SessionLog.create({ cwd: CWD, folder: undefined, ...doors() });
  log.append(said("hello"));
  log.persist();
  await log.sync();
  expect(log.path).toBeUndefined();
  expect(log.branch().length).toBe(1);
});

test("files are 0600 and new folders 0700 whatever the umask", () => {
  using place = scratch();
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const made = (umask: number, folder: string) => {
    const old = process.umask(umask);
    try {
      const log = SessionLog.create({ cwd: CWD, folder, ...doors() });
      log.persist();
      return log.path!;
    } finally {
      process.umask(old);
    }
  };
  const agent = join(place.folder, "agent");
  expect(mode(made(0o000, join(agent, "sessions", "-project")))).toBe("600");
  for (const folder of [agent, join(agent, "sessions"), join(agent, "sessions", "-project")])
    expect(mode(folder)).toBe("700");

  const shared = join(place.folder, "shared");
  mkdirSync(shared, { mode: 0o755 });
  expect(mode(made(0o277, shared))).toBe("600");
  expect(mode(shared)).toBe("755");
  made(0o277, join(place.folder, "strict"));
  expect(mode(join(place.folder, "strict"))).toBe("700");
});

test("a refused write is told, keeps its entries, and the next one catches up", async () => {
  using place = scratch();
  const blocked = join(place.folder, "blocked");
  writeFileSync(blocked, "");
  const log = SessionLog.create({ cwd: CWD, folder: join(blocked, "sessions"), ...doors() });
  log.append(said("one"));
  const refused = () => log.persist();
  expect(refused).toThrow(UserError);
  expect(refused).toThrow(`${log.path}: a part of the path is not a directory.`);
  expect(() => log.append(said("two"))).toThrow(UserError);
  await expect(log.sync()).rejects.toMatchObject({ kind: "session" });
  expect(log.branch().length).toBe(2);

  rmSync(blocked);
  log.append(said("three"));
  await log.close();
  const types = linesOf(log.path!).map(({ type }) => type);
  expect(types).toEqual(["title", "session", "message", "message", "message"]);
  expect(linesOf(log.path!).slice(2)).toEqual(log.entries.map((entry) => ({ ...entry })));
});

test("closing with unwritten entries says so", async () => {
  using place = scratch();
  writeFileSync(join(place.folder, "blocked"), "");
  const folder = join(place.folder, "blocked", "sessions");
  const log = SessionLog.create({ cwd: CWD, folder, ...doors() });
  log.append(said("one"));
  expect(() => log.persist()).toThrow(UserError);
  await expect(log.close()).rejects.toMatchObject({ kind: "session" });
  await log.close();
});

test("an entry that is not JSON leaves log and file as they were", async () => {
  using place = scratch();
  await using log = SessionLog.create({ cwd: CWD, folder: place.folder, ...doors() });
  log.persist();
  const before = readFileSync(log.path!, "utf8");
  expect(() => log.append({ type: "custom", customType: "x", data: 1n })).toThrow(TypeError);
  expect([log.entries.length, log.leafId]).toEqual([0, null]);
  expect(readFileSync(log.path!, "utf8")).toBe(before);
});

test("a file that appeared in the meantime is not written into", async () => {
  using place = scratch();
  const log = SessionLog.create({ cwd: CWD, folder: place.folder, ...doors() });
  writeFileSync(log.path!, "somebody else's\n");
  expect(() => log.persist()).toThrow("another program has just created it");
  await expect(log.close()).rejects.toMatchObject({ kind: "session" });
  expect(readFileSync(log.path!, "utf8")).toBe("somebody else's\n");
  expect(readdirSync(place.folder).length).toBe(1);
});

test("sync may run while entries are appended and the log is closed", async () => {
  using place = scratch();
  const log = SessionLog.create({ cwd: CWD, folder: place.folder, ...doors() });
  log.persist();
  const syncs = Array.from({ length: 8 }, (_, i) => {
    log.append(said(`entry ${i}`));
    return log.sync();
  });
  const closed = log.close();
  await Promise.all([...syncs, closed]);
  expect(linesOf(log.path!).length).toBe(10);
  expect(() => log.append(said("late"))).toThrow("after it was closed");
});
