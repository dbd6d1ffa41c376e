/** The database behind the search: what is known of each session file, and the words of its entries. */

import { closeSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "bun:sqlite";
import { makePrivateFolder } from "./private-folder.ts";
import type { Scan, ScannedText } from "./scan.ts";
import { plainText } from "./tokens.ts";

/** A change of the tables, of the words or of what is counted raises it. */
const INDEX_VERSION = 1;
/** Entry n of session s has the row s * this + n: sessions are found in hits without a join. */
const ROWS_PER_SESSION = 2 ** 24;

/**
 * Words are never taken out: a session that is indexed anew gets another number, and words of numbers
 * that are gone count for nothing.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS session (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  modified_ms REAL NOT NULL,
  inode INTEGER NOT NULL,
  scan TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS entry (
  row INTEGER PRIMARY KEY,
  entry_id TEXT NOT NULL,
  role TEXT NOT NULL,
  offset INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
  text, content='', columnsize=0, tokenize='ascii'
);
-- Fewer, larger pieces: with the usual megabyte most of the time goes into joining them.
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
PRAGMA user_version = ${INDEX_VERSION};`;

/** What a row keeps of a scan, beside its texts. */
export type KeptScan = Omit<Scan, "texts">;

export interface IndexedSession {
  readonly number: number;
  readonly path: string;
  /** Of the file when the scan was done; -1 while there is more to scan. */
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly inode: number;
  readonly scan: KeptScan;
}

export interface IndexedEntry extends Pick<ScannedText, "entryId" | "role" | "offset" | "bytes"> {
  readonly session: number;
}

/** @throws SQLiteError when the file is damaged or cannot be used */
export async function openIndexDatabase(path: string): Promise<IndexDatabase> {
  const { Database } = await import("bun:sqlite");
  if (path !== ":memory:") {
    makePrivateFolder(dirname(path));
    // SQLite would make it readable for everybody, and gives its side files the mode of this one.
    closeSync(openSync(path, "a", 0o600));
  }
  const database = new Database(path);
  try {
    database.run("PRAGMA busy_timeout = 1000");
    database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = NORMAL");
    const version = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
    if ((version?.user_version ?? 0) > INDEX_VERSION) throw new FutureIndexError();
    if (version?.user_version !== INDEX_VERSION) database.run(TABLES);
    return new IndexDatabase(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The file belongs to a later version of omp, which would not forgive its loss. */
export class FutureIndexError extends Error {}

export function removeIndexFile(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
}

interface SessionRow {
  readonly number: number;
  readonly path: string;
  readonly bytes: number;
  readonly modified_ms: number;
  readonly inode: number;
  readonly scan: string;
}

interface EntryRow {
  readonly row: number;
  readonly entry_id: string;
  readonly role: string;
  readonly offset: number;
  readonly bytes: number;
}

export class IndexDatabase implements Disposable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One writer at a time: all of it is there afterwards, or nothing. */
  change<Result>(action: () => Result): Result {
    return this.#database.transaction(action).immediate();
  }

  sessions(): IndexedSession[] {
    return this.#database.query<SessionRow, []>("SELECT * FROM session").all().map(fromRow);
  }

  session(path: string): IndexedSession | undefined {
    const row = this.#database
      .query<SessionRow, [string]>("SELECT * FROM session WHERE path = ?")
      .get(path);
    return row ? fromRow(row) : undefined;
  }

  put(session: Omit<IndexedSession, "number">): number {
    const { path, bytes, modifiedMs, inode, scan } = session;
    const row = this.#database
      .query<{ number: number }, [string, number, number, number, string]>(
        `INSERT INTO session (path, bytes, modified_ms, inode, scan) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (path) DO UPDATE SET bytes = excluded.bytes, modified_ms = excluded.modified_ms,
           inode = excluded.inode, scan = excluded.scan
         RETURNING number`,
      )
      .get(path, bytes, modifiedMs, inode, JSON.stringify(scan));
    return row!.number;
  }

  remove(number: number): void {
    this.#database.query("DELETE FROM session WHERE number = ?").run(number);
    this.#database
      .query("DELETE FROM entry WHERE row >= ? AND row < ?")
      .run(number * ROWS_PER_SESSION, (number + 1) * ROWS_PER_SESSION);
  }

  /**
   * To be called once in a change, and last: whatever else is written makes the index put away what it
   * has gathered so far, which is most of its work.
   */
  addTexts(
    sessions: readonly { readonly session: number; readonly texts: readonly ScannedText[] }[],
  ): void {
    const entry = this.#database.query("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?)");
    const words = this.#database.query("INSERT INTO words (rowid, text) VALUES (?, ?)");
    const rows = sessions.flatMap(({ session, texts }) =>
      texts
        .filter(({ ordinal }) => ordinal < ROWS_PER_SESSION)
        .map((text) => ({ row: session * ROWS_PER_SESSION + text.ordinal, ...text })),
    );
    for (const { row, entryId, role, offset, bytes } of rows)
      entry.run(row, entryId, role, offset, bytes);
    for (const { row, text } of rows) words.run(row, plainText(text));
  }

  /** Rows of the entries that have all the phrases, by session. */
  match(phrases: readonly (readonly string[])[]): Map<number, number[]> {
    const wanted = phrases.map((words) => `"${words.join(" ")}" *`).join(" ");
    const rows = this.#database
      .query<[number], [string]>("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid")
      .values(wanted) as [number][];
    const hits = new Map<number, number[]>();
    for (const [row] of rows) {
      const session = Math.floor(row / ROWS_PER_SESSION);
      const own = hits.get(session);
      if (own) own.push(row);
      else hits.set(session, [row]);
    }
    return hits;
  }

  entry(row: number): IndexedEntry | undefined {
    const found = this.#database
      .query<EntryRow, [number]>("SELECT * FROM entry WHERE row = ?")
      .get(row);
    if (!found) return undefined;
    const { entry_id: entryId, role, offset, bytes } = found;
    return { session: Math.floor(row / ROWS_PER_SESSION), entryId, role, offset, bytes };
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function fromRow({ modified_ms: modifiedMs, scan, ...rest }: SessionRow): IndexedSession {
  return { ...rest, modifiedMs, scan: JSON.parse(scan) as KeptScan };
}
