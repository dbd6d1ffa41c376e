/** Where a run takes place: folder, home and environment, looked at once. */

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { codeOf, UserError } from "@omp/std";
import type { Surroundings } from "./cli/command.ts";
import type { Invocation } from "./cli/invocation.ts";

export function surroundingsOf({ cwd }: Invocation): Surroundings {
  const environment = process.env;
  return {
    cwd: existingFolder(cwd ?? process.cwd()),
    home: environment["HOME"] || homedir(),
    environment,
  };
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
