/** Errors that a person hears, and the one way to ignore an error on purpose. */

import { log } from "./log.ts";

/** What went wrong, for code that must decide; the message is for the person. */
export type UserErrorKind =
  /** A wrong command line. */
  | "usage"
  /** A subcommand was called wrongly; its usage is added to the message. */
  | "misuse"
  | "no-model"
  | "no-key"
  | "file-not-found"
  | "unreadable-file"
  | "bad-config"
  | "bad-input"
  | "session"
  | "busy"
  /** Something of a project that the person has not allowed. */
  | "untrusted"
  /** A session that cannot be written to. */
  | "read-only"
  | "unsupported";

/** Said to the person at the keyboard: one or two plain sentences, no stack trace. */
export class UserError extends Error {
  override readonly name = "UserError";
  constructor(
    readonly kind: UserErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** A wrong command line is 2, everything else 1, as users of command lines expect. */
  get exitCode(): number {
    return this.kind === "usage" ? 2 : 1;
  }
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's error code (`ENOENT`, `EPIPE`, ...) of a thrown value, if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Ignoring is a decision with a name: the reason goes to the log with the error. */
export function ignore(error: unknown, why: string): void {
  log.debug("ignored", { why, error: messageOf(error) });
}
