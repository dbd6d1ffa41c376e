/** The search over sessions gives what reading everything would give, whatever is asked and however files change. */

import { entryText, openSessionIndex, phrasesOf, wordsOf, type Fields } from "@omp/session";
import { seededRandom, type Random } from "@omp/std";
import { expect, test } from "bun:test";
import { appendFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonl, linesOf, scratch } from "./scratch.ts";

const PIECES = [
  "tide",
  "Tide",
  "TIDES",
  "harbour",
  "fix",
  "fixed",
  "src/tide.ts",
  "foo_bar",
  "a-b",
  "42",
  "0x1F",
  "潮汐表",
  "潮",
  "テスト",
  "がくせい",
  "한국어",
  "ไทย",
  "Größe",
  "GRÖSSE",
  "café",
  "cafe\u0301",
  "ﬁx",
  "İstanbul",
  "ΣΑΣ",
  "σας",
  "é",
  "🌊",
  "👩‍💻",
  "→",
  "½",
  "①",
  "ﷺ",
  "\u0000",
  "\ud800",
  '"',
  "'",
  "*",
  "^",
  "(",
  ")",
  "AND",
  "OR",
  "NOT",
  "NEAR(",
  "col:",
  "-",
  "+",
  "\\",
  "%",
  ";--",
  "\n",
  "\t",
  "text:tide",
  '"tide',
  "tide*",
  "ℌ",
  "＋",
  "\u200b",
  "हिन्दी",
] as const;

function pick<Value>(random: Random, from: readonly Value[]): Value {
  return from[Math.trunc(random.next() * from.length)]!;
}

function phrase(random: Random, most: number): string {
  const count = 1 + Math.trunc(random.next() * most);
  return Array.from({ length: count }, () => pick(random, PIECES)).join(
    pick(random, [" ", " ", ""]),
  );
}

function line(random: Random, id: string): object {
  const text = phrase(random, 12);
  const fields = { id, parentId: null, timestamp: "2026-01-02T03:04:05.678Z" };
  const block = {
    type: "toolCall",
    id: "1",
    name: "bash",
    arguments: { command: [text], deep: { text } },
  };
  return pick(random, [
    { type: "message", ...fields, message: { role: "user", content: text } },
    {
      type: "message",
      ...fields,
      message: { role: "assistant", content: [{ type: "text", text }] },
    },
    { type: "message", ...fields, message: { role: "assistant", content: [block] } },
    { type: "message", ...fields, message: { role: "bashExecution", command: "ls", output: text } },
    { type: "branch_summary", ...fields, fromId: "root", summary: text },
    { type: "custom", ...fields, customType: "x", data: { text } },
    { type: "title_change", ...fields, title: text },
  ]);
}

/** What reading every entry of every file finds. */
function bruteForce(folder: string, query: string): string[] {
  const phrases = phrasesOf(query);
  if (phrases.length === 0) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return files
    .flatMap((name) => linesOf(join(folder, name)).map((fields) => ({ name, fields })))
    .filter(({ fields }) => hasAll(fields, phrases))
    .map(({ name, fields }) => `${name} ${String(fields.id)}`)
    .toSorted();
}

function hasAll(fields: Fields, phrases: readonly (readonly string[])[]): boolean {
  const words = wordsOf(entryText(fields)?.text ?? "");
  return phrases.every((wanted) =>
    words.some((_, start) =>
      wanted.every((word, at) => {
        const found = words[start + at] ?? "";
        return at === wanted.length - 1 ? found.startsWith(word) && found !== "" : found === word;
      }),
    ),
  );
}

async function indexed(folder: string, query: string): Promise<string[]> {
  using index = await openSessionIndex(join(folder, "sessions.db"));
  const hits = await index.search(query, [folder], { sessions: Infinity, entries: Infinity });
  return hits
    .map(({ session, entryId }) => `${session.path.slice(folder.length + 1)} ${entryId}`)
    .toSorted();
}

test("the index finds what brute force finds: random sessions that grow, shrink, move and go away", async () => {
  using place = scratch();
  const random = seededRandom(7);
  const { folder } = place;
  const header = {
    type: "session",
    version: 3,
    id: "s",
    timestamp: "2026-01-02T03:04:05.678Z",
    cwd: "/x",
  };
  let count = 0;
  const lines = (most: number) =>
    jsonl(
      ...Array.from({ length: 1 + Math.trunc(random.next() * most) }, () =>
        line(random, `e${count++}`),
      ),
    );
  for (let file = 0; file < 20; file++)
    writeFileSync(join(folder, `f${file}.jsonl`), jsonl(header) + lines(30));
  for (let round = 0; round < 40; round++) {
    const path = join(folder, `f${Math.trunc(random.next() * 20)}.jsonl`);
    const deed = pick(random, ["grow", "grow", "grow", "replace", "rename", "delete"]);
    if (deed === "grow") appendFileSync(path, lines(3));
    else if (deed === "replace") writeFileSync(path, jsonl(header) + lines(30));
    else if (deed === "delete") rmSync(path, { force: true });
    else if (readdirSync(folder).includes(path.slice(folder.length + 1)))
      renameSync(path, join(folder, `m${round}.jsonl`));
    for (let asked = 0; asked < 10; asked++) {
      const query = phrase(random, 3);
      expect([query, await indexed(folder, query)]).toEqual([query, bruteForce(folder, query)]);
    }
  }
});

test("words are found whatever their case, accents and width; a beginning is enough", async () => {
  using place = scratch();
  const message = (text: string) => ({ role: "user", content: text });
  const said = (id: string, text: string) => ({
    type: "message",
    id,
    parentId: null,
    message: message(text),
  });
  writeFileSync(
    join(place.folder, "a.jsonl"),
    jsonl(
      { type: "session", version: 3, id: "s" },
      said("e1", "Größe der Tabelle"),
      said("e2", "看看潮汐表吧 🌊"),
    ),
  );
  const found = async (query: string) =>
    (await indexed(place.folder, query)).map((hit) => hit.slice(-2));
  expect(await found("grosse")).toEqual([]);
  expect(await found("GROß")).toEqual(["e1"]);
  expect(await found("tabel der")).toEqual(["e1"]);
  expect(await found("汐表")).toEqual(["e2"]);
  expect(await found("表汐")).toEqual([]);
  expect(await found("🌊 潮汐")).toEqual(["e2"]);
  expect(await found('"')).toEqual([]);
});

test("a hit names the entry and shows one safe line around the place", async () => {
  using place = scratch();
  const text = `${"before ".repeat(100)}\x1b[31mneedle\nand\tafter${" rest".repeat(100)}`;
  const entry = {
    type: "message",
    id: "e1",
    parentId: null,
    message: { role: "user", content: text },
  };
  writeFileSync(
    join(place.folder, "a.jsonl"),
    jsonl({ type: "session", version: 3, id: "s" }, entry),
  );
  using index = await openSessionIndex(join(place.folder, "sessions.db"));
  const [hit] = await index.search("needle", [place.folder]);
  expect(hit).toMatchObject({ entryId: "e1", role: "user" });
  expect(hit?.snippet).toMatch(/^….*before needle and after rest.*…$/);
});

test("several processes can build the index at once", async () => {
  using place = scratch();
  const random = seededRandom(3);
  for (let file = 0; file < 30; file++) {
    const entries = Array.from({ length: 40 }, (_, at) => line(random, `e${at}`));
    writeFileSync(
      join(place.folder, `f${file}.jsonl`),
      jsonl({ type: "session", version: 3, id: "s" }, ...entries),
    );
  }
  const script = join(import.meta.dir, "index-once.ts");
  const runs = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, script, place.folder], { stdout: "pipe", stderr: "inherit" }),
  );
  const outputs = await Promise.all(runs.map((run) => run.stdout.text()));
  expect(new Set(outputs).size).toBe(1);
  expect(await indexed(place.folder, "tide")).toEqual(bruteForce(place.folder, "tide"));
  expect(JSON.parse(outputs[0]!)).toEqual(bruteForce(place.folder, "tide").length);
});
