/** Lines of a file, read piece by piece: memory does not grow with the file. */

import fs from "node:fs";

export interface LineRange {
  /** The first line wanted, counted from 1. */
  readonly from: number;
  /** The last line wanted. */
  readonly to: number;
  /** Of the lines that are returned. Whole lines only, unless already the first is longer. */
  readonly maxBytes: number;
}

export interface Lines {
  /** The bytes of the lines with their line ends. */
  readonly bytes: Uint8Array;
  /** How many lines these are. */
  readonly count: number;
  /** The first line was longer than `maxBytes`, and only its beginning is here. */
  readonly isLineCut: boolean;
  /** Lines of the whole file; undefined when counting them would mean reading a large rest. */
  readonly total: number | undefined;
}

const LINE_FEED = 10;
const CHUNK_BYTES = 64 * 1024;
/** How much is read only to count the lines after the wanted ones. */
const MAX_COUNTED_BYTES = 16 * 1024 * 1024;

export async function readLines(path: string, range: LineRange): Promise<Lines> {
  const handle = await fs.promises.open(path, "r");
  try {
    const collector = createCollector(range);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let counted = 0; counted <= MAX_COUNTED_BYTES;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return collector.finish({ isAtEnd: true });
      if (collector.isFull) counted += bytesRead;
      collector.push(chunk.subarray(0, bytesRead));
    }
    return collector.finish({ isAtEnd: false });
  } finally {
    await handle.close();
  }
}

function createCollector({ from, to, maxBytes }: LineRange) {
  const parts: Uint8Array[] = [];
  let kept = 0;
  /** Bytes up to the end of the last whole line. */
  let whole = 0;
  let count = 0;
  let line = 1;
  let isFull = from > to;
  let isLineOpen = false;

  const keep = (bytes: Uint8Array): void => {
    const room = Math.min(bytes.length, maxBytes - kept);
    // The chunk is read into again, so what stays must be a copy.
    parts.push(bytes.slice(0, room));
    kept += room;
    if (room < bytes.length) isFull = true;
  };
  const endLine = (): void => {
    if (line >= from && !isFull) {
      count++;
      whole = kept;
      if (line >= to) isFull = true;
    }
    line++;
    isLineOpen = false;
  };

  return {
    get isFull() {
      return isFull;
    },
    push(chunk: Uint8Array): void {
      for (let at = 0; at < chunk.length;) {
        const feed = chunk.indexOf(LINE_FEED, at);
        const end = feed === -1 ? chunk.length : feed + 1;
        if (line >= from && !isFull) keep(chunk.subarray(at, end));
        isLineOpen = true;
        if (feed !== -1) endLine();
        at = end;
      }
    },
    finish({ isAtEnd }: { readonly isAtEnd: boolean }): Lines {
      if (isLineOpen) endLine();
      const isLineCut = count === 0 && kept > 0;
      const bytes = Buffer.concat(parts).subarray(0, isLineCut ? kept : whole);
      const total = isAtEnd ? line - 1 : undefined;
      return { bytes, count: isLineCut ? 1 : count, isLineCut, total };
    },
  };
}
