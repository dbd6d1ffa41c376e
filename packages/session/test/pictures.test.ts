/** Pictures and huge texts on their way through a session file. */

import { expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  BlobStore,
  contextOf,
  CUT_MARK,
  fieldsOf,
  SessionLog,
  type EntryDraft,
} from "@omp/session";
import { doors, golden, jsonl, linesOf, said, scratch } from "./scratch.ts";

const PICTURE = Buffer.alloc(3000, "picture").toString("base64");
const CONTENT = [
  { type: "text", text: "look" },
  { type: "image", data: PICTURE, mimeType: "image/png" },
] as const;
const shown: EntryDraft = {
  type: "message",
  message: { role: "user", content: CONTENT, timestamp: 1 },
};

test("STOR-15 STOR-16 STOR-17 a picture is a reference in the file, appended or rewritten, and itself in memory", async () => {
  using place = scratch();
  const blobs = new BlobStore(join(place.folder, "blobs"));
  const log = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors(), blobs });
  log.append(shown);
  log.persist();
  log.append(shown);
  expect(JSON.stringify(log.entries).split(PICTURE).length).toBe(3);
  await log.moveTo({ cwd: "/x", folder: join(place.folder, "x") });
  await log.close();
  const text = readFileSync(log.path!, "utf8");
  expect(text).not.toContain(PICTURE);
  expect(text.split('"blob:sha256:').length).toBe(3);
  expect(readdirSync(blobs.folder).length).toBe(1);

  const again = await SessionLog.open({ path: log.path!, ...doors(2), blobs });
  expect(again.entries).toEqual(log.entries);
  expect(contextOf(again.branch()).messages[0]?.content).toEqual(CONTENT as never);
  const leaf = again.append(said("and now")).id;
  await using branch = await again.extract(leaf, {
    cwd: "/w",
    folder: place.folder,
    ...doors(3),
    blobs,
  });
  await using fork = await SessionLog.fork(again, {
    cwd: "/w",
    folder: place.folder,
    ...doors(4),
    blobs,
  });
  await again.close();
  for (const { path, entries } of [branch, fork]) {
    expect(readFileSync(path!, "utf8")).not.toContain(PICTURE);
    expect(entries.slice(0, 2)).toEqual([...log.entries]);
  }
});

test("STOR-15 STOR-17 an older file is rewritten with references, too", async () => {
  using place = scratch();
  const blobs = new BlobStore(join(place.folder, "blobs"));
  const path = join(place.folder, "v1.jsonl");
  const header = { type: "session", id: "s", timestamp: "t", cwd: "/w" };
  writeFileSync(path, jsonl(header, { ...shown, timestamp: "t" }));
  const log = await SessionLog.open({ path, ...doors(), blobs });
  log.append(said("next"));
  await log.close();
  expect(readFileSync(path, "utf8")).not.toContain(PICTURE);
  await using again = await SessionLog.open({ path, ...doors(), blobs });
  expect(JSON.stringify(again.entries[0])).toContain(PICTURE);
});

test("STOR-18 a session whose picture is gone opens, with everything else in it", async () => {
  using place = scratch();
  const blobs = new BlobStore(join(place.folder, "blobs"));
  const log = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors(), blobs });
  log.append(shown);
  log.append(said("more"));
  log.persist();
  await log.close();
  rmSync(blobs.folder, { recursive: true });
  const before = readFileSync(log.path!, "utf8");
  const again = await SessionLog.open({ path: log.path!, ...doors(), blobs });
  expect(again.problems).toEqual([]);
  const { message } = fieldsOf(again.entries[0]!);
  expect(JSON.stringify(message)).toContain('"blob:sha256:');
  expect(JSON.stringify(contextOf(again.branch()).messages)).toContain("more");
  again.append(said("goes on"));
  await again.close();
  expect(readFileSync(log.path!, "utf8").startsWith(before)).toBe(true);
});

test("STOR-10 STOR-12 SESS-51 huge texts are cut and transient fields left out of the line alone", async () => {
  using place = scratch();
  const blobs = new BlobStore(join(place.folder, "blobs"));
  await using log = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors(), blobs });
  log.persist();
  const entry = log.append({
    type: "custom",
    customType: "huge",
    data: { text: "x".repeat(50_000_000), partialJson: "{" },
  });
  const line = linesOf(log.path!).at(-1)!;
  expect(JSON.stringify(line).length).toBeLessThan(600_000);
  expect((line.data as { text: string }).text.endsWith(CUT_MARK)).toBe(true);
  expect(line.data).not.toHaveProperty("partialJson");
  const { data } = fieldsOf(entry) as { data: { text: string } };
  expect(data.text.length).toBe(50_000_000);
});

test("entries of a file without pictures are plain objects", async () => {
  using place = scratch();
  const blobs = new BlobStore(join(place.folder, "blobs"));
  const path = join(place.folder, "old.jsonl");
  cpSync(golden("omp-18.2.3-tools"), path);
  await using log = await SessionLog.open({ path, ...doors(), blobs });
  await using plain = await SessionLog.open({ path, access: "read", ...doors() });
  expect(log.entries).toEqual(plain.entries);
});
