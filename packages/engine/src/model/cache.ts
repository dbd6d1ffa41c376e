/** The models that servers told us, kept in a small database so that the next start need not ask. */

import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { ModelFacts } from "@omp/ai";
import { ignore, log, messageOf } from "@omp/std";
import type { Database } from "bun:sqlite";

export interface CachedModels {
  readonly models: readonly ModelFacts[];
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The server told all its models; without it the row is only better than nothing. */
  readonly isAuthoritative: boolean;
  /** Of the catalogue part that was merged into the row; empty where there was none. */
  readonly fingerprint: string;
}

export interface ModelCache {
  read(providerId: string): Promise<CachedModels | undefined>;
  write(providerId: string, row: CachedModels): Promise<void>;
  close(): Promise<void>;
}

/** Rows of other versions are not read. A change of `ModelFacts` or of this table raises it. */
const CACHE_VERSION = 3;

const CREATE = `CREATE TABLE IF NOT EXISTS model_cache (
  provider_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  authoritative INTEGER NOT NULL,
  static_fingerprint TEXT NOT NULL,
  models TEXT NOT NULL
)`;

interface Row {
  readonly updated_at: number;
  readonly authoritative: number;
  readonly static_fingerprint: string;
  readonly models: string;
}

/** Opens the file when it is first needed: a reader without a file needs no database. */
export function createModelCache(path: string): ModelCache {
  let opened: Promise<Rows | undefined> | undefined;
  const rows = () => (opened ??= openRows(path));
  return {
    read: async (providerId) =>
      opened || existsSync(path) ? (await rows())?.read(providerId) : undefined,
    write: async (providerId, row) => (await rows())?.write(providerId, row),
    close: async () => (await opened)?.close(),
  };
}

interface Rows {
  read(providerId: string): CachedModels | undefined;
  write(providerId: string, row: CachedModels): void;
  close(): void;
}

/** Undefined when the file cannot be used: everything works without it, only slower. */
async function openRows(path: string): Promise<Rows | undefined> {
  const { Database } = await import("bun:sqlite");
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite would make it readable for everybody, and gives its side files the mode of this one.
    closeSync(openSync(path, "a", 0o600));
    const database = new Database(path);
    database.run("PRAGMA busy_timeout = 200");
    database.run(CREATE);
    return rowsIn(database);
  } catch (error) {
    log.warn("model-cache-unusable", { path, error: messageOf(error) });
    return undefined;
  }
}

function rowsIn(database: Database): Rows {
  return {
    read(providerId) {
      try {
        const row = database
          .query<Row, [string, number]>(
            "SELECT * FROM model_cache WHERE provider_id = ? AND version = ?",
          )
          .get(providerId, CACHE_VERSION);
        return row ? fromRow(row) : undefined;
      } catch (error) {
        ignore(error, "a damaged row is no row");
        return undefined;
      }
    },
    write(providerId, { updatedAt, isAuthoritative, fingerprint, models }) {
      try {
        database
          .query("INSERT OR REPLACE INTO model_cache VALUES (?, ?, ?, ?, ?, ?)")
          .run(
            providerId,
            CACHE_VERSION,
            updatedAt,
            isAuthoritative ? 1 : 0,
            fingerprint,
            JSON.stringify(models),
          );
      } catch (error) {
        ignore(error, "the models are known for this run");
      }
    },
    close: () => database.close(),
  };
}

function fromRow(row: Row): CachedModels | undefined {
  const models: unknown = JSON.parse(row.models);
  if (!Array.isArray(models)) return undefined;
  return {
    models: models as ModelFacts[],
    updatedAt: row.updated_at,
    isAuthoritative: row.authoritative === 1,
    fingerprint: row.static_fingerprint,
  };
}

/** Changes when the models of a catalogue do. */
export function fingerprintOf(models: readonly ModelFacts[]): string {
  return models.length === 0 ? "" : Bun.hash(JSON.stringify(models)).toString(16);
}
