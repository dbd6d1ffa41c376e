/** Reads a file that may not be there and may not be a file: never waits for a pipe, never reads gigabytes. */

import { codeOf, messageOf } from "@omp/std";
import fs from "node:fs";

const MAX_BYTES = 1024 * 1024;

/** Undefined when there is none, or it is no use; then `refuse` has heard why. */
export function readSmallFile(
  path: string,
  refuse: (why: string) => void,
  maxBytes = MAX_BYTES,
): string | undefined {
  return readSmallBytes(path, refuse, maxBytes)?.toString("utf8");
}

/** All from one open file: what is looked at is what is read. */
export function readSmallBytes(
  path: string,
  refuse: (why: string) => void,
  maxBytes = MAX_BYTES,
): Buffer | undefined {
  // Nearly always there is none, and an error costs more than the look.
  if (!fs.existsSync(path)) return undefined;
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") refuse(`cannot be read (${messageOf(error)})`);
    return undefined;
  }
  try {
    const stat = fs.fstatSync(descriptor);
    // Python people call a folder `.env`.
    if (stat.isDirectory()) return undefined;
    if (!stat.isFile()) return refuseWith(refuse, "is not a file");
    if (stat.size > maxBytes) return refuseWith(refuse, `is larger than ${maxBytes} bytes`);
    return fs.readFileSync(descriptor);
  } catch (error) {
    return refuseWith(refuse, `cannot be read (${messageOf(error)})`);
  } finally {
    fs.closeSync(descriptor);
  }
}

function refuseWith(refuse: (why: string) => void, why: string): undefined {
  refuse(why);
  return undefined;
}
