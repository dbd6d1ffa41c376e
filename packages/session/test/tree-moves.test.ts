/** Moving in the tree of a session: leaf, summaries, labels, titles. */

import { expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contextOf, readSessionFile, SessionLog, type TreeNode } from "@omp/session";
import { answered, doors, golden, jsonl, linesOf, said, scratch } from "./scratch.ts";

function stored(folder: string): SessionLog {
  const log = SessionLog.create({ cwd: "/w", folder, ...doors() });
  log.persist();
  return log;
}

function labelsIn(roots: readonly TreeNode[]): Record<string, string> {
  const labels: Record<string, string> = {};
  const open = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.label !== undefined) labels[node.entry.id] = node.label;
    open.push(...node.children);
  }
  return labels;
}

test("SESS-41 SESS-25 the next entry goes under the leaf, moving it writes nothing, a summary moves and writes", async () => {
  using place = scratch();
  await using log = stored(place.folder);
  const a = log.append(said("A"));
  const b = log.append(answered("B"));
  expect([a.parentId, b.parentId, log.leafId]).toEqual([null, a.id, b.id]);

  const before = readFileSync(log.path!, "utf8");
  log.moveLeaf(a.id);
  expect(readFileSync(log.path!, "utf8")).toBe(before);
  const c = log.append(said("C"));
  expect(c.parentId).toBe(a.id);
  log.moveLeaf(null);
  expect([log.branch(), log.leafId]).toEqual([[], null]);
  const d = log.append(said("D"));
  expect(d.parentId).toBeNull();

  const details = { readFiles: ["x"], modifiedFiles: [] };
  const summed = log.appendBranchSummary({ fromId: a.id, summary: "went B", details });
  expect(summed).toMatchObject({ type: "branch_summary", parentId: a.id, fromId: a.id, details });
  const atRoot = log.appendBranchSummary({ fromId: null, summary: "went D", fromExtension: false });
  expect(atRoot).toMatchObject({ parentId: null, fromId: "root", fromExtension: false });
  expect(log.leafId).toBe(atRoot.id);
  expect(contextOf(log.branch()).messages).toMatchObject([
    { role: "user", content: expect.stringContaining("went D") },
  ]);
  expect(() => log.moveLeaf("nowhere")).toThrow("There is no entry nowhere");

  const { entries } = await readSessionFile(log.path!);
  expect(entries).toEqual([a, b, c, d, summed, atRoot]);
  expect(log.branch(b.id)).toEqual([a, b]);
  expect(log.tree().map(({ entry }) => entry.id)).toEqual([a.id, d.id, atRoot.id]);
});

test("SOP-40 walking the parents from the leaf of a stored file gives the conversation", async () => {
  using place = scratch();
  await using log = stored(place.folder);
  for (const text of ["one", "two", "three"]) log.append(said(text));
  log.moveLeaf(log.entries[0]!.id);
  log.append(said("other"));
  const lines = linesOf(log.path!).slice(2);
  for (const line of lines) expect(line).toContainKeys(["id", "parentId"]);
  const byId = new Map(lines.map((line) => [line.id, line]));
  const walked: unknown[] = [];
  for (let at = lines.at(-1); at; at = byId.get(at.parentId)) walked.unshift(at.id);
  await using again = await SessionLog.open({ path: log.path!, access: "read", ...doors() });
  expect(again.branch().map(({ id }) => id)).toEqual(walked as string[]);
  expect(contextOf(again.branch()).messages.map(({ content }) => content)).toEqual([
    "one",
    "other",
  ]);
});

test("SOP-51 SESS-28 a label is set, changed and cleared by entries of its own", async () => {
  using place = scratch();
  await using log = stored(place.folder);
  const { id } = log.append(said("here"));
  const names = ["first", "second", undefined].map((label) => {
    log.setLabel(id, label);
    return labelsIn(log.tree())[id];
  });
  expect(names).toEqual(["first", "second", undefined]);
  const labels = linesOf(log.path!).filter(({ type }) => type === "label");
  expect(labels.map(({ targetId, label }) => [targetId, label])).toEqual([
    [id, "first"],
    [id, "second"],
    [id, undefined],
  ]);
  expect(labels[2]).not.toHaveProperty("label");
});

test("SESS-12 a rename writes 256 bytes in place and one entry, and nothing else", async () => {
  using place = scratch();
  const log = stored(place.folder);
  log.append(said("hello"));
  const before = readFileSync(log.path!);
  log.rename("Tide tables", "auto");
  const named = readFileSync(log.path!);
  expect(named[255]).toBe(0x0a);
  expect(named.subarray(256, before.length)).toEqual(before.subarray(256));
  const added = named.subarray(before.length).toString("utf8");
  expect(JSON.parse(added)).toMatchObject({
    type: "title_change",
    title: "Tide tables",
    source: "auto",
    parentId: log.entries[0]!.id,
  });
  expect(JSON.parse(named.subarray(0, 255).toString("utf8"))).toMatchObject({
    type: "title",
    title: "Tide tables",
    source: "auto",
  });
  const long = "潮汐 🌊 ".repeat(60);
  log.rename(long, "user");
  const cut = readFileSync(log.path!);
  expect(cut[255]).toBe(0x0a);
  const { title } = JSON.parse(cut.subarray(0, 255).toString("utf8"));
  expect(long.startsWith(title) && title.length > 40 && title.isWellFormed()).toBe(true);
  expect(linesOf(log.path!).at(-1)).toMatchObject({ title: long, previousTitle: "Tide tables" });
  expect([log.title, log.titleSource]).toEqual([long, "user"]);
  await log.close();
});

test("an automatic title never replaces one that a person gave", async () => {
  using place = scratch();
  const log = stored(place.folder);
  log.rename("Guessed", "auto");
  log.rename("Guessed better", "auto");
  log.rename("Mine", "user");
  const before = readFileSync(log.path!, "utf8");
  log.rename("Guessed again", "auto");
  expect(readFileSync(log.path!, "utf8")).toBe(before);
  await log.close();
  await using again = await SessionLog.open({ path: log.path!, ...doors(2) });
  again.rename("Guessed later", "auto");
  expect([again.title, again.titleSource]).toEqual(["Mine", "user"]);
});

test("a title given before there is a file is in slot, header and entry", async () => {
  using place = scratch();
  await using log = SessionLog.create({ cwd: "/w", folder: place.folder, ...doors() });
  log.rename("Early", "auto");
  log.persist();
  const given = { title: "Early" };
  expect(linesOf(log.path!)).toMatchObject([given, { ...given, titleSource: "auto" }, given]);
  expect(log.header).toMatchObject({ title: "Early", titleSource: "auto" });
});

test("SESS-32 titles of other programs are read: entries, and pi's session_info", async () => {
  const open = (path: string) => SessionLog.open({ path, access: "read", ...doors() });
  await using pi = await open(golden("pi-0.73.1-title"));
  expect(pi.title).toBe('Gezeiten – 潮汐表 "quoted" 🌊');
  await using cleared = await open(golden("omp-18.2.3-tui-clear"));
  expect([cleared.title, cleared.titleSource]).toEqual(["Before the clear", "auto"]);
  expect(contextOf(cleared.branch()).messages.length).toBe(2);

  using place = scratch();
  const path = join(place.folder, "pinned.jsonl");
  const at = (id: string, parentId: string | null, fields: object) => ({
    ...{ type: "custom", id, parentId, timestamp: "2026-01-01T00:00:00.000Z" },
    ...fields,
  });
  const header = { type: "session", version: 3, id: "s", timestamp: "t", cwd: "/w" };
  const pin = at("b", "a", { type: "credential_pin", hash: "x" });
  const change = { type: "title_change", title: "Given", source: "user", trigger: "plan" };
  writeFileSync(path, jsonl(header, at("a", null, change), pin));
  await using pinned = await open(path);
  expect([pinned.title, pinned.titleSource]).toEqual(["Given", "user"]);
  expect(pinned.entries[1]).toEqual(pin);
  expect(contextOf(pinned.branch()).messages).toEqual([]);
});

test("a slot that is torn or empty leaves the word to the last entry, then to the header", async () => {
  using place = scratch();
  const path = join(place.folder, "torn.jsonl");
  const timestamp = "2026-01-01T00:00:00.000Z";
  const header = { type: "session", version: 3, id: "s", timestamp, cwd: "/w", title: "Old" };
  const change = { type: "title_change", id: "a", parentId: null, timestamp, title: "New" };
  const titled = async (text: string) => {
    writeFileSync(path, text);
    await using log = await SessionLog.open({ path, access: "read", ...doors() });
    return log.title;
  };
  const torn = '{"type":"title","v":1,"title":"To\n';
  const empty = `${JSON.stringify({ type: "title", v: 1, title: "", pad: "" })}\n`;
  expect(await titled(torn + jsonl(header))).toBe("Old");
  expect(await titled(torn + jsonl(header, change))).toBe("New");
  expect(await titled(empty + jsonl(header, change))).toBe("New");
  const log = await SessionLog.open({ path, ...doors() });
  log.rename("Newest", "user");
  await log.close();
  await using again = await SessionLog.open({ path, access: "read", ...doors() });
  expect(again.title).toBe("Newest");
});

test("a file without a slot is renamed by an entry alone", async () => {
  using place = scratch();
  const path = join(place.folder, "pi.jsonl");
  cpSync(golden("pi-0.73.1-smoke"), path);
  const before = readFileSync(path, "utf8");
  const log = await SessionLog.open({ path, ...doors() });
  log.rename("Mine", "user");
  await log.close();
  const after = readFileSync(path, "utf8");
  expect(after.startsWith(before)).toBe(true);
  expect(after.slice(before.length).split("\n").length).toBe(2);
  await using again = await SessionLog.open({ path, access: "read", ...doors() });
  expect(again.title).toBe("Mine");
});
