/** Finds session files in their folders by what the file system knows; no file is read. */

import fs from "node:fs";
import { join } from "node:path";
import { codeOf } from "@omp/std";
import { sessionError } from "./io-error.ts";

/** The session file that was written last, or undefined if there is none. */
export async function latestSession(folder: string): Promise<string | undefined> {
  try {
    const names = (await fs.promises.readdir(folder)).filter((name) => name.endsWith(".jsonl"));
    const files = await Promise.all(names.map((name) => timed(join(folder, name))));
    return files
      .filter((file) => file !== undefined)
      .toSorted(byTime)
      .at(-1)?.path;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw sessionError("list", folder, error);
  }
}

interface TimedFile {
  readonly path: string;
  readonly mtimeMs: number;
}

async function timed(path: string): Promise<TimedFile | undefined> {
  try {
    const found = await fs.promises.stat(path);
    return found.isFile() ? { path, mtimeMs: found.mtimeMs } : undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Names begin with the start time: of two files of one moment the later started one comes last. */
function byTime(a: TimedFile, b: TimedFile): number {
  return a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1);
}
