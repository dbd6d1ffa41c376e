/** Deletes a session with all that belongs to it alone. Blobs stay: other sessions may name them. */

import { rmSync } from "node:fs";
import { acquireLock, UserError } from "@omp/std";
import { artifactFolder } from "./artifacts.ts";
import { sessionError } from "./io-error.ts";

/** @throws UserError while another process writes the session, or when the system refuses */
export function deleteSession(path: string): void {
  try {
    const lock = acquireLock(`${path}.lock`);
    if (lock.kind === "taken") {
      const { pid } = lock.owner ?? {};
      const who = pid === undefined ? "another process" : `process ${pid}`;
      throw new UserError("busy", `Cannot delete ${path}: ${who} has it open.`);
    }
    try {
      rmSync(path);
      rmSync(artifactFolder(path), { recursive: true, force: true });
    } finally {
      lock.release();
    }
  } catch (error) {
    throw sessionError("write", path, error);
  }
}
