/** What can go wrong at the doors to the world, as facts to decide on. */

import { codeOf, messageOf } from "@omp/std";

export type HostErrorKind =
  | "not-found"
  /** Not what it was when it was read. */
  | "changed"
  | "not-a-file"
  | "not-a-directory"
  | "permission"
  | "too-large"
  | "no-space"
  | "failed-to-start"
  /** Not what its name says, or broken. */
  | "damaged"
  /** Needs a password. */
  | "encrypted"
  /** A place that may not be asked. */
  | "refused"
  | "network"
  | "timeout"
  | "io";

export class HostError extends Error {
  override readonly name = "HostError";
  constructor(
    readonly kind: HostErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const KINDS: Readonly<Record<string, HostErrorKind>> = {
  ENOENT: "not-found",
  EISDIR: "not-a-file",
  ENOTDIR: "not-a-directory",
  EACCES: "permission",
  EPERM: "permission",
  EROFS: "permission",
  EFBIG: "too-large",
  ENOSPC: "no-space",
  EDQUOT: "no-space",
};

const REASONS: Readonly<Record<HostErrorKind, string>> = {
  "not-found": "no such file or directory",
  "not-a-file": "is a directory",
  "not-a-directory": "is not a directory",
  changed: "changed in the meantime",
  permission: "permission denied",
  "too-large": "file too large",
  "no-space": "no space left on the device",
  "failed-to-start": "cannot be started",
  damaged: "is damaged",
  encrypted: "is encrypted",
  refused: "is refused",
  network: "cannot be reached",
  timeout: "took too long",
  io: "input/output error",
};

/** The system's error about a path, as a HostError that names the path. */
export function fileError(error: unknown, path: string): HostError {
  if (error instanceof HostError) return error;
  const kind = KINDS[codeOf(error) ?? ""] ?? "io";
  const reason = kind === "io" ? messageOf(error) : REASONS[kind];
  return new HostError(kind, `${path}: ${reason}`, { cause: error });
}
