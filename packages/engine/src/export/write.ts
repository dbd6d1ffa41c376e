/** Puts an export where the person wants it: all of it or nothing, for their eyes only. */

import { messageOf, replaceFile, UserError } from "@omp/std";

/** @param path absolute */
export async function writeExport(path: string, parts: Iterable<string>): Promise<void> {
  try {
    await replaceFile(path, parts, { mode: 0o600 });
  } catch (error) {
    throw new UserError("bad-input", `Cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
}
