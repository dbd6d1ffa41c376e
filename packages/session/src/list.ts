/** Lists of sessions: a short one from the first bytes of each file, a full one from the index. */

import { closeSync, openSync, readSync } from "node:fs";
import { codeOf, ignore } from "@omp/std";
import { findSessionFiles, type FoundFile } from "./found-file.ts";
import { HEAD_BYTES, idInName, readHead, sessionName, type SessionHead } from "./head.ts";
import type { SessionSummary } from "./summary.ts";

export interface RecentSession {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  /** One line, safe to show. */
  readonly name: string;
  readonly modifiedMs: number;
}

/** The newest sessions, 4 unless told. Of each file only the first bytes are read. */
export function recentSessions(
  folders: readonly string[],
  { limit = 4 }: { readonly limit?: number } = {},
): RecentSession[] {
  return findSessionFiles(folders).slice(0, limit).map(recentOf);
}

/** All sessions of the folders, newest first. @param index path of the database that remembers them */
export async function listSessions(
  folders: readonly string[],
  index: string,
): Promise<SessionSummary[]> {
  const { openSessionIndex } = await import("./search.ts");
  using opened = await openSessionIndex(index);
  return await opened.list(folders);
}

/** The newest session whose head passes, or undefined. */
export function newestSession(
  folders: readonly string[],
  accepts: (head: SessionHead) => boolean,
): string | undefined {
  return findSessionFiles(folders).find(({ path }) => accepts(headOfFile(path)))?.path;
}

/** An unreadable file has an empty head. */
export function headOfFile(path: string): SessionHead {
  return readHead(firstBytes(path));
}

function recentOf({ path, modifiedMs }: FoundFile): RecentSession {
  const { id, cwd, title, firstText, createdMs } = headOfFile(path);
  const name = sessionName(title, firstText, createdMs ?? modifiedMs);
  return { path, id: id || idInName(path), cwd, name, modifiedMs };
}

function firstBytes(path: string): Uint8Array {
  try {
    const descriptor = openSync(path, "r");
    try {
      const bytes = new Uint8Array(HEAD_BYTES);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    ignore(error, "a session that cannot be read is named by its file");
    return new Uint8Array();
  }
}
