/** Folders for the owner alone. */

import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

const PRIVATE_FOLDER = 0o700;

/**
 * Makes the folder and its missing parents; folders that exist keep their modes.
 * @returns the folders that have got another one in them
 */
export function makePrivateFolder(folder: string): readonly string[] {
  const first = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  if (first === undefined) return [];
  const changed: string[] = [];
  for (let made = folder; made.length >= first.length; made = dirname(made)) {
    // The mode given to mkdir passes through the umask, which may take from the owner too.
    chmodSync(made, PRIVATE_FOLDER);
    changed.push(dirname(made));
  }
  return changed;
}
