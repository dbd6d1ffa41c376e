/** What the system refused about a session file, in words for the person. */

import { codeOf, messageOf, UserError } from "@omp/std";

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "operation not permitted"],
  ["EISDIR", "it is a directory"],
  ["ENOTDIR", "a part of the path is not a directory"],
  ["ENOENT", "no such file or directory"],
  ["EEXIST", "another program has just created it"],
  ["ENOSPC", "no space left on the device"],
  ["EDQUOT", "the disk quota is used up"],
  ["EFBIG", "the file would become too large"],
  ["EROFS", "the file system is read-only"],
  ["EIO", "the device reported an input/output error"],
  ["EMFILE", "too many files are open"],
  ["ENFILE", "too many files are open on this machine"],
  ["ENAMETOOLONG", "the name is too long"],
]);

export function sessionError(
  verb: "read" | "write" | "list",
  path: string,
  error: unknown,
): UserError {
  if (error instanceof UserError) return error;
  const reason = REASONS.get(codeOf(error) ?? "") ?? messageOf(error);
  const what = verb === "list" ? "the session folder" : "the session file";
  return new UserError("session", `Cannot ${verb} ${what} ${path}: ${reason}.`, { cause: error });
}
