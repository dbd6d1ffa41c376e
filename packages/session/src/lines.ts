/** The lines of an open file, one after the other, in bounded memory. */

import { readSync } from "node:fs";

export interface ScannedLine {
  /** The first line is 1. */
  readonly line: number;
  readonly offset: number;
  /** Without the newline. Valid until the next line is asked for. */
  readonly bytes: Buffer;
  /** Whether a newline follows. */
  readonly isEnded: boolean;
}

export const NEWLINE = 0x0a;
const WINDOW_BYTES = 1 << 20;

/** The window grows with the longest line. */
export function* linesIn(descriptor: number): Generator<ScannedLine, void> {
  let window: Buffer = Buffer.allocUnsafe(WINDOW_BYTES);
  /** Where the window begins in the file, and the part of it that is filled and not yet told. */
  let [base, start, end] = [0, 0, 0];
  let line = 0;
  for (;;) {
    const filled = window.subarray(0, end);
    for (let newline = filled.indexOf(NEWLINE, start); newline >= 0;) {
      const bytes = window.subarray(start, newline);
      yield { line: ++line, offset: base + start, bytes, isEnded: true };
      start = newline + 1;
      newline = filled.indexOf(NEWLINE, start);
    }
    const rest = window.subarray(start, end);
    if (rest.length === window.length) window = Buffer.allocUnsafe(4 * window.length);
    rest.copy(window);
    base += start;
    [start, end] = [0, rest.length];
    const read = readSync(descriptor, window, end, window.length - end, base + end);
    if (read === 0) break;
    end += read;
  }
  if (end === 0) return;
  yield { line: ++line, offset: base, bytes: window.subarray(0, end), isEnded: false };
}
