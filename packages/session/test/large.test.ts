/** Long files, long lines, deep lines: what is not looked at is not read, and nothing takes for ever. */

import { expect, test } from "bun:test";
import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { branchOf, contextOf, indexById, readSessionFile, SessionLog, treeOf } from "@omp/session";
import { doors, jsonl, said, scratch } from "./scratch.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const HEADER = { type: "session", version: 3, id: "s", timestamp: TIME, cwd: "/w" };
const MB = 1 << 20;
const idOf = (index: number) => index.toString(16).padStart(8, "0");

/** 12 MB: entries of many kinds, some damaged, two branches, a compaction near the end. */
function writeLarge(path: string): void {
  const file = openSync(path, "w");
  writeSync(file, jsonl(HEADER));
  for (let index = 0; index < 3000; index++) {
    const parentId = index === 0 ? null : index === 2000 ? idOf(999) : idOf(index - 1);
    const place = { id: idOf(index), parentId, timestamp: TIME };
    writeSync(file, index % 500 === 77 ? "garbage\n" : line(index, place));
  }
  closeSync(file);
}

function line(index: number, place: object): string {
  if (index === 2900)
    return jsonl({
      type: "compaction",
      ...place,
      summary: "SUM",
      firstKeptEntryId: idOf(2890),
      tokensBefore: 1,
    });
  if (index === 2600) return jsonl({ type: "model_change", ...place, model: "bench/one" });
  if (index === 20) return jsonl({ ...place, type: "custom", customType: "other order" });
  const content = `${index} ${'é\\"\u2028'.repeat(900)}`;
  const entry = { type: "message", ...place, message: { role: "user", content, timestamp: index } };
  return index % 3 === 0 ? jsonl(entry).replace("\n", "\r\n") : jsonl(entry);
}

test("SESS-40 a large file is opened without reading it whole, and is the same as if it had been", async () => {
  using place = scratch();
  const path = join(place.folder, "large.jsonl");
  writeLarge(path);
  const whole = await readSessionFile(path);
  const log = await SessionLog.open({ path, ...doors() });
  expect(log.problems).toEqual(whole.problems);
  const wholeBranch = branchOf(indexById(whole.entries), log.leafId);
  expect(contextOf(log.branch())).toEqual(contextOf(wholeBranch));
  expect(contextOf(log.branch()).model).toBe("bench/one");
  expect(contextOf(log.branch()).messages.length).toBe(1 + 10 + 99);
  expect(treeOf(log.entries).length).toBe(treeOf(whole.entries).length);

  const added = log.append(said("one more"));
  const fork = await SessionLog.fork(log, { cwd: "/f", folder: place.folder, ...doors(2) });
  const branch = await log.extract(added.id, { cwd: "/f", folder: place.folder, ...doors(3) });
  expect(contextOf(branch.branch())).toEqual(contextOf(log.branch()));
  const body = (file: string) => readFileSync(file, "utf8").split("\n").slice(1).join("\n");
  expect(body(fork.path!) === body(path)).toBe(true);
  await fork.close();
  await branch.close();

  // The file may be gone: it is still open.
  rmSync(path);
  expect(JSON.stringify(log.entries.slice(0, -1)) === JSON.stringify(whole.entries)).toBe(true);
  await log.close();
});

test("SESS-40 the memory that opening takes does not grow with the file", async () => {
  using place = scratch();
  const path = join(place.folder, "200MiB.jsonl");
  const file = openSync(path, "w");
  writeSync(file, jsonl(HEADER));
  const filler = "x".repeat(64 << 10);
  for (let index = 0; index < 3200; index++) {
    const parentId = index === 0 ? null : idOf(index - 1);
    writeSync(file, jsonl(user(idOf(index), parentId, filler)));
  }
  const reset = { id: "reset", parentId: idOf(3198), timestamp: TIME };
  const model = { id: "model", parentId: "reset", timestamp: TIME, model: "bench/one" };
  writeSync(file, jsonl({ type: "reset_boundary", ...reset }, { type: "model_change", ...model }));
  writeSync(file, jsonl(user("last", "model", "the end")));
  closeSync(file);
  expect(statSync(path).size).toBeGreaterThan(200 * MB);
  const opener = fileURLToPath(import.meta.resolve("./large-opener.ts"));
  const child = Bun.spawn([process.execPath, opener, path], { stderr: "inherit" });
  const told: { entries: number; said: unknown; peakMb: number } = await child.stdout.json();
  expect(told).toMatchObject({ entries: 3203, said: ["the end"] });
  expect(told.peakMb).toBeLessThan(150);
});

test("an entry that was left in the file is like any other", async () => {
  using place = scratch();
  const path = join(place.folder, "large.jsonl");
  writeLarge(path);
  const log = await SessionLog.open({ path, access: "read", ...doors() });
  const entry = log.entry(idOf(1000))!;
  expect("message" in entry).toBe(true);
  expect(Object.keys({ ...entry })).toEqual(["type", "id", "parentId", "timestamp", "message"]);
  expect(log.entry(idOf(1001))).toEqual({
    type: "message",
    id: idOf(1001),
    parentId: idOf(1000),
    timestamp: TIME,
    message: { role: "user", content: expect.stringMatching(/^1001 /), timestamp: 1001 },
  } as never);
  await log.close();
  // After the log is closed the file is opened for each look.
  expect(JSON.parse(JSON.stringify(log.entry(idOf(1002))))).toHaveProperty("message");
});

const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
const user = (id: string, parentId: string | null, content: unknown) => ({
  type: "message",
  id,
  parentId,
  timestamp: TIME,
  message: { role: "user", content, timestamp: 1 },
});
const ends = [jsonl(HEADER, user("a", null, "first")), jsonl(user("z", "a", "last"))] as const;

test.each([
  ["a line of 100 MB", () => jsonl(user("b", "a", "@")).replace("@", "x".repeat(100 * MB))],
  ["100 MB of garbage in one line", () => `${"x".repeat(100 * MB)}\n`],
  ["10 MB of openings", () => `${'{"type":"'.repeat(MB)}\n`],
  ["10 MB of openings of entries", () => `${'{"type":"x","id":"y","parentId":'.repeat(MB / 3)}\n`],
  [
    "a line that is nested 100,000 deep",
    () => `{"type":"x","id":"b","parentId":"a","timestamp":"${TIME}","v":${deep}}\n`,
  ],
  ["100,000 open brackets", () => `${"[".repeat(100_000)}\n`],
  ["10 MB of zeros", () => `${"\0".repeat(10 * MB)}\n`],
  ["a million empty lines", () => "\n".repeat(1_000_000)],
  ["bytes that are no UTF-8", () => Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a])],
])("%s between two entries hides neither", async (_, middle) => {
  using place = scratch();
  const path = join(place.folder, "hard.jsonl");
  writeFileSync(
    path,
    Buffer.concat([Buffer.from(ends[0]), Buffer.from(middle()), Buffer.from(ends[1])]),
  );
  const { mtimeMs } = statSync(path);
  const log = await SessionLog.open({ path, ...doors() });
  expect(contextOf(log.branch()).messages.map(({ content }) => content)).toEqual(["first", "last"]);
  expect(treeOf(log.entries).length).toBe(1);
  await log.close();
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
});
