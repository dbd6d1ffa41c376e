/** Whether a folder is trusted: the decision on it, or on the nearest folder above it, counts. */

import { codeOf } from "@omp/std";
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Decisions, FolderDecision } from "./store.ts";

export interface DecidedFolder extends FolderDecision {
  /** The folder that was decided on. */
  readonly folder: string;
}

/** @param folder canonical */
export function decisionOn(
  folder: string,
  { folders }: Pick<Decisions, "folders">,
): DecidedFolder | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (Object.hasOwn(folders, at)) return { folder: at, ...folders[at]! };
    if (dirname(at) === at) return undefined;
  }
}

/** Where a path really is. A path that does not exist is as it stands. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return resolve(path);
  }
}

/** Whether a path is the folder or in it. Both canonical. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The root of the repository that a folder is in, or the folder itself. */
export function projectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}
