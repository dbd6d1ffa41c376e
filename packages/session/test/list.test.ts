/** Lists of sessions: names, counts and statuses, and how little is read for them. */

import { openSessionIndex, recentSessions } from "@omp/session";
import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { answer, call, jsonl, scratch } from "./scratch.ts";

const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-02T03:04:05.678Z" };

/** Later files are newer. */
function write(folder: string, name: string, ...lines: readonly unknown[]): string {
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, jsonl({ ...header, id: name, cwd: "/x" }, ...lines));
  const order = 1_700_000_000 + readdirSync(folder).length;
  utimesSync(path, order, order);
  return path;
}

function user(text: string, id = "a", parentId: string | null = null) {
  const message = { role: "user", content: [{ type: "text", text }] };
  return { type: "message", id, parentId, timestamp: header.timestamp, message };
}

function entry(message: object, id = "b", parentId: string | null = "a") {
  return { type: "message", id, parentId, timestamp: header.timestamp, message };
}

function titled(title: string) {
  return { type: "title", v: 1, title, updatedAt: header.timestamp, pad: "" };
}

async function listed(folder: string) {
  using index = await openSessionIndex(join(folder, "index/sessions.db"));
  return index.list([folder]);
}

test("SESS-56 the four newest, named by title, first words or time: one safe line, never the id", () => {
  using place = scratch();
  write(place.folder, "oldest", user("nobody sees me"));
  write(place.folder, "empty");
  write(place.folder, "plain", user("  \n say hello\nand more"));
  const named = join(place.folder, "named.jsonl");
  writeFileSync(named, jsonl(titled("two\nlines"), { ...header, cwd: "/x" }, user("not the name")));
  utimesSync(named, 1_800_000_000, 1_800_000_000);
  const wild = join(place.folder, "wild.jsonl");
  writeFileSync(wild, jsonl(titled("\x1b[31mred\x07 \u202etitle"), { ...header, cwd: "/x" }));
  utimesSync(wild, 1_800_000_001, 1_800_000_001);
  const at = new Date(header.timestamp);
  const two = (part: number) => String(part).padStart(2, "0");
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`;
  expect(recentSessions([place.folder]).map(({ name }) => name)).toEqual([
    "red title",
    "two",
    "say hello",
    `Untitled · 2026-01-02 ${clock}`,
  ]);
  expect(recentSessions([place.folder], { limit: 1 })).toHaveLength(1);
});

test("SESS-56 no more than 4 KiB are read: a longer first message is named by its beginning", () => {
  using place = scratch();
  write(place.folder, "long", user(`first "words" ä ${"x".repeat(9000)}\nsecond line`));
  write(place.folder, "late", entry({ role: "custom", content: "y".repeat(5000) }), user("unseen"));
  const [late, long] = recentSessions([place.folder]);
  expect(long?.name).toStartWith('first "words" ä xxx');
  expect(late?.name).toStartWith("Untitled · ");
});

test("SESS-57 each status, from how the branch of the last entry ends", async () => {
  using place = scratch();
  const said = user("go");
  write(place.folder, "pending", said);
  write(place.folder, "complete", said, entry(answer([], "stop")));
  write(place.folder, "cut", said, entry(answer([], "length")));
  write(place.folder, "aborted", said, entry(answer([], "aborted")));
  write(place.folder, "error", said, entry(answer([], "error")));
  write(place.folder, "interrupted", said, entry(answer([call("1")], "toolUse")));
  write(place.folder, "result", said, entry({ role: "toolResult", content: [] }));
  write(place.folder, "unknown");
  const exit = { type: "custom", customType: "session_exit", id: "x", parentId: "b" };
  write(place.folder, "left", said, entry(answer([], "aborted")), exit);
  const other = entry(answer([], "error"), "c", "a");
  const label = { type: "label", id: "l", parentId: "b", targetId: "a", label: "here" };
  write(place.folder, "branch", said, entry(answer([], "stop")), other, label);
  const huge = "z".repeat(100_000);
  write(place.folder, "huge", said, entry(answer([{ type: "text", text: huge }], "stop")));
  const statuses = (await listed(place.folder)).map(({ id, status }) => [id, status]);
  expect(Object.fromEntries(statuses)).toEqual({
    pending: "pending",
    complete: "complete",
    cut: "complete",
    aborted: "aborted",
    error: "error",
    interrupted: "interrupted",
    result: "interrupted",
    unknown: "unknown",
    left: "aborted",
    branch: "complete",
    huge: "complete",
  });
});

test("SESS-57 id, folder, dates, size, counts and first message; newest first", async () => {
  using place = scratch();
  const empty = write(place.folder, "empty");
  const path = write(
    place.folder,
    "talk",
    user("hello there\nsecond line"),
    entry(answer([], "stop")),
    { type: "title_change", id: "t", parentId: "b", timestamp: header.timestamp, title: "Talk" },
  );
  const { size, mtimeMs } = statSync(path);
  const [talk, none, ...others] = await listed(place.folder);
  expect(others).toEqual([]);
  expect(talk).toEqual({
    path,
    id: "talk",
    cwd: "/x",
    name: "Talk",
    title: "Talk",
    createdMs: Date.parse(header.timestamp),
    modifiedMs: mtimeMs,
    bytes: size,
    messageCount: 2,
    firstMessage: "hello there\nsecond line",
    status: "complete",
  });
  expect(none).toMatchObject({ path: empty, messageCount: 0, firstMessage: "(no messages)" });
});

test("SESS-57 what is known of a file is kept by its stat and extended by its new bytes only", async () => {
  using place = scratch();
  const path = write(place.folder, "grows", user("one"));
  await listed(place.folder);
  // Same size, same time, other content: nobody looks.
  const { atime, mtime, size } = statSync(path);
  writeFileSync(path, jsonl({ ...header, id: "grows", cwd: "/x" }, user("two")));
  utimesSync(path, atime, mtime);
  expect(statSync(path).size).toBe(size);
  expect((await listed(place.folder))[0]?.firstMessage).toBe("one");
  // It grew: the first message is from the bytes that were read before.
  appendFileSync(path, jsonl(entry(answer([], "stop"))) + '{"type":"mess');
  expect((await listed(place.folder))[0]).toMatchObject({ messageCount: 2, status: "complete" });
  appendFileSync(path, `age"}\n${JSON.stringify(user("three", "c", "b"))}`);
  expect((await listed(place.folder))[0]).toMatchObject({ messageCount: 4, status: "pending" });
  // It shrank: all is read anew.
  writeFileSync(path, jsonl({ ...header, id: "grows", cwd: "/x" }, user("anew")));
  expect((await listed(place.folder))[0]).toMatchObject({ messageCount: 1, firstMessage: "anew" });
});

test("an index that is damaged, of a later version or out of reach costs nothing but time", async () => {
  using place = scratch();
  write(place.folder, "only", user("still here"));
  const file = join(place.folder, "index/sessions.db");
  mkdirSync(join(place.folder, "index"));
  writeFileSync(file, "this is no database".repeat(1000));
  expect(await listed(place.folder)).toHaveLength(1);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { Database } = await import("bun:sqlite");
  using later = new Database(file);
  later.run("PRAGMA user_version = 99");
  expect(await listed(place.folder)).toHaveLength(1);
  expect(later.query("PRAGMA user_version").get()).toEqual({ user_version: 99 });
  later.run("PRAGMA user_version = 0; DROP TABLE entry; CREATE TABLE entry (other TEXT)");
  using index = await openSessionIndex(file);
  expect(await index.search("still", [place.folder])).toHaveLength(1);
  using nowhere = await openSessionIndex("/proc/none/sessions.db");
  expect(await nowhere.list([place.folder])).toHaveLength(1);
  expect(existsSync("/proc/none")).toBe(false);
});
