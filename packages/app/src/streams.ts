/** The standard streams without their price: only to look at `process.stdout` costs ten milliseconds. */

import { fstatSync, statSync, writeSync } from "node:fs";
import { ignore } from "@omp/std";

export const STDIN = 0;
export const STDOUT = 1;
const STDERR = 2;

/** Whether a person is at the other end. Files, pipes and /dev/null are told apart without loading `node:tty`. */
export async function isTerminal(descriptor: number): Promise<boolean> {
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isCharacterDevice() || stat.rdev === statSync("/dev/null").rdev) return false;
  } catch (error) {
    ignore(error, "a closed descriptor, or a system without /dev/null: node:tty knows");
  }
  const { isatty } = await import("node:tty");
  return isatty(descriptor);
}

/** At once and in order. Nobody can be told that standard error is gone. */
export function writeError(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch (error) {
    ignore(error, "standard error is closed");
  }
}
