/** The output of a program as a model can take it: clean text, head and tail of it when it is long. */

import { countLines, createSanitizer, headOf, leftOutMark, tailOf } from "@omp/std";

export interface OutputSummary {
  readonly text: string;
  readonly isTruncated: boolean;
  /** Of all output, after cleaning. */
  readonly totalBytes: number;
  readonly totalLines: number;
  /** Of `text`. */
  readonly outputBytes: number;
  readonly outputLines: number;
}

export interface OutputWindow {
  push(bytes: Uint8Array): void;
  /** The newest part of the output so far, at most `maxCharacters` of it. */
  newest(maxCharacters: number): string;
  /** Everything that was kept. The window must not be used after it. */
  finish(): OutputSummary;
}

const LINE_FEED = 10;
const DEFAULT_MAX_BYTES = 51_200;
/** The end of an output tells more than its beginning. */
const HEAD_SHARE = 0.25;
/** Small chunks are joined up to this length, so that dropping old ones stays cheap. */
const CHUNK_LENGTH = 4096;

/** Memory stays bounded however much is pushed. */
export function createOutputWindow({ maxBytes = DEFAULT_MAX_BYTES } = {}): OutputWindow {
  const decoder = new TextDecoder();
  const sanitizer = createSanitizer();
  const tail = createTail(maxBytes);
  let head = "";
  let headRoom = Math.floor(maxBytes * HEAD_SHARE);
  let totalBytes = 0;
  let lineFeeds = 0;
  let endsWithLineFeed = true;

  const add = (text: string): void => {
    if (text === "") return;
    totalBytes += Buffer.byteLength(text);
    endsWithLineFeed = text.endsWith("\n");
    const toHead = headRoom > 0 ? headOf(text, headRoom) : "";
    head += toHead;
    // What follows a character that did not fit must not come before it.
    headRoom = toHead.length === text.length ? headRoom - Buffer.byteLength(toHead) : 0;
    if (toHead.length < text.length) tail.add(text.slice(toHead.length));
  };

  return {
    push(bytes) {
      // Neither decoding nor cleaning takes or adds a line feed, and bytes are quick to count.
      for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) lineFeeds++;
      add(sanitizer.push(decoder.decode(bytes, { stream: true })));
    },
    newest: (maxCharacters) => (head + tail.text()).slice(-maxCharacters).toWellFormed(),
    finish() {
      add(sanitizer.push(decoder.decode()) + sanitizer.end());
      const totalLines = endsWithLineFeed ? lineFeeds : lineFeeds + 1;
      const headBytes = Buffer.byteLength(head);
      const end = tailOf(tail.text(), maxBytes - headBytes);
      const leftOutBytes = totalBytes - headBytes - Buffer.byteLength(end);
      const isTruncated = leftOutBytes > 0;
      const text = isTruncated ? withMark(head, end, leftOutBytes, totalLines) : head + end;
      const [outputBytes, outputLines] = [Buffer.byteLength(text), countLines(text)];
      return { text, isTruncated, totalBytes, totalLines, outputBytes, outputLines };
    },
  };
}

function withMark(head: string, tail: string, bytes: number, totalLines: number): string {
  const lines = Math.max(1, totalLines - countLines(head) - countLines(tail));
  const before = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return `${before}${leftOutMark(bytes, lines)}\n${tail}`;
}

/** At least the last `maxBytes` of what was added, and not much more. */
function createTail(maxBytes: number): { add(text: string): void; text(): string } {
  const chunks: { text: string; bytes: number }[] = [];
  let bytes = 0;
  return {
    add(text) {
      const size = Buffer.byteLength(text);
      bytes += size;
      const last = chunks.at(-1);
      if (last && last.text.length + text.length <= CHUNK_LENGTH) {
        last.text += text;
        last.bytes += size;
      } else {
        chunks.push({ text, bytes: size });
      }
      while (bytes - chunks[0]!.bytes >= maxBytes) bytes -= chunks.shift()!.bytes;
    },
    text: () => chunks.map((chunk) => chunk.text).join(""),
  };
}
