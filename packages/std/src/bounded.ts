/** Text within a limit of bytes: cut between characters, with a line that says how much was left out. */

export interface BoundedTextOptions {
  /** Of the text that is kept, in UTF-8. The line that tells of the cut comes on top. */
  readonly maxBytes: number;
  readonly keep: "head" | "tail" | "both";
}

export interface BoundedText {
  readonly text: string;
  readonly isCut: boolean;
  readonly totalBytes: number;
  readonly totalLines: number;
}

export function boundedText(text: string, { maxBytes, keep }: BoundedTextOptions): BoundedText {
  const totalBytes = Buffer.byteLength(text);
  const totalLines = countLines(text);
  if (totalBytes <= maxBytes) return { text, isCut: false, totalBytes, totalLines };
  const headBytes = { head: maxBytes, tail: 0, both: Math.ceil(maxBytes / 2) }[keep];
  const head = headOf(text, headBytes);
  const tail = tailOf(text, maxBytes - headBytes);
  const leftOut = text.slice(head.length, text.length - tail.length);
  const mark = leftOutMark(Buffer.byteLength(leftOut), countLines(leftOut));
  const before = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  const cut = tail === "" ? before + mark : `${before}${mark}\n${tail}`;
  return { text: cut, isCut: true, totalBytes, totalLines };
}

/** The line that stands where text was left out. */
export function leftOutMark(bytes: number, lines: number): string {
  return `[... ${bytes} bytes (${lines} ${lines === 1 ? "line" : "lines"}) left out ...]`;
}

/** Lines as an editor counts them: a line feed ends a line, it does not begin one. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}

/** The longest beginning that fits into `maxBytes` of UTF-8. */
export function headOf(text: string, maxBytes: number): string {
  // No unit is shorter than a byte, so the rest of a huge text need not be looked at.
  const bytes = Buffer.from(text.slice(0, maxBytes + 1));
  if (bytes.length <= maxBytes) return text.slice(0, maxBytes + 1);
  let end = maxBytes;
  while (end > 0 && isContinuation(bytes[end]!)) end--;
  return bytes.toString("utf8", 0, end);
}

/** The longest end that fits into `maxBytes` of UTF-8. */
export function tailOf(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return "";
  const bytes = Buffer.from(text.slice(-maxBytes - 1));
  if (bytes.length <= maxBytes) return text.slice(-maxBytes - 1);
  let start = bytes.length - maxBytes;
  while (start < bytes.length && isContinuation(bytes[start]!)) start++;
  return bytes.toString("utf8", start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
