/** The history of prompts: written in batches, found again by their words, the same after a restart. */

import { PromptHistory } from "@omp/session";
import { systemClock } from "@omp/std";
import { manualClock } from "@omp/testkit";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "./scratch.ts";

test("SESS-08 prompts are kept, searched and there after a restart; repetitions are dropped", async () => {
  using place = scratch();
  const path = join(place.folder, "agent/history.db");
  {
    await using history = new PromptHistory(path, systemClock);
    history.add({ prompt: "fix the tide table", cwd: "/x", sessionId: "s1" });
    history.add({ prompt: "fix the tide table", cwd: "/x", sessionId: "s1" });
    history.add({ prompt: " ", cwd: "/x" });
    history.add({ prompt: "run the tests" });
    history.add({ prompt: "fix the tide table" });
  }
  await using again = new PromptHistory(path, systemClock);
  again.add({ prompt: "fix the tide table" });
  const prompts = (await again.recent(10)).map(({ prompt }) => prompt);
  expect(prompts).toEqual(["fix the tide table", "run the tests", "fix the tide table"]);
  expect(await again.recent(1)).toHaveLength(1);
  const found = await again.search("TIDE fi", 10);
  expect(found.map(({ id }) => id)).toEqual([3, 1]);
  expect(found[1]).toMatchObject({ cwd: "/x", sessionId: "s1", createdMs: expect.any(Number) });
  expect(await again.search('"tests" OR (', 10)).toEqual([]);
  expect(await again.search('"tests', 10)).toHaveLength(1);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(place.folder, "agent")).mode & 0o777).toBe(0o700);
});

test("SESS-08 the table is history(id, prompt, created_at, cwd, session_id); triggers keep its index", async () => {
  using place = scratch();
  const path = join(place.folder, "history.db");
  {
    await using history = new PromptHistory(path, systemClock);
    history.add({ prompt: "alpha" });
  }
  using database = new Database(path);
  const columns = database.query<{ name: string }, []>("PRAGMA table_info(history)").all();
  expect(columns.map(({ name }) => name)).toEqual([
    "id",
    "prompt",
    "created_at",
    "cwd",
    "session_id",
  ]);
  const count = (word: string) =>
    database.query("SELECT count(*) AS n FROM history_fts WHERE history_fts MATCH ?").get(word);
  database.run("UPDATE history SET prompt = 'beta'");
  expect([count("alpha"), count("beta")]).toEqual([{ n: 0 }, { n: 1 }]);
  database.run("DELETE FROM history");
  expect(count("beta")).toEqual({ n: 0 });
});

test("SESS-08 adding returns at once: nothing is written before about 100 ms, then all in one go", async () => {
  using place = scratch();
  const path = join(place.folder, "history.db");
  const clock = manualClock();
  const history = new PromptHistory(path, clock);
  history.add({ prompt: "one" });
  history.add({ prompt: "two" });
  clock.advance(90);
  expect(existsSync(path)).toBe(false);
  clock.advance(20);
  expect((await history.recent(9)).map(({ prompt }) => prompt)).toEqual(["two", "one"]);
  await history[Symbol.asyncDispose]();
});

test("a history that cannot be kept disturbs nobody; an older table learns of sessions", async () => {
  using place = scratch();
  const broken = join(place.folder, "broken.db");
  writeFileSync(broken, "no database".repeat(500));
  await using history = new PromptHistory(broken, systemClock);
  history.add({ prompt: "x" });
  expect(await history.recent(5)).toEqual([]);
  const old = join(place.folder, "old.db");
  {
    using database = new Database(old);
    database.run(
      "CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL, created_at INTEGER NOT NULL, cwd TEXT)",
    );
  }
  await using older = new PromptHistory(old, systemClock);
  older.add({ prompt: "y", sessionId: "s" });
  expect(await older.recent(5)).toMatchObject([{ prompt: "y", sessionId: "s" }]);
});
