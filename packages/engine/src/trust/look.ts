/** Looks at a tree that somebody hostile may have made: what cannot be looked at is not there. */

import { ignore } from "@omp/std";
import fs from "node:fs";

export function isFile(path: string): boolean {
  return statAt(path)?.isFile() ?? false;
}

export function isFolder(path: string): boolean {
  return statAt(path)?.isDirectory() ?? false;
}

export function isExecutable(path: string): boolean {
  const stat = statAt(path);
  return stat !== undefined && stat.isFile() && (stat.mode & 0o111) !== 0;
}

/** In the order of their names. */
export function entriesOf(folder: string): fs.Dirent[] {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    ignore(error, folder);
    return [];
  }
}

function statAt(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    ignore(error, path);
    return undefined;
  }
}
