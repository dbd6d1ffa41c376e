/** The folder omp works in when it was started in the home folder: always the same one, so that sessions are found again. */

import { lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "@omp/std";

/** Ours alone: a folder that somebody else put there under this name is not used. */
export function openScratchFolder(temporary: string): string {
  const owner = process.getuid?.() ?? 0;
  const folder = join(temporary, `omp-home-${owner}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const stat = lstatSync(folder);
  const isOurs = stat.isDirectory() && stat.uid === owner && (stat.mode & 0o077) === 0;
  return isOurs ? folder : mkdtempSync(join(temporary, "omp-home-"));
}
