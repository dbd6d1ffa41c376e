/** Folders outside of our own that hold sessions: whoever cleans up must look into them as well. */

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, ignore, replaceFile } from "@omp/std";
import { makePrivateFolder } from "./private-folder.ts";

/** @throws the system's error when the list is there and cannot be read */
export function outsideFolders(list: string): string[] {
  try {
    return readFileSync(list, "utf8").split("\n").filter(Boolean);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Best effort: a session must not fail because a list cannot be written. */
export async function noteOutsideFolder(list: string, folder: string): Promise<void> {
  try {
    const known = outsideFolders(list);
    if (known.includes(folder)) return;
    makePrivateFolder(dirname(list));
    await replaceFile(list, [...known, folder, ""].join("\n"), { mode: 0o600, durable: false });
  } catch (error) {
    ignore(error, "blobs that only these sessions name are kept for a day at least");
  }
}
