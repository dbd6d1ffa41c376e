/** Deletes a session with all that belongs to it alone. Blobs stay: other sessions may name them. */

import { rmSync } from "node:fs";
import { UserError, type LockAttempt } from "@omp/std";
import { artifactFolder } from "./artifacts.ts";
import { sessionError } from "./io-error.ts";
import { claim } from "./ownership.ts";

/** @throws UserError while another process writes the session, or when the system refuses */
export function deleteSession(path: string): void {
  try {
    const lock = claim(path);
    if (lock.kind !== "held") throw inUse(path, lock);
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

function inUse(
  path: string,
  lock: Exclude<LockAttempt | { readonly kind: "not-permitted" }, { readonly kind: "held" }>,
): UserError {
  if (lock.kind === "not-permitted") {
    return new UserError("session", `Cannot delete ${path}: it is protected.`);
  }
  const who = lock.owner ? `process ${lock.owner.pid}` : "another process";
  return new UserError("busy", `Cannot delete ${path}: ${who} has it open.`);
}
