/** Lines on their way to a file. What the system did not take stays, and goes out with the next ones. */

import { fstatSync, readSync, writeSync } from "node:fs";
import { NEWLINE } from "./lines.ts";

export class LineQueue {
  #lines: string[] = [];
  /** The file ends with a part of a line: a writer died there, or the disk was full. */
  #endsInsideLine = false;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get text(): string {
    return this.#lines.join("");
  }

  push(lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  /** They went out in another way, and whole. */
  clear(): void {
    this.#lines = [];
    this.#endsInsideLine = false;
  }

  lookAtEnd(descriptor: number): void {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1, NEWLINE);
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1);
    this.#endsInsideLine = last[0] !== NEWLINE;
  }

  /** @throws the system's error. The lines it took whole are out of the queue then, too. */
  writeTo(descriptor: number): void {
    if (this.isEmpty) return;
    // Ending the torn line of a writer that died costs that line only, not ours as well.
    const healing = this.#endsInsideLine ? "\n" : "";
    const bytes = new TextEncoder().encode(healing + this.text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    } finally {
      // Where only the newline is missing, the next one supplies it: the line must not come twice.
      const isAlmost = written > healing.length && bytes[written] === NEWLINE;
      const whole = newlinesIn(bytes.subarray(0, written)) - healing.length + Number(isAlmost);
      this.#lines = this.#lines.slice(Math.max(0, whole));
      if (written > 0) this.#endsInsideLine = bytes[written - 1] !== NEWLINE;
    }
  }
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
