/** Where a run takes place: folder, home and environment, looked at once. */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { codeOf, UserError } from "@omp/std";
import type { Surroundings } from "./cli/command.ts";
import type { Invocation } from "./cli/invocation.ts";

export async function surroundingsOf({ cwd }: Invocation): Promise<Surroundings> {
  const environment = process.env;
  // Asking the system costs time, and nearly everybody has the variable.
  const home = environment["HOME"] || (await import("node:os")).homedir();
  return { cwd: existingFolder(cwd ?? process.cwd()), home, environment };
}

function existingFolder(wanted: string): string {
  const folder = resolve(wanted);
  if (isFolder(folder)) return folder;
  throw new UserError("bad-input", `Not a folder: ${folder}`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new UserError("file-not-found", `No such folder: ${path}`, { cause: error });
  }
}
