/**
 * What finding a session costs: `node script/bun.mjs bench/search.ts`.
 *
 * 1,000 sessions in 50 projects. A search (fresh files found, 20 sessions with snippets) as a ratio to
 * its floor: one `stat` for each file and a bare query for the rows; the list likewise, as a ratio to the
 * stats alone. Next to them what reading every file would take, and how fast the index is built.
 */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { openSessionIndex, phrasesOf, projectFolders, type SessionIndex } from "@omp/session";
import { seededRandom, type Random } from "@omp/std";
import { median, round, timed } from "./measure.ts";

const SAMPLES = Number(process.env["BENCH_SAMPLES"] ?? 20);
const SESSIONS = 1000;
const PROJECTS = 50;
const ENTRIES = 40;
const SYLLABLES = ["ta", "ko", "li", "re", "mun", "sa", "dor", "vi", "ne", "pal", "gi", "or"];
/** Two words, a name, the beginning of many words, a number, a phrase, and nothing. */
const QUERIES = ["takoli munsa", "harbour", "dor", "rare471", "ta-ko-li", "nowhere"];

const root = mkdtempSync(join(tmpdir(), "omp-bench-"));
try {
  await main(join(root, "sessions"), join(root, "sessions.db"));
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function main(sessions: string, path: string): Promise<void> {
  const bytes = generate(sessions);
  const folders = projectFolders(sessions);
  const built = await timed(async () => {
    using index = await openSessionIndex(path);
    await index.list(folders);
  });
  const read = await timed(async () => readAll(folders));
  console.log(
    `index of ${SESSIONS} sessions, ${round(bytes / 1e6)} MB: ${round(built)} ms, ${round(built / read)} times reading them`,
  );
  using index = await openSessionIndex(path);
  using database = new Database(path, { readonly: true });
  await compare(
    "search",
    () => search(index, folders),
    () => {
      for (const query of QUERIES) {
        statAll(folders);
        match(database, query);
      }
    },
    QUERIES.length,
  );
  await compare(
    "list",
    () => index.list(folders),
    () => statAll(folders),
    1,
  );
  console.log(
    `reading every file for one query: ${round(await timed(async () => grep(folders)))} ms`,
  );
}

/** Both are run in turn, so that a busy machine is busy for both. */
async function compare(
  name: string,
  ours: () => Promise<unknown>,
  floor: () => void,
  each: number,
): Promise<void> {
  const own: number[] = [];
  const least: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    own.push((await timed(ours)) / each);
    least.push((await timed(async () => floor())) / each);
  }
  const [all, bare] = [median(own), median(least)];
  const verdict = all <= 50 ? "ok" : "MISSED";
  console.log(
    `${name}: ${round(all)} ms, floor ${round(bare)} ms, ratio ${round(all / bare)}; reach 50 ms  ${verdict}`,
  );
}

async function search(index: SessionIndex, folders: readonly string[]): Promise<void> {
  for (const query of QUERIES) await index.search(query, folders);
}

function match(database: Database, query: string): void {
  const wanted = phrasesOf(query).map((words) => `"${words.join(" ")}" *`);
  database.query("SELECT rowid FROM words WHERE words MATCH ?").values(wanted.join(" "));
}

function filesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
}

function statAll(folders: readonly string[]): void {
  for (const file of filesIn(folders)) statSync(file);
}

function readAll(folders: readonly string[]): void {
  for (const file of filesIn(folders)) readFileSync(file);
}

function grep(folders: readonly string[]): number {
  return filesIn(folders).filter((file) => readFileSync(file, "utf8").includes("harbour")).length;
}

function generate(sessions: string): number {
  const random = seededRandom(1);
  const vocabulary = Array.from({ length: 8000 }, () => pseudoWord(random));
  // Few words are frequent and most are rare, as in any language.
  const words = (count: number) =>
    Array.from({ length: count }, () => vocabulary[Math.trunc(8000 ** random.next()) - 1]).join(
      " ",
    );
  let bytes = 0;
  for (let number = 0; number < SESSIONS; number++) {
    const folder = join(sessions, `-project-${number % PROJECTS}`);
    mkdirSync(folder, { recursive: true });
    const lines: object[] = [
      {
        type: "session",
        version: 3,
        id: `s${number}`,
        timestamp: "2026-01-02T03:04:05.678Z",
        cwd: "/x",
      },
    ];
    for (let entry = 0; entry < ENTRIES; entry++) {
      const rare = entry === 20 ? ` rare${number} ${number % 10 === 0 ? "harbour" : ""}` : "";
      const role = entry % 2 === 0 ? "user" : "assistant";
      const content = [{ type: "text", text: words(entry % 2 === 0 ? 30 : 200) + rare }];
      const parentId = entry === 0 ? null : `e${entry - 1}`;
      lines.push({
        type: "message",
        id: `e${entry}`,
        parentId,
        message: { role, content, stopReason: "stop" },
      });
    }
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    bytes += text.length;
    writeFileSync(join(folder, `2026-01-02T03-04-05-678Z_s${number}.jsonl`), text);
  }
  return bytes;
}

function pseudoWord(random: Random): string {
  const count = 2 + Math.trunc(random.next() * 3);
  return Array.from({ length: count }, () => SYLLABLES[Math.trunc(random.next() * 12)]).join("");
}
