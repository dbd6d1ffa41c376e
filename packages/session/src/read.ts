/** Opens a session file for reading. Damage is reported; only a path that cannot be read is an error. */

import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { codeOf, UserError } from "@omp/std";
import { sessionError } from "./io-error.ts";
import { parseSession, type ParsedSession } from "./parse.ts";

export interface ReadSession extends ParsedSession {
  /** Whether there is a file at the path, be it empty. */
  readonly exists: boolean;
}

export async function readSessionFile(path: string): Promise<ReadSession> {
  try {
    await using file = await fs.promises.open(path, "r");
    const bytes = await bytesOf(file, path);
    return { ...parseSession(bytes), exists: true };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw sessionError("read", path, error);
    return { entries: [], problems: [], isOutdated: false, exists: false };
  }
}

async function bytesOf(file: FileHandle, path: string): Promise<Uint8Array> {
  const stat = await file.stat();
  if (stat.isFile() || stat.isDirectory()) return file.readFile();
  // A device or a pipe may never end.
  throw new UserError("session", `Cannot read the session file ${path}: it is not a regular file.`);
}
