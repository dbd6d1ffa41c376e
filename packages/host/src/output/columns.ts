/** Long lines shortened for the model. A cut line ends with a mark; no character is split. */

import type { Measure } from "./measure.ts";

const LINE_FEED = 0x0a;
const MARK = Buffer.from("…");

export interface Columns {
  /** How many lines were cut so far. */
  readonly cutLines: number;
  /** Bytes of the line that is not ended yet, whether kept or not. */
  readonly column: number;
  /**
   * The same bytes if no line is too long.
   * @param measured these bytes, measured from `column`; they begin and end between characters
   */
  push(bytes: Uint8Array, measured: Measure): Uint8Array;
}

/** @param maxBytes of a line; 0 is no limit */
export function createColumns(maxBytes: number): Columns {
  let column = 0;
  let cutLines = 0;

  /** As much of the line as fits. */
  const fitting = (line: Uint8Array): readonly Uint8Array[] => {
    const room = maxBytes - column;
    const wasCut = column > maxBytes;
    column += line.length;
    if (wasCut) return [];
    if (line.length <= room) return [line];
    cutLines++;
    // The column stays above the limit until the line ends.
    let end = room;
    while (end > 0 && isContinuation(line[end]!)) end--;
    return [line.subarray(0, end), MARK];
  };

  return {
    get cutLines() {
      return cutLines;
    },
    get column() {
      return column;
    },
    push(bytes, measured) {
      if (maxBytes === 0 || measured.longestLine <= maxBytes) {
        column = measured.column;
        return bytes;
      }
      const parts: Uint8Array[] = [];
      for (let start = 0; start < bytes.length;) {
        const found = bytes.indexOf(LINE_FEED, start);
        const end = found < 0 ? bytes.length : found;
        parts.push(...fitting(bytes.subarray(start, end)));
        if (found < 0) break;
        parts.push(bytes.subarray(found, found + 1));
        column = 0;
        start = found + 1;
      }
      return Buffer.concat(parts);
    },
  };
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
