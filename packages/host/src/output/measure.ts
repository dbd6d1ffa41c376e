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
const HIGH_BITS = 0x80808080;
const LOW_BITS = 0x7f7f7f7f;
const LINE_FEEDS = 0x0a0a0a0a;
const TABS = 0x09090909;

/** What is known so far. A line starts before the bytes if it began in earlier ones. */
interface Look {
  isPlain: boolean;
  lineFeeds: number;
  longestLine: number;
  lineStart: number;
}

/** @param column bytes of the current line before these */
export function measure(bytes: Uint8Array, column: number): Measure {
  const look: Look = { isPlain: true, lineFeeds: 0, longestLine: 0, lineStart: -column };
  const skipped = Math.min(bytes.length, (4 - (bytes.byteOffset & 3)) & 3);
  const count = (bytes.length - skipped) >> 2;
  lookAtBytes(bytes, 0, skipped, look);
  if (count > 0) {
    lookAtWords(new Int32Array(bytes.buffer, bytes.byteOffset + skipped, count), skipped, look);
  }
  lookAtBytes(bytes, skipped + count * 4, bytes.length, look);
  const { isPlain, lineFeeds } = look;
  const open = bytes.length - look.lineStart;
  return { isPlain, lineFeeds, longestLine: Math.max(look.longestLine, open), column: open };
}

function lookAtBytes(bytes: Uint8Array, from: number, to: number, look: Look): void {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === LINE_FEED) {
      look.lineFeeds++;
      look.longestLine = Math.max(look.longestLine, at - look.lineStart);
      look.lineStart = at + 1;
    } else if ((byte < 0x20 && byte !== TAB) || byte > 0x7e) look.isPlain = false;
  }
}

/**
 * Four bytes at a time, because this is where a gigabyte of output spends its time. Of each byte one bit
 * is kept, its high one; the first byte is the lowest of its word.
 * @param offset of the first word among the bytes
 */
function lookAtWords(words: Int32Array, offset: number, look: Look): void {
  let { isPlain, lineFeeds, longestLine, lineStart } = look;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    // Set if a byte is not ASCII, if it is 0x7f, or if it is below 0x20.
    const unprintable = (word | (word + 0x01010101) | ~(word + 0x60606060)) & HIGH_BITS;
    if (unprintable === 0) continue;
    const feeds = zeroBytes(word ^ LINE_FEEDS);
    if (feeds !== unprintable && (unprintable & ~feeds & ~zeroBytes(word ^ TABS)) !== 0)
      isPlain = false;
    if (feeds === 0) continue;
    const at = offset + index * 4;
    const length = at + ((31 - Math.clz32(feeds & -feeds)) >> 3) - lineStart;
    // Lines that begin and end in one word are shorter than any limit.
    if (length > longestLine) longestLine = length;
    lineStart = at + ((31 - Math.clz32(feeds)) >> 3) + 1;
    lineFeeds += Math.imul(feeds >>> 7, 0x01010101) >>> 24;
  }
  Object.assign(look, { isPlain, lineFeeds, longestLine, lineStart });
}

function zeroBytes(word: number): number {
  return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
}
