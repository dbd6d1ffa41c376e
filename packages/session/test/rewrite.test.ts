/** Whole files replaced, and files that were damaged: nothing that was in them is lost. */

import { expect, test } from "bun:test";
import {
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { contextOf, readSessionFile, SessionLog } from "@omp/session";
import { copyLines, replaceFileWith, writeAll } from "../src/rewrite.ts";
import { doors, jsonl, linesOf, said, scratch } from "./scratch.ts";

const TIME = "2026-01-01T00:00:00.000Z";
const HEADER = { type: "session", version: 3, id: "s", timestamp: TIME, cwd: "/w" };
const user = (id: string, parentId: string | null, text: string) => ({
  type: "message",
  id,
  parentId,
  timestamp: TIME,
  message: { role: "user", content: text, timestamp: 1 },
});

const refused = (code: string) => Object.assign(new Error(code), { code });

function replaced(path: string, text: string, rename: (from: string, to: string) => void): void {
  const from = openSync(path, "r");
  try {
    closeSync(replaceFileWith(path, (to) => copyLines(from, to, { tail: text }), { rename }));
  } finally {
    closeSync(from);
  }
}

test("an original that is to be kept is kept once, and nothing that stands at its name is lost", () => {
  using place = scratch();
  const path = join(place.folder, "s.jsonl");
  const replace = (text: string) =>
    closeSync(replaceFileWith(path, (to) => writeAll(to, Buffer.from(text)), { keepAs: ".bak" }));
  writeFileSync(path, "first\n");
  // Somebody was stopped here.
  linkSync(path, `${path}.bak`);
  replace("second\n");
  expect(readdirSync(place.folder).toSorted()).toEqual(["s.jsonl", "s.jsonl.bak"]);
  replace("third\n");
  const texts = readdirSync(place.folder).map((name) =>
    readFileSync(join(place.folder, name), "utf8"),
  );
  expect(texts.toSorted()).toEqual(["first\n", "second\n", "third\n"]);
});

test("SESS-50 whatever step fails, the path holds the old file or the new one, and nothing else is left", () => {
  using place = scratch();
  const path = join(place.folder, "s.jsonl");
  const old = jsonl(HEADER);
  const now = old + jsonl(user("a", null, "new"));
  const onlyFile = () => {
    expect(readdirSync(place.folder)).toEqual(["s.jsonl"]);
    return readFileSync(path, "utf8");
  };
  const add = (rename: (from: string, to: string) => void) => {
    writeFileSync(path, old);
    replaced(path, jsonl(user("a", null, "new")), rename);
  };
  add(renameSync);
  expect(onlyFile()).toBe(now);

  expect(() =>
    add(() => {
      throw refused("EIO");
    }),
  ).toThrow("EIO");
  expect(onlyFile()).toBe(old);

  // A system that does not replace a file in use lets it be moved aside.
  const careful = (from: string, to: string) => {
    if (to === path && readdirSync(place.folder).includes("s.jsonl")) throw refused("EPERM");
    renameSync(from, to);
  };
  add(careful);
  expect(onlyFile()).toBe(now);

  // It is moved aside, but the new one does not go to its place: the old one goes back.
  let moves = 0;
  const failing = (from: string, to: string) => {
    if (to === path && ++moves < 3) throw refused("EPERM");
    renameSync(from, to);
  };
  expect(() => add(failing)).toThrow("EPERM");
  expect(onlyFile()).toBe(old);
});

test("SESS-50 a process that died between the two moves loses nothing: the newest file aside is the session", async () => {
  using place = scratch();
  const path = join(place.folder, "s.jsonl");
  const aside = (name: string, text: string, age: number) => {
    const file = join(place.folder, name);
    writeFileSync(file, jsonl(HEADER, user("a", null, text)));
    utimesSync(file, new Date(Date.now() - age), new Date(Date.now() - age));
  };
  aside("s.jsonl.00000001.old", "older", 60_000);
  aside("s.jsonl.00000002.old", "newest", 1000);
  aside("other.jsonl.00000003.old", "another session", 0);
  const log = await SessionLog.open({ path, ...doors() });
  expect(log.entries).toMatchObject([{ message: { content: "newest" } }]);
  log.append(said("goes on"));
  await log.close();
  expect((await readSessionFile(path)).entries.length).toBe(2);
});

test("SESS-73 a migration changes only what it must: ids are stable, other lines keep their bytes", async () => {
  using place = scratch();
  const path = join(place.folder, "v2.jsonl");
  const hook = { ...user("b", "a", "x"), message: { role: "hookMessage", content: "from a hook" } };
  // Spaces, escapes and the order of fields are the writer's own.
  const odd = `{ "timestamp":"${TIME}", "id":"a", "parentId":null, "type":"custom", "n": 1.0, "s":"\\u0041" }\r`;
  const lines = ["garbage {", odd, "\0\0\0", JSON.stringify(user("c", "b", "é")), '{"no":"entry"}'];
  const text = [
    JSON.stringify({ ...HEADER, version: 2 }),
    ...lines,
    JSON.stringify(hook),
    "torn {",
  ];
  writeFileSync(path, text.join("\n"));
  const log = await SessionLog.open({ path, ...doors() });
  const before = log.entries.map(({ id, parentId }) => [id, parentId]);
  log.append(said("next"));
  await log.close();
  const after = readFileSync(path, "utf8").split("\n");
  expect(after.slice(2, 2 + lines.length)).toEqual(lines);
  expect(JSON.parse(after[7]!)).toEqual({ ...hook, message: { ...hook.message, role: "custom" } });
  expect(after[8]).toBe("torn {");
  expect(JSON.parse(after[9]!)).toMatchObject({ message: { content: "next" } });
  const again = await readSessionFile(path);
  expect(again.isOutdated).toBe(false);
  expect(again.entries.slice(0, 3).map(({ id, parentId }) => [id, parentId])).toEqual(before);
});

test("a version 1 file keeps the lines that cannot be read", async () => {
  using place = scratch();
  const path = join(place.folder, "v1.jsonl");
  const message = (text: string) => ({
    type: "message",
    timestamp: TIME,
    message: { role: "user", content: text },
  });
  const { version: _, ...header } = HEADER;
  writeFileSync(
    path,
    `${jsonl(header, message("one"))}gar\0bage\n${jsonl({ odd: 1 }, message("two"))}`,
  );
  const log = await SessionLog.open({ path, ...doors() });
  const said2 = contextOf(log.branch()).messages.map(({ content }) => content);
  expect(said2).toEqual(["one", "two"]);
  log.append(said("three"));
  await log.close();
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines[3]).toBe("gar\0bage");
  expect(lines[4]).toBe('{"odd":1}');
  const again = await readSessionFile(path);
  expect(contextOf(again.entries).messages.length).toBe(3);
});

test("a file that is only opened and closed again stays as it is, whatever its version", async () => {
  using place = scratch();
  for (const version of [1, 2, 3]) {
    const path = join(place.folder, `v${version}.jsonl`);
    writeFileSync(path, jsonl({ ...HEADER, version }, user("a", null, "hi")));
    const before = readFileSync(path, "utf8");
    const log = await SessionLog.open({ path, ...doors() });
    await log.sync();
    await log.close();
    expect(readFileSync(path, "utf8")).toBe(before);
  }
  expect(readdirSync(place.folder).length).toBe(3);
});

test.each([
  ["gone", ""],
  ["torn", '{"type":"session","ver\n'],
  ["not JSON any more", "}}}}\n"],
  ["behind a torn title", '{"type":"title","v":1,"ti\n{"type":"sess\n'],
])("a header that is %s: the entries are there, and the original is kept", async (_, start) => {
  using place = scratch();
  const path = join(place.folder, "2026-01-01T00-00-00-000Z_the-id.jsonl");
  const entries = [user("a", null, "one"), user("b", "a", "two")];
  const original = start + jsonl(...entries);
  writeFileSync(path, original);
  const log = await SessionLog.open({ path, cwd: "/here", ...doors() });
  expect(log.header).toMatchObject({ id: "the-id", version: 3, cwd: "/here", timestamp: TIME });
  expect(log.entries).toEqual(entries);
  expect(log.problems).toContainEqual({ line: 1, kind: "no-header" });
  expect(readFileSync(path, "utf8")).toBe(original);

  const added = log.append(said("three"));
  expect(added.parentId).toBe("b");
  await log.close();
  expect(readFileSync(path, "utf8")).toContain(original);
  const kept = readdirSync(place.folder).find((name) => name.endsWith(".bak"))!;
  expect(readFileSync(join(place.folder, kept), "utf8")).toBe(original);
  const again = await readSessionFile(path);
  expect(again.header).toMatchObject({ id: "the-id", cwd: "/here" });
  expect(again.entries).toEqual([...entries, added]);
});

test("an entry whose line is cut in the middle keeps its place: what was before it is not lost", async () => {
  using place = scratch();
  const path = join(place.folder, "halved.jsonl");
  const [a, b, c] = [user("a", null, "one"), user("b", "a", "two"), user("c", "b", "three")];
  const halved = `${JSON.stringify(b).slice(0, -30)}\n`;
  writeFileSync(path, jsonl(HEADER, a) + halved + jsonl(c));
  await using log = await SessionLog.open({ path, ...doors() });
  expect(contextOf(log.branch()).messages.map(({ content }) => content)).toEqual(["one", "three"]);
  expect(log.problems).toEqual([{ line: 3, kind: "not-json" }]);
  expect(log.branch()[1]).toMatchObject({ type: "unreadable", id: "b", parentId: "a" });
  log.append(said("four"));
  expect(readFileSync(path, "utf8")).toContain(halved);
});

test("SOP-52 when a middle line is gone, both parts are there, as two roots", async () => {
  using place = scratch();
  const path = join(place.folder, "gap.jsonl");
  writeFileSync(
    path,
    jsonl(HEADER, user("a", null, "one"), user("c", "b", "three"), user("d", "c", "4")),
  );
  await using log = await SessionLog.open({ path, ...doors() });
  expect(log.tree().map(({ entry, children }) => [entry.id, children.length])).toEqual([
    ["a", 0],
    ["c", 1],
  ]);
  log.moveLeaf("a");
  expect(log.append(said("two")).parentId).toBe("a");
  log.moveLeaf("d");
  expect(log.branch().map(({ id }) => id)).toEqual(["c", "d"]);
});

test("of two entries with one id both are there, and what follows the second hangs under it", async () => {
  using place = scratch();
  const path = join(place.folder, "twins.jsonl");
  const twins = [user("a", null, "root"), user("x", "a", "first"), user("y", "x", "under first")];
  const later = [user("x", "a", "second"), user("z", "x", "under second")];
  writeFileSync(path, jsonl(HEADER, ...twins, ...later));
  const log = await SessionLog.open({ path, ...doors() });
  expect(log.problems).toEqual([{ line: 5, kind: "duplicate-id" }]);
  expect(new Set(log.entries.map(({ id }) => id)).size).toBe(5);
  const texts = (leaf: string) =>
    contextOf(log.branch(leaf)).messages.map(({ content }) => content);
  expect(texts("y")).toEqual(["root", "first", "under first"]);
  expect(texts("z")).toEqual(["root", "second", "under second"]);
  const second = log.entries[3]!.id;
  log.setLabel(second, "the second");
  log.moveLeaf(second);
  const added = log.append(said("under second, too"));
  await log.close();
  // The ids are made from what is in the file, so every reader finds the same.
  await using again = await SessionLog.open({ path, access: "read", ...doors(9) });
  expect(again.branch().map(({ id }) => id)).toEqual(["a", second, added.id]);
  expect(linesOf(path).filter(({ id }) => id === "x").length).toBe(2);
});
