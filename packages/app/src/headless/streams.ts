/** The standard streams without their price: only to look at `process.stdout` costs ten milliseconds. */

import { fstatSync, statSync, writeSync } from "node:fs";
import { codeOf, ignore, sanitize } from "@omp/std";

export const STDIN = 0;
export const STDOUT = 1;
export const STDERR = 2;

export type StreamKind = "terminal" | "nothing" | "data";

/** What is at the other end. Files, pipes and /dev/null are told apart without loading `node:tty`. */
export async function streamKind(descriptor: number): Promise<StreamKind> {
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isCharacterDevice()) return "data";
    if (stat.rdev === statSync("/dev/null").rdev) return "nothing";
  } catch (error) {
    // A closed descriptor, or a system without /dev/null.
    if (codeOf(error) === "EBADF") return "nothing";
  }
  const { isatty } = await import("node:tty");
  return isatty(descriptor) ? "terminal" : "data";
}

/** At once and in order. Nobody can be told that standard error is gone. */
function writeError(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch (error) {
    ignore(error, "standard error is closed");
  }
}

/** Progress and warnings for the person: standard error, never standard output. */
export function note(text: string): void {
  writeError(`${sanitize(text)}\n`);
}

/** A question: the answer is typed behind it. */
export function prompt(text: string): void {
  writeError(sanitize(text));
}
