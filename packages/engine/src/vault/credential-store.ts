/** Keys that were stored once, in `agent.db`. The file is its owner's alone; nothing is created by reading. */

import { messageOf, lazy, log, UserError } from "@omp/std";
import type { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

export interface CredentialStore {
  /** Provider id to key. Empty where there is no file, or one that cannot be read: the log says why. */
  apiKeys(): Promise<ReadonlyMap<string, string>>;
  /** Replaces the provider's key. @throws UserError when the file cannot be written */
  setApiKey(provider: string, key: string): Promise<void>;
  /** Forgets everything stored for the provider. @throws UserError when the file cannot be written */
  remove(provider: string): Promise<void>;
}

/** Most starts need no database: a key is in the environment and the file is not there. */
const loadSqlite = lazy(() => import("bun:sqlite"));

const TABLE = `CREATE TABLE IF NOT EXISTS omp_credential (
  provider TEXT NOT NULL,
  kind TEXT NOT NULL,
  secret TEXT NOT NULL,
  updated_at INTEGER NOT NULL DEFAULT (unixepoch()),
  PRIMARY KEY (provider, kind)
) STRICT`;
const KIND = "api_key";
/** Another omp may be writing. */
const PATIENCE = "PRAGMA busy_timeout = 2000";

export function createCredentialStore(path: string): CredentialStore {
  return {
    async apiKeys() {
      if (!existsSync(path)) return new Map();
      try {
        using database = await openForReading(path);
        return readKeys(database);
      } catch (error) {
        log.warn("stored-keys-unreadable", { path, error: messageOf(error) });
        return new Map();
      }
    },
    setApiKey: (provider, key) =>
      change(path, (database) =>
        database
          .query("INSERT OR REPLACE INTO omp_credential (provider, kind, secret) VALUES (?, ?, ?)")
          .run(provider, KIND, key),
      ),
    remove: (provider) =>
      change(path, (database) =>
        database.query("DELETE FROM omp_credential WHERE provider = ?").run(provider),
      ),
  };
}

async function openForReading(path: string): Promise<Database> {
  const sqlite = await loadSqlite();
  const database = new sqlite.Database(path, { readonly: true });
  database.run(PATIENCE);
  return database;
}

function readKeys(database: Database): ReadonlyMap<string, string> {
  // The file has other tables too, and may have been made for one of them.
  const isThere = database
    .query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'omp_credential'")
    .get();
  if (!isThere) return new Map();
  const rows = database
    .query<{ provider: string; secret: string }, [string]>(
      "SELECT provider, secret FROM omp_credential WHERE kind = ?",
    )
    .all(KIND);
  return new Map(rows.map(({ provider, secret }) => [provider, secret]));
}

async function change(path: string, action: (database: Database) => void): Promise<void> {
  const sqlite = await loadSqlite();
  try {
    makePrivate(path);
    using database = new sqlite.Database(path);
    database.run(PATIENCE);
    database.run(TABLE);
    action(database);
  } catch (error) {
    const message = `Cannot store keys in ${path}: ${messageOf(error)}`;
    throw new UserError("unreadable-file", message, { cause: error });
  }
}

/** Before the first byte of a key is written, not after. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}
