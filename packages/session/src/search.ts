/** The index of all sessions: kept up to date by reading only what is new, never needed to be right. */

import { codeOf, ignore, log, messageOf, sanitizeLine } from "@omp/std";
import { findSessionFiles, statOf, type FoundFile } from "./found-file.ts";
import {
  FutureIndexError,
  openIndexDatabase,
  removeIndexFile,
  type IndexDatabase,
  type IndexedSession,
} from "./index-db.ts";
import { scanSession, summaryOf, textAt, type Scan, type ScannedText } from "./scan.ts";
import type { SessionSummary } from "./summary.ts";
import { phrasesOf, placeOf } from "./tokens.ts";

export interface SearchHit {
  readonly session: SessionSummary;
  readonly entryId: string;
  /** Who said it: a role of messages, or `summary`, `title`, `custom`. */
  readonly role: string;
  /** One line around the first place; empty when the file has changed meanwhile. */
  readonly snippet: string;
}

export interface SearchOptions {
  /** At most this many sessions; 20 unless told. */
  readonly sessions?: number;
  /** At most this many entries of each, the latest first; 3 unless told. */
  readonly entries?: number;
}

/** Bytes that are scanned in one go; then others may write, and whoever waits for us may live. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Around the first place that was found. */
const SNIPPET_BEFORE = 60;
const SNIPPET_AFTER = 140;

/**
 * @param path of the database; one that is damaged is made anew, one that cannot be used is replaced by
 * one in memory for this time: slower, but with the same answers
 */
export async function openSessionIndex(path: string): Promise<SessionIndex> {
  const database = await openOrMemory(path);
  return new SessionIndex(path, database);
}

export class SessionIndex implements Disposable {
  readonly #path: string;
  #database: IndexDatabase;

  constructor(path: string, database: IndexDatabase) {
    this.#path = path;
    this.#database = database;
  }

  /** The sessions in these folders, newest first. */
  async list(folders: readonly string[]): Promise<SessionSummary[]> {
    const files = findSessionFiles(folders);
    const known = await this.#withDatabase((database) => upToDate(database, files));
    return files.flatMap((file) => {
      const { scan } = known.get(file.path) ?? {};
      return scan ? [summaryOf(file, scan.head, scan.tally, scan.status)] : [];
    });
  }

  /** Entries that have all the words, of the newest sessions first. Nothing for a query without words. */
  async search(
    query: string,
    folders: readonly string[],
    { sessions = 20, entries = 3 }: SearchOptions = {},
  ): Promise<SearchHit[]> {
    const phrases = phrasesOf(query);
    if (phrases.length === 0) return [];
    const files = findSessionFiles(folders);
    return this.#withDatabase(async (database) => {
      const known = await upToDate(database, files);
      const rows = database.match(phrases);
      const found = files
        .flatMap((file) => {
          const indexed = known.get(file.path);
          const own = indexed && rows.get(indexed.number);
          return own ? [{ file, indexed, own }] : [];
        })
        .slice(0, sessions);
      return found.flatMap(({ file, indexed, own }) =>
        own
          .slice(-entries)
          .toReversed()
          .flatMap((row) => hitAt(database, row, file, indexed, phrases)),
      );
    });
  }

  /** Words of sessions that were deleted stay in the index; without the file nothing stays. */
  forget(): void {
    this.#database[Symbol.dispose]();
    removeIndexFile(this.#path);
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }

  /** A damaged or busy database is no reason to fail: what it knew can be read from the files. */
  async #withDatabase<Result>(
    action: (database: IndexDatabase) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await action(this.#database);
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      log.warn("session-index-failed", { path: this.#path, error: messageOf(error) });
      this.#database[Symbol.dispose]();
      if (isDamage(error)) removeIndexFile(this.#path);
      this.#database = await openIndexDatabase(":memory:");
      return action(this.#database);
    }
  }
}

async function openOrMemory(path: string): Promise<IndexDatabase> {
  try {
    return await openIndexDatabase(path);
  } catch (error) {
    log.warn("session-index-unusable", { path, error: messageOf(error) });
    if (error instanceof FutureIndexError || !isDamage(error)) return openIndexDatabase(":memory:");
  }
  try {
    removeIndexFile(path);
    return await openIndexDatabase(path);
  } catch (error) {
    ignore(error, "what is wrong with the place of the index was said before");
    return openIndexDatabase(":memory:");
  }
}

/** Scans what is new in the files and forgets files that are gone from their folders. */
async function upToDate(
  database: IndexDatabase,
  files: readonly FoundFile[],
): Promise<ReadonlyMap<string, IndexedSession>> {
  const known = new Map(database.sessions().map((session) => [session.path, session]));
  const stale = files.filter((file) => !isCurrent(known.get(file.path), file));
  for (let done = 0; done < stale.length;) {
    const waiting = stale.slice(done);
    done += database.change(() => scanBatch(database, waiting, known));
    // Others in this process wait for the event loop.
    if (done < stale.length) await Bun.sleep(0);
  }
  forgetLost(database, known, files);
  return known;
}

function forgetLost(
  database: IndexDatabase,
  known: Map<string, IndexedSession>,
  files: readonly FoundFile[],
): void {
  const here = new Set(files.map(({ path }) => path));
  const lost = [...known.values()].filter(({ path }) => !here.has(path) && !statOf(path));
  if (lost.length === 0) return;
  database.change(() => lost.forEach(({ number }) => database.remove(number)));
  for (const { path } of lost) known.delete(path);
}

/** @returns how many of the files are done */
function scanBatch(
  database: IndexDatabase,
  files: readonly FoundFile[],
  known: Map<string, IndexedSession>,
): number {
  const texts: { readonly session: number; readonly texts: readonly ScannedText[] }[] = [];
  let room = BATCH_BYTES;
  let done = 0;
  for (const file of files) {
    // Another process may have been faster.
    const earlier = database.session(file.path);
    const scan = isCurrent(earlier, file) ? undefined : scanOf(file, earlier, room);
    const session = scan ? stored(database, file, earlier, scan) : earlier;
    if (session) known.set(file.path, session);
    if (scan && session) {
      texts.push({ session: session.number, texts: scan.texts });
      room -= scan.tally.offset - (scan.isAnew ? 0 : (earlier?.scan.tally.offset ?? 0));
      if (!scan.isDone) break;
    }
    done++;
    if (room <= 0) break;
  }
  database.addTexts(texts);
  return done;
}

function stored(
  database: IndexDatabase,
  { path, inode, modifiedMs, bytes }: FoundFile,
  earlier: IndexedSession | undefined,
  { texts: _texts, ...scan }: Scan,
): IndexedSession {
  if (earlier && scan.isAnew) database.remove(earlier.number);
  const session = { path, inode, modifiedMs, bytes, scan };
  return { ...session, number: database.put(session) };
}

/** Undefined for a file that cannot be read. */
function scanOf(
  file: FoundFile,
  earlier: IndexedSession | undefined,
  limit: number,
): Scan | undefined {
  const isSame = earlier?.inode === file.inode && earlier.scan.tally.offset <= file.bytes;
  try {
    return scanSession(file, isSame ? earlier.scan.tally : undefined, limit);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    ignore(error, "a session that cannot be read is not in the list");
    return undefined;
  }
}

function isCurrent(session: IndexedSession | undefined, file: FoundFile): boolean {
  return (
    session !== undefined &&
    session.scan.isDone &&
    session.bytes === file.bytes &&
    session.modifiedMs === file.modifiedMs &&
    session.inode === file.inode
  );
}

function hitAt(
  database: IndexDatabase,
  row: number,
  file: FoundFile,
  { scan }: IndexedSession,
  phrases: readonly (readonly string[])[],
): SearchHit[] {
  const entry = database.entry(row);
  if (!entry) return [];
  const { entryId, role } = entry;
  const session = summaryOf(file, scan.head, scan.tally, scan.status);
  return [{ session, entryId, role, snippet: snippetOf(textAt(file.path, entry) ?? "", phrases) }];
}

/** One safe line around the first place of the first phrase. */
function snippetOf(text: string, [phrase]: readonly (readonly string[])[]): string {
  const at = (phrase && placeOf(phrase, text)) ?? 0;
  const [start, end] = [Math.max(0, at - SNIPPET_BEFORE), at + SNIPPET_AFTER];
  const cut = sanitizeLine(text.slice(start, end)).replaceAll(/\s+/g, " ").trim();
  return `${start > 0 ? "…" : ""}${cut}${end < text.length ? "…" : ""}`;
}

/** An error of SQLite has a code of its own; those of files begin otherwise. */
function isDatabaseError(error: unknown): boolean {
  return codeOf(error)?.startsWith("SQLITE_") ?? false;
}

/** What making the file anew can mend. */
function isDamage(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  return ["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR", "SQLITE_FORMAT"].some((known) =>
    code.startsWith(known),
  );
}
