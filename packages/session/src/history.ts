/** What the person has typed, over all sessions: kept apart from them, written off the path of a turn. */

import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "bun:sqlite";
import { lazy, log, messageOf, type Clock } from "@omp/std";
import { makePrivateFolder } from "./private-folder.ts";

export interface TypedPrompt {
  readonly prompt: string;
  readonly cwd?: string;
  readonly sessionId?: string;
}

export interface RememberedPrompt extends TypedPrompt {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
}

/** Prompts of one moment are written together. */
const BATCH_MS = 100;

const TABLES = `
CREATE TABLE IF NOT EXISTS history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  prompt TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  cwd TEXT,
  session_id TEXT
);
CREATE VIRTUAL TABLE IF NOT EXISTS history_fts USING fts5(
  prompt, content='history', content_rowid='id'
);
CREATE TRIGGER IF NOT EXISTS history_ai AFTER INSERT ON history BEGIN
  INSERT INTO history_fts (rowid, prompt) VALUES (new.id, new.prompt);
END;
CREATE TRIGGER IF NOT EXISTS history_ad AFTER DELETE ON history BEGIN
  INSERT INTO history_fts (history_fts, rowid, prompt) VALUES ('delete', old.id, old.prompt);
END;
CREATE TRIGGER IF NOT EXISTS history_au AFTER UPDATE ON history BEGIN
  INSERT INTO history_fts (history_fts, rowid, prompt) VALUES ('delete', old.id, old.prompt);
  INSERT INTO history_fts (rowid, prompt) VALUES (new.id, new.prompt);
END;`;

interface Row {
  readonly id: number;
  readonly prompt: string;
  readonly created_at: number;
  readonly cwd: string | null;
  readonly session_id: string | null;
}

/** Best effort throughout: a history that cannot be kept is said in the log and costs nobody a turn. */
export class PromptHistory implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #database: () => Promise<Database | undefined>;
  #waiting: (TypedPrompt & { readonly createdMs: number })[] = [];
  #callOff: (() => void) | undefined;
  #last: string | undefined;

  /** @param path of the database; it is made when something is first written or asked */
  constructor(path: string, clock: Clock) {
    this.#clock = clock;
    this.#database = lazy(() => openDatabase(path));
  }

  /** Returns at once. What repeats the prompt before it is dropped. */
  add(typed: TypedPrompt): void {
    const prompt = typed.prompt.trim();
    if (prompt === "" || prompt === this.#last) return;
    this.#last = prompt;
    this.#waiting.push({ ...typed, prompt, createdMs: this.#clock.now() });
    this.#callOff ??= this.#clock.after(BATCH_MS, () => void this.flush());
  }

  /** Newest first. */
  async recent(limit: number): Promise<readonly RememberedPrompt[]> {
    await this.flush();
    const database = await this.#database();
    const sql = "SELECT * FROM history ORDER BY id DESC LIMIT ?";
    return safely(() => database?.query<Row, [number]>(sql).all(limit) ?? []).map(fromRow);
  }

  /** Prompts that have a word beginning with each of these, newest first. */
  async search(words: string, limit: number): Promise<readonly RememberedPrompt[]> {
    await this.flush();
    const wanted = words.split(/[\s\0]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
    if (wanted.length === 0) return [];
    const match = wanted.map((word) => `"${word.replaceAll('"', '""')}" *`).join(" ");
    const database = await this.#database();
    const sql = `SELECT history.* FROM history_fts JOIN history ON history.id = history_fts.rowid
      WHERE history_fts MATCH ? ORDER BY history.id DESC LIMIT ?`;
    const rows = () => database?.query<Row, [string, number]>(sql).all(match, limit) ?? [];
    return safely(rows).map(fromRow);
  }

  /** Resolves when all that was added is written. */
  async flush(): Promise<void> {
    this.#callOff?.();
    this.#callOff = undefined;
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    const database = await this.#database();
    if (database) safely(() => (write(database, batch), []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    (await this.#database())?.close();
  }
}

function write(
  database: Database,
  batch: readonly (TypedPrompt & { readonly createdMs: number })[],
): void {
  const insert = database.query(
    "INSERT INTO history (prompt, created_at, cwd, session_id) VALUES (?, ?, ?, ?)",
  );
  const last = database.query<Row, []>("SELECT * FROM history ORDER BY id DESC LIMIT 1");
  database
    .transaction(() => {
      for (const { prompt, createdMs, cwd, sessionId } of batch) {
        // The prompt before this one may be from another process, or from yesterday.
        if (last.get()?.prompt === prompt) continue;
        insert.run(prompt, Math.trunc(createdMs / 1000), cwd ?? null, sessionId ?? null);
      }
    })
    .immediate();
}

async function openDatabase(path: string): Promise<Database | undefined> {
  const sqlite = await import("bun:sqlite");
  try {
    makePrivateFolder(dirname(path));
    // SQLite would make it readable for everybody, and gives its side files the mode of this one.
    closeSync(openSync(path, "a", 0o600));
    const database = new sqlite.Database(path);
    database.run("PRAGMA busy_timeout = 1000");
    database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = NORMAL");
    database.run(TABLES);
    addSessionColumn(database);
    return database;
  } catch (error) {
    log.warn("prompt-history-unusable", { path, error: messageOf(error) });
    return undefined;
  }
}

/** Histories of older programs know no session. */
function addSessionColumn(database: Database): void {
  const columns = database.query<{ name: string }, []>("PRAGMA table_info(history)").all();
  if (columns.some(({ name }) => name === "session_id")) return;
  database.run("ALTER TABLE history ADD COLUMN session_id TEXT");
}

function safely(action: () => readonly Row[]): readonly Row[] {
  try {
    return action();
  } catch (error) {
    log.warn("prompt-history-failed", { error: messageOf(error) });
    return [];
  }
}

function fromRow({ id, prompt, created_at: seconds, cwd, session_id: sessionId }: Row) {
  return {
    id,
    prompt,
    createdMs: seconds * 1000,
    ...(cwd !== null && { cwd }),
    ...(sessionId !== null && { sessionId }),
  };
}
