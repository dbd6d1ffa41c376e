/** Names that survive a power cut. */

import fs from "node:fs";
import { codeOf, ignore } from "./errors.ts";

/** What systems say that cannot sync a folder, or cannot open one. */
const CANNOT: ReadonlySet<string> = new Set([
  ...["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EISDIR", "EPERM", "EACCES"],
]);

/**
 * A name survives a power cut only when its folder has been written.
 * @throws the system's error, unless it means that there is no such thing here
 */
export function syncFolder(folder: string): void {
  try {
    const descriptor = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    ignoreIfImpossible(error);
  }
}

/** The same, without keeping others waiting. */
export async function syncFolderSoon(folder: string): Promise<void> {
  try {
    const handle = await fs.promises.open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    ignoreIfImpossible(error);
  }
}

function ignoreIfImpossible(error: unknown): void {
  if (!CANNOT.has(codeOf(error) ?? "")) throw error;
  ignore(error, "some file systems cannot sync a folder");
}
