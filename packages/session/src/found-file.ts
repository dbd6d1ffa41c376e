/** Session files in their folders, by what the file system knows; nothing is read. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "@omp/std";
import { sessionError } from "./io-error.ts";

export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Another file under the same name has another one. */
  readonly inode: number;
}

/** Newest first. Folders that are not there hold nothing. */
export function findSessionFiles(folders: readonly string[]): FoundFile[] {
  const names = folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  return names
    .map(statOf)
    .filter((file) => file !== undefined)
    .toSorted(newestFirst);
}

/** The folders of all projects. */
export function projectFolders(sessions: string): string[] {
  try {
    return readdirSync(sessions, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => join(sessions, name));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw sessionError("list", sessions, error);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw sessionError("list", folder, error);
  }
}

export function statOf(path: string): FoundFile | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile()) return undefined;
    return { path, bytes: found.size, modifiedMs: found.mtimeMs, inode: found.ino };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    // What is there and cannot be looked at comes last; whoever opens it says why.
    const isGone = codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
    return isGone ? undefined : { path, bytes: 0, modifiedMs: 0, inode: 0 };
  }
}

/** Names begin with the start time: of two files of one moment the later started one comes first. */
function newestFirst(a: FoundFile, b: FoundFile): number {
  return b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1);
}
