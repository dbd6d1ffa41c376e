/** What gc may remove and what it must not; what fsck finds and mends; what deleting takes along. */

import {
  BlobStore,
  checkSession,
  deleteSession,
  findWaste,
  readSessionFile,
  removeWaste,
  repairSession,
} from "@omp/session";
import { acquireLock } from "@omp/std";
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { jsonl, scratch } from "./scratch.ts";

const DAY = 24 * 60 * 60;
const now = Date.now();
const header = {
  type: "session",
  version: 3,
  id: "s",
  timestamp: "2026-01-02T03:04:05.678Z",
  cwd: "/x",
};
const user = { type: "message", id: "a", parentId: null, message: { role: "user", content: "hi" } };
const NAME = "2026-01-02T03-04-05-678Z_s";

function old(path: string): string {
  utimesSync(path, now / 1000 - 2 * DAY, now / 1000 - 2 * DAY);
  return path;
}

function stage(folder: string) {
  const sessions = join(folder, "sessions/p");
  const blobs = join(folder, "blobs");
  mkdirSync(sessions, { recursive: true });
  mkdirSync(blobs);
  const put = (path: string, text: string, isOld = true) => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    return isOld ? old(path) : path;
  };
  return {
    sessions,
    places: { folders: [sessions], blobs, now },
    file: (name: string, text: string, isOld = true) => put(join(sessions, name), text, isOld),
    blob: (digit: string, isOld = true) => put(join(blobs, digit.repeat(64)), digit, isOld),
  };
}

const reference = (digit: string) => ({ ...user, data: `blob:sha256:${digit.repeat(64)}` });

test("gc finds blobs that nobody names; backups, subagents and what we cannot read count as naming", () => {
  using place = scratch();
  const { places, file, blob, sessions } = stage(place.folder);
  for (const digit of ["a", "b", "c", "d"]) blob(digit);
  const lost = blob("e");
  blob("f", false);
  file("a.jsonl", jsonl(header, reference("a")));
  file("a.jsonl.1.bak", `garbage ${"x".repeat(2 ** 20 - 30)}${JSON.stringify(reference("b"))}`);
  file(`${NAME}/child.jsonl`, jsonl(reference("c")));
  file(`${NAME}.jsonl`, jsonl(header, user));
  file("foreign.dat", JSON.stringify(reference("d")));
  const { waste, obstacles } = findWaste(places);
  expect(obstacles).toEqual([]);
  expect(waste).toEqual([{ kind: "blob", path: lost, bytes: 1 }]);
  expect(existsSync(lost)).toBe(true);
  utimesSync(lost, now / 1000, now / 1000);
  expect(removeWaste(waste, places)).toEqual([]);
  old(lost);
  expect(removeWaste(waste, places)).toEqual(waste);
  expect(existsSync(lost)).toBe(false);
  expect(existsSync(join(sessions, "foreign.dat"))).toBe(true);
});

test("a blob that is stored once more while gc looks is kept: the entry that names it is to come", () => {
  using place = scratch();
  const { places } = stage(place.folder);
  const store = new BlobStore(places.blobs);
  const picture = new Uint8Array(2000).fill(7);
  const path = join(places.blobs, store.put(picture).slice("blob:sha256:".length));
  old(path);
  const { waste } = findWaste(places);
  expect(waste).toHaveLength(1);
  store.put(picture);
  expect(removeWaste(waste, places)).toEqual([]);
  expect(existsSync(path)).toBe(true);
});

test("a folder that cannot be read keeps every blob", () => {
  using place = scratch();
  const { places, blob, sessions } = stage(place.folder);
  blob("a");
  const gone = {
    ...places,
    folders: [...places.folders, join(place.folder, "unmounted/sessions")],
  };
  expect(findWaste(gone)).toMatchObject({ waste: [], obstacles: [expect.any(String)] });
  // A link that leads nowhere may lead to a session tomorrow.
  symlinkSync(join(place.folder, "away"), join(sessions, "link.jsonl"));
  expect(findWaste(places)).toMatchObject({ waste: [], obstacles: [expect.any(String)] });
  rmSync(join(sessions, "link.jsonl"));
  symlinkSync(sessions, join(sessions, "round"));
  expect(findWaste(places).waste).toHaveLength(1);
});

test("gc finds empty sessions, dead locks, artifacts without a session; not what is young, held or said", () => {
  using place = scratch();
  const { places, file, sessions } = stage(place.folder);
  const empty = file("empty.jsonl", jsonl(header, { type: "model_change", id: "m", model: "x/y" }));
  const none = file("none.jsonl", "");
  file("young.jsonl", jsonl(header), false);
  file("said.jsonl", jsonl(header, user));
  file("titled.jsonl", jsonl({ ...header, title: "Mine" }));
  file("foreign.jsonl", "no session at all\n");
  file("torn.jsonl", `${jsonl(header)}{"type":"message","id":"a"`);
  const held = file("held.jsonl", jsonl(header));
  const lock = acquireLock(`${held}.lock`);
  const dead = file("said.jsonl.lock", "");
  const orphan = join(sessions, NAME);
  file(`${NAME}/0.bash.log`, "output");
  old(orphan);
  mkdirSync(join(sessions, "not-ours"));
  const { waste } = findWaste(places);
  expect(new Map(waste.map(({ kind, path }) => [path, kind]))).toEqual(
    new Map([
      [empty, "empty-session"],
      [none, "empty-session"],
      [dead, "stale-lock"],
      [orphan, "orphan-artifacts"],
    ]),
  );
  expect(removeWaste(waste, places)).toHaveLength(4);
  expect([empty, none, dead, orphan].filter(existsSync)).toEqual([]);
  expect(existsSync(held)).toBe(true);
  if (lock.kind === "held") lock.release();
});

test("fsck tells damage by line; mending keeps sound lines byte for byte and the original beside", async () => {
  using place = scratch();
  const path = join(place.folder, "s.jsonl");
  const second = { ...user, id: "b", parentId: "a", odd: "  kept  " };
  const sound = `${JSON.stringify(header)}\n${JSON.stringify(user)}\n`;
  const damaged = `${sound}garbage\n\0\0\0${JSON.stringify(second)}\n{"type":"mess`;
  writeFileSync(path, damaged);
  expect(await checkSession(path)).toEqual({
    path,
    entries: 2,
    problems: [
      { line: 3, kind: "not-json" },
      { line: 4, kind: "zeros" },
      { line: 5, kind: "torn" },
    ],
  });
  const repair = await repairSession(path, "x");
  expect(repair).toEqual({ backup: `${path}.x.bak`, lostLines: 2 });
  expect(readFileSync(path, "utf8")).toBe(
    sound + jsonl({ ...second, timestamp: header.timestamp }),
  );
  expect(readFileSync(`${path}.x.bak`, "utf8")).toBe(damaged);
  expect((await checkSession(path)).problems).toEqual([]);
  expect(await repairSession(path, "y")).toBeUndefined();
});

test("a missing header is made up when mending; a session that is in use is left alone", async () => {
  using place = scratch();
  const path = join(place.folder, `${NAME}.jsonl`);
  writeFileSync(path, jsonl({ ...user, timestamp: header.timestamp }));
  const lock = acquireLock(`${path}.lock`);
  await expect(repairSession(path, "x")).rejects.toThrow("another process writes to it");
  expect(() => deleteSession(path)).toThrow(`process ${process.pid} has it open`);
  if (lock.kind === "held") lock.release();
  await repairSession(path, "x");
  const { headerLine, entries, problems } = await readSessionFile(path);
  expect({ headerLine, entries: entries.length, problems }).toEqual({
    headerLine: 1,
    entries: 1,
    problems: [],
  });
  mkdirSync(join(place.folder, NAME));
  deleteSession(path);
  expect([path, join(place.folder, NAME), `${path}.lock`].filter(existsSync)).toEqual([]);
  await expect(checkSession(path)).rejects.toThrow(`File not found: ${path}`);
});
