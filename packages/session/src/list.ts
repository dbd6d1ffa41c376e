/** Finds session files in their folders by what the file system knows; no file is read. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "@omp/std";
import { sessionError } from "./io-error.ts";

/** The session file that was written last, or undefined if there is none. */
export function latestSession(folder: string): string | undefined {
  let latest: { path: string; mtimeMs: number } | undefined;
  // Names begin with the start time, so of two files of one moment the later started one wins.
  for (const name of sessionNames(folder).toSorted()) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || (latest && stat.mtimeMs < latest.mtimeMs)) continue;
    latest = { path, mtimeMs: stat.mtimeMs };
  }
  return latest?.path;
}

function sessionNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw sessionError("list", folder, error);
  }
}
