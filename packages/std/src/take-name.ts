/** A finished file gets its name in one step, and only if nobody has it. */

import fs from "node:fs";
import { codeOf, ignore } from "./errors.ts";

/** What file systems without links say. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * The temporary name is gone afterwards, unless this throws.
 * @throws the system's error; EEXIST when the name is taken
 */
export function takeName(temporary: string, path: string): void {
  try {
    fs.linkSync(temporary, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error) ?? "")) throw error;
    // Two who come here in the same instant are not told apart; there is no better way without links.
    if (fs.existsSync(path))
      throw Object.assign(new Error(`EEXIST: ${path} is there already`), { code: "EEXIST" });
    return fs.renameSync(temporary, path);
  }
  try {
    fs.unlinkSync(temporary);
  } catch (error) {
    ignore(error, "a second name of the same file takes no room");
  }
}
