/** Who may write a session file: one log at a time, on this machine and in this process. */

import { accessSync, constants, realpathSync } from "node:fs";
import { acquireLock, codeOf, UserError, type LockAttempt, type LockOwner } from "@omp/std";

export type SessionAccess =
  | { readonly kind: "write" }
  | {
      readonly kind: "read-only";
      readonly because: "asked" | "locked" | "future-version" | "not-permitted";
      /** Who holds the lock, where that is known. */
      readonly owner?: LockOwner;
    };

type ReadOnly = Extract<SessionAccess, { readonly kind: "read-only" }>;

/** The right to write a file that is there. */
export function claim(path: string): LockAttempt | { readonly kind: "not-permitted" } {
  try {
    accessSync(path, constants.W_OK);
    return acquireLock(lockPath(realpathSync(path)));
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(codeOf(error) ?? ""))
      return { kind: "not-permitted" };
    throw error;
  }
}

/** The right to write a file that is to be made. */
export function ownLock(path: string): Extract<LockAttempt, { readonly kind: "held" }> {
  const attempt = acquireLock(lockPath(path));
  if (attempt.kind === "held") return attempt;
  throw readOnlyError(path, {
    kind: "read-only",
    because: "locked",
    ...(attempt.owner && { owner: attempt.owner }),
  });
}

export function readOnlyError(path: string, access: ReadOnly): UserError {
  return new UserError(
    "read-only",
    `Cannot write the session file ${path}: ${reason(path, access)}`,
  );
}

function reason(path: string, { because, owner }: ReadOnly): string {
  switch (because) {
    case "asked":
      return "it was opened to be read only.";
    case "locked":
      return `${holder(owner)} is writing it. End that one, or fork the session; if nothing runs there, remove ${lockPath(path)}.`;
    case "future-version":
      return "a newer version of omp wrote it. Update omp, or fork the session from there.";
    case "not-permitted":
      return "it belongs to somebody else or is protected. Fork the session to go on in a copy.";
  }
}

function holder(owner: LockOwner | undefined): string {
  if (!owner) return "another process";
  if (owner.pid === process.pid) return "this process already";
  return `process ${owner.pid} on ${owner.host} (since ${owner.since})`;
}

function lockPath(path: string): string {
  return `${path}.lock`;
}
