/** One quick look at bytes: is it plain text, how many lines, how long is the longest. */

export interface Measure {
  /** Printable ASCII, tabs and line feeds only: what no cleaning would change. */
  readonly isPlain: boolean;
  readonly lineFeeds: number;
  /** Bytes of the longest line, with what came before these bytes. */
  readonly longestLine: number;
  /** Bytes of the line that is not ended yet. */
  readonly column: number;
}

const LINE_FEED = 0x0a;
const TAB = 0x09;

/**
 * Four bytes at a time: nearly all are printable, and those need no closer look.
 * @param column bytes of the current line before these
 */
export function measure(bytes: Uint8Array, column: number): Measure {
  let isPlain = true;
  let lineFeeds = 0;
  let longestLine = 0;
  let lineStart = -column;

  const lookClosely = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      if (byte === LINE_FEED) {
        lineFeeds++;
        if (at - lineStart > longestLine) longestLine = at - lineStart;
        lineStart = at + 1;
      } else if ((byte < 0x20 && byte !== TAB) || byte > 0x7e) isPlain = false;
    }
  };

  const aligned = Math.min(bytes.length, (4 - (bytes.byteOffset & 3)) & 3);
  lookClosely(0, aligned);
  const words = new Int32Array(
    bytes.buffer,
    bytes.byteOffset + aligned,
    (bytes.length - aligned) >> 2,
  );
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    // A byte's high bit is set if it is not ASCII, if it is 0x7f, or if it is below 0x20.
    if (((word | (word + 0x01010101) | ~(word + 0x60606060)) & 0x80808080) === 0) continue;
    const at = aligned + index * 4;
    lookClosely(at, at + 4);
  }
  lookClosely(aligned + words.length * 4, bytes.length);
  const open = bytes.length - lineStart;
  return { isPlain, lineFeeds, longestLine: Math.max(longestLine, open), column: open };
}
