/** Opening what is old, missing, damaged or not a session at all. */

import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { contextOf, readSessionFile, SessionLog } from "@omp/session";
import { answer, doors, jsonl, linesOf, said, scratch } from "./scratch.ts";

const HEADER = {
  type: "session",
  version: 3,
  id: "s",
  timestamp: "2026-01-01T00:00:00.000Z",
  cwd: "/w",
};
const at = (id: string, parentId: string | null, fields: object = {}) => ({
  type: "custom",
  id,
  parentId,
  timestamp: "2026-01-01T00:00:01.000Z",
  customType: "test",
  ...fields,
});

test("SESS-35 SESS-37 a version 1 file becomes a chain in memory, and on disk with the next write", async () => {
  using place = scratch();
  const path = join(place.folder, "v1.jsonl");
  const user = (text: string) => ({
    type: "message",
    timestamp: "t",
    message: { role: "user", content: text },
  });
  const { version: _, ...oldHeader } = HEADER;
  const compaction = { type: "compaction", timestamp: "t", summary: "SUM", firstKeptEntryIndex: 2 };
  writeFileSync(path, jsonl(oldHeader, user("one"), user("two"), user("three"), compaction));
  const before = { bytes: readFileSync(path, "utf8"), ...statSync(path) };

  await using log = await SessionLog.open({ path, ...doors() });
  expect(readFileSync(path, "utf8")).toBe(before.bytes);
  expect(statSync(path).mtimeMs).toBe(before.mtimeMs);
  const ids = log.entries.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(ids.every((id) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
  expect(log.entries.map(({ parentId }) => parentId)).toEqual([null, ...ids.slice(0, -1)]);
  expect(log.entries[3]).toMatchObject({ firstKeptEntryId: ids[1]! });
  expect(log.entries[3]).not.toHaveProperty("firstKeptEntryIndex");
  const { messages } = contextOf(log.branch());
  expect(messages.slice(1).map(({ content }) => content)).toEqual(["two", "three"]);

  const added = log.append(said("next"));
  const [, header, ...entries] = linesOf(path);
  expect(header).toEqual(HEADER);
  expect(entries).toEqual([...log.entries].map((entry) => ({ ...entry })));
  expect(entries.at(-1)?.parentId).toBe(ids[3]);
  expect(added.parentId).toBe(ids[3]!);
  await log.close();
  expect(readdirSync(place.folder)).toEqual(["v1.jsonl"]);
});

test("SESS-36 SESS-37 a version 2 file calls hook messages custom, and is rewritten with the next write", async () => {
  using place = scratch();
  const path = join(place.folder, "v2.jsonl");
  const hook = { role: "hookMessage", customType: "note", content: "from a hook", display: true };
  const entry = at("a", null, { type: "message", message: hook });
  writeFileSync(path, jsonl({ ...HEADER, version: 2 }, entry));
  const before = statSync(path);

  await using log = await SessionLog.open({ path, ...doors() });
  expect(log.entries).toEqual([{ ...entry, message: { ...hook, role: "custom" } }]);
  expect(statSync(path).mtimeMs).toBe(before.mtimeMs);
  const added = log.append(said("next"));
  const lines = linesOf(path);
  expect(lines.slice(1)).toEqual([HEADER, { ...log.entries[0] }, { ...added }]);
});

test("SESS-14 entries of unknown types are passed over and survive a rewrite", async () => {
  using place = scratch();
  const path = join(place.folder, "future.jsonl");
  const future = at("b", "a", { type: "future", deep: { list: [1, null, "x"] } });
  const user = at("c", "b", {
    type: "message",
    message: { role: "user", content: "hi", timestamp: 1 },
  });
  writeFileSync(path, jsonl({ ...HEADER, version: 2, unheardOf: 7 }, at("a", null), future, user));
  await using log = await SessionLog.open({ path, ...doors() });
  expect(log.problems).toEqual([]);
  expect(contextOf(log.branch()).messages.map(({ content }) => content)).toEqual(["hi"]);
  log.append(said("rewrite"));
  expect(linesOf(path)[1]).toEqual({ ...HEADER, unheardOf: 7 });
  expect(linesOf(path)[3]).toEqual(future);
});

test("SESS-16 SESS-17 SESS-18 SESS-19 every role survives load, rewrite and reload", async () => {
  using place = scratch();
  const path = join(place.folder, "roles.jsonl");
  const image = { type: "image", data: "AAAA", mimeType: "image/png" };
  const full = {
    ...answer([
      { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
      { type: "text", text: "yes", textSignature: "sig" },
      {
        type: "toolCall",
        id: "1",
        name: "bash",
        arguments: { command: "ls" },
        thoughtSignature: "sig",
      },
    ]),
    errorMessage: "none",
    responseId: "r",
    duration: 1.5,
    ttft: 0.5,
    providerPayload: { any: ["thing"] },
    stopDetails: {},
    retryRecovery: true,
  };
  const result = {
    role: "toolResult",
    toolCallId: "1",
    toolName: "bash",
    content: [],
    isError: false,
  };
  const messages = [
    { role: "user", content: "text", timestamp: 1, attribution: "user" },
    { role: "user", content: [{ type: "text", text: "blocks" }, image], timestamp: 1 },
    { role: "developer", content: "note", timestamp: 1 },
    full,
    { ...result, timestamp: 1 },
    { ...result, details: { exitCode: 3 }, isError: true, timestamp: 1, useless: true },
    answer([{ type: "text", text: "plain" }]),
    {
      role: "bashExecution",
      command: "ls",
      output: "",
      exitCode: 0,
      cancelled: false,
      truncated: false,
    },
    { role: "pythonExecution", code: "1", output: "1", excludeFromContext: true },
    { role: "fileMention", files: [{ path: "a" }] },
    { role: "custom", customType: "x", content: "c", display: false },
  ];
  const lines = messages.map((message, i) =>
    at(`e${i}`, i === 0 ? null : `e${i - 1}`, { type: "message", message }),
  );
  writeFileSync(path, jsonl({ ...HEADER, version: 2 }, ...lines));
  const log = await SessionLog.open({ path, ...doors() });
  log.append(said("rewrite"));
  await log.close();
  expect(linesOf(path).slice(2, -1)).toEqual(lines);
  const again = await readSessionFile(path);
  expect(again.isOutdated).toBe(false);
  expect(again.entries.slice(0, -1)).toEqual(lines);
});

test.each([
  ["missing", undefined],
  ["empty", ""],
  ["without a header", "just some notes\n"],
  ["with other JSON lines", jsonl({ time: 1 }, { time: 2 })],
])(
  "SESS-39 a file %s opens as empty and becomes a session at exactly its path",
  async (_, text) => {
    using place = scratch();
    const path = join(place.folder, "chosen name");
    if (text !== undefined) writeFileSync(path, text);
    const read = await readSessionFile(path);
    expect([read.header, read.entries]).toEqual([undefined, []]);

    await using log = await SessionLog.open({ path, cwd: "/w", ...doors() });
    expect([log.path, log.leafId, log.entries.length]).toEqual([path, null, 0]);
    expect(linesOf(path).map(({ type }) => type)).toEqual(["title", "session"]);
    expect(linesOf(path)[1]).toMatchObject({ version: 3, id: log.header.id, cwd: "/w" });
    log.append(said("first"));
    expect((await readSessionFile(path)).entries).toEqual([...log.entries]);

    // What was there is somebody's work: it moves aside.
    await log.close();
    const aside = readdirSync(place.folder).filter((name) => name !== "chosen name");
    expect(aside.map((name) => readFileSync(join(place.folder, name), "utf8"))).toEqual(
      text ? [text] : [],
    );
  },
);

test("SESS-39 STOR-42 bad lines are skipped and reported, a torn last line is healed by the next entry", async () => {
  using place = scratch();
  const path = join(place.folder, "torn.jsonl");
  const sound = [at("a", null), at("b", "a"), at("c", "b"), at("d", "missing")];
  const [a, b, c, d] = sound.map((entry) => jsonl(entry));
  const torn = jsonl(at("e", "d")).slice(0, -20);
  const junk = ["not json\n", "[1]\n", "\n", jsonl({ type: "custom" }), jsonl(HEADER), "\0\0\0\n"];
  writeFileSync(path, jsonl(HEADER) + a + junk.join("") + b + c + d + torn);

  const log = await SessionLog.open({ path, ...doors() });
  expect(log.entries).toEqual(sound);
  expect(log.problems).toEqual([
    { line: 3, kind: "not-json" },
    { line: 4, kind: "not-json" },
    { line: 6, kind: "not-an-entry" },
    { line: 7, kind: "not-an-entry" },
    { line: 8, kind: "zeros" },
    { line: 11, kind: "missing-parent" },
    { line: 12, kind: "torn" },
  ]);
  const before = readFileSync(path, "utf8");
  const added = log.append(said("healed"));
  await log.close();
  expect(readFileSync(path, "utf8")).toBe(`${before}\n${jsonl(added)}`);
  expect((await readSessionFile(path)).entries).toEqual([...sound, added]);
});

test("zeros at the end of the file hide neither what is before nor what comes after", async () => {
  using place = scratch();
  const path = join(place.folder, "zeros.jsonl");
  writeFileSync(path, jsonl(HEADER, at("a", null)) + "\0".repeat(4096));
  const log = await SessionLog.open({ path, ...doors() });
  expect(log.problems).toEqual([{ line: 3, kind: "zeros" }]);
  const added = log.append(said("after"));
  await log.close();
  expect((await readSessionFile(path)).entries).toEqual([at("a", null), added]);
});

test("a byte order mark and Windows line ends are no damage", async () => {
  using place = scratch();
  const path = join(place.folder, "windows.jsonl");
  const text = jsonl(HEADER, at("a", null)).replaceAll("\n", "\r\n");
  writeFileSync(path, `\uFEFF${text}\r\n`);
  const { header, entries, problems } = await readSessionFile(path);
  expect([header?.id, entries, problems]).toEqual(["s", [at("a", null)], []]);
});

test("an entry that was glued to a torn line is found", async () => {
  using place = scratch();
  const path = join(place.folder, "glued.jsonl");
  const message = { role: "user", content: [{ type: "text", text: "hi" }], timestamp: 1 };
  const whole = at("b", "a", { type: "message", message });
  const torn = JSON.stringify(at("x", "a", { type: "message", message })).slice(0, -25);
  writeFileSync(path, jsonl(HEADER, at("a", null)) + torn + jsonl(whole));
  const { entries, problems } = await readSessionFile(path);
  expect(entries).toEqual([at("a", null), whole]);
  expect(problems).toEqual([{ line: 3, kind: "not-json" }]);
});

test.each([
  ["small", 0],
  ["large", 3000],
])(
  "whole entries that share a line with others or with garbage are found in a %s file",
  async (_, kilobytes) => {
    using place = scratch();
    const path = join(place.folder, "shared.jsonl");
    const line = (id: string, parentId: string | null) => {
      const { type, ...rest } = at(id, parentId, { text: '}{"type":"x" \\' });
      return JSON.stringify({ type, ...rest });
    };
    const filler = Array.from({ length: kilobytes }, (_none, index) =>
      jsonl({ ...at(`f${index}`, null), filler: "x".repeat(3000) }),
    );
    const torn = line("x", "a").slice(0, -20);
    writeFileSync(
      path,
      [
        jsonl(HEADER),
        ...filler,
        line("a", null),
        line("b", "a"),
        "garbage",
        line("c", "b"),
        "garbage\n",
      ].join("") + `${torn}${line("d", "c")}\n`,
    );
    await using log = await SessionLog.open({ path, ...doors() });
    expect(log.branch().map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(log.entries.length).toBe(kilobytes + 4);
  },
);

test("an older file with something around its header keeps the original", async () => {
  using place = scratch();
  const path = join(place.folder, "bom.jsonl");
  const original = `\uFEFF${jsonl({ ...HEADER, version: 2 }, at("a", null))}`;
  writeFileSync(path, original);
  const log = await SessionLog.open({ path, ...doors() });
  log.append(said("next"));
  await log.close();
  expect(linesOf(path).map(({ type }) => type)).toEqual(["title", "session", "custom", "message"]);
  const kept = readdirSync(place.folder).find((name) => name.endsWith(".bak"))!;
  expect(readFileSync(join(place.folder, kept), "utf8")).toBe(original);
});

test("a path that cannot be read is an error that names it and the reason", async () => {
  using place = scratch();
  const failing = async (path: string) => readSessionFile(path).catch((error: unknown) => error);
  mkdirSync(join(place.folder, "dir.jsonl"));
  writeFileSync(join(place.folder, "file"), "");
  symlinkSync("loop", join(place.folder, "loop"));
  const directory = join(place.folder, "dir.jsonl");
  expect(await failing(directory)).toMatchObject({
    name: "UserError",
    kind: "session",
    message: `Cannot read the session file ${directory}: it is a directory.`,
  });
  const below = join(place.folder, "file", "x.jsonl");
  expect(await failing(below)).toMatchObject({
    kind: "session",
    message: expect.stringContaining(below),
  });
  const loop = join(place.folder, "loop");
  expect(await failing(loop)).toMatchObject({
    kind: "session",
    message: expect.stringContaining(loop),
  });
  expect(await failing("/dev/null")).toMatchObject({
    message: expect.stringContaining("regular file"),
  });
});

test("an older file behind a symlink is rewritten where it is", async () => {
  using place = scratch();
  const [real, link] = [join(place.folder, "real.jsonl"), join(place.folder, "link.jsonl")];
  writeFileSync(real, jsonl({ ...HEADER, version: 2 }, at("a", null)));
  symlinkSync(real, link);
  await using log = await SessionLog.open({ path: link, ...doors() });
  log.append(said("next"));
  expect(linesOf(real).length).toBe(4);
  expect(existsSync(link)).toBe(true);
});
