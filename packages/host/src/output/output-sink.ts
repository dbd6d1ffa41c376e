/** The output of a program: clean, bounded for the model, whole in a file as soon as anything is cut. */

import { countLines, leftOutMark } from "@omp/std";
import { createCleaner } from "./cleaner.ts";
import { createColumns } from "./columns.ts";
import { measure } from "./measure.ts";
import type { Spill } from "./spill.ts";
import { createWindow } from "./window.ts";

export interface OutputLimits {
  /** Bytes of output up to which nothing is left out. */
  readonly spillThreshold: number;
  /** Above it, this much of the beginning and of the end is kept. */
  readonly headBytes: number;
  readonly tailBytes: number;
  /** Lines of the end; 0 is no limit. */
  readonly tailLines: number;
  /** Bytes of a line; 0 is no limit. */
  readonly maxColumns: number;
}

export const DEFAULT_OUTPUT_LIMITS: OutputLimits = {
  spillThreshold: 51_200,
  headBytes: 0,
  tailBytes: 51_200,
  tailLines: 0,
  maxColumns: 768,
};

export interface OutputSummary {
  readonly output: string;
  /** Something was left out because there was too much of it. */
  readonly truncated: boolean;
  readonly truncatedBy?: "bytes" | "lines";
  /** Lines of `output` that stand before the mark of what was left out; 0 if only the end is there. */
  readonly headLines: number;
  /** Lines that were shortened because they were too long. */
  readonly cutLines: number;
  /** Of all output, after cleaning. */
  readonly totalLines: number;
  readonly totalBytes: number;
  /** Of `output`. */
  readonly outputLines: number;
  readonly outputBytes: number;
  /** Where the whole output is, if anything was cut and it could be kept. */
  readonly artifactId?: string;
}

export interface OutputSink {
  /** Waited for, it bounds memory: the next chunk should come when the last is on its way to the disk. */
  push(bytes: Uint8Array): Promise<void> | undefined;
  /** The newest part of the output so far, at most `maxBytes` of it. */
  newest(maxBytes: number): string;
  /** The sink must not be used after it. */
  finish(): Promise<OutputSummary>;
}

export interface OutputSinkOptions {
  readonly limits?: Partial<OutputLimits>;
  /** Lets SIXEL pictures through; lines are not shortened then, since that would break them. */
  readonly passesSixel?: boolean;
  /** Asked once, when the first byte is cut. Must not reject: without a spill the output goes on. */
  openSpill?(): Promise<Spill | undefined>;
  /** Gets all clean text, before lines are shortened. */
  onText?(text: string): void;
}

/** Memory stays bounded however much is pushed. */
export function createOutputSink(options: OutputSinkOptions = {}): OutputSink {
  const limits = { ...DEFAULT_OUTPUT_LIMITS, ...options.limits };
  const passesSixel = options.passesSixel === true;
  const cleaner = createCleaner({ passesSixel });
  const columns = createColumns(passesSixel ? 0 : limits.maxColumns);
  const window = createWindow(limits.headBytes, Math.max(limits.tailBytes, limits.spillThreshold));
  let totalBytes = 0;
  let lineFeeds = 0;
  let endsLine = true;
  /** Everything so far, until it is known whether a spill is needed. */
  let whole: Uint8Array[] | undefined = options.openSpill && [];
  let spill: Spill | undefined;
  let busy: Promise<void> | undefined;

  const isTooMuch = (): boolean =>
    window.totalBytes > limits.spillThreshold ||
    (limits.tailLines > 0 && lineCount() > limits.tailLines);
  const lineCount = (): number => (endsLine ? lineFeeds : lineFeeds + 1);

  const add = (clean: Uint8Array, measured: ReturnType<typeof measure>) => {
    if (clean.length === 0) return undefined;
    options.onText?.(Buffer.from(clean.buffer, clean.byteOffset, clean.length).toString());
    totalBytes += clean.length;
    lineFeeds += measured.lineFeeds;
    endsLine = measured.column === 0;
    window.push(columns.push(clean, measured));
    if (!whole) return spill?.write(clean);
    whole.push(clean.slice());
    return isTooMuch() || columns.cutLines > 0 ? startSpill() : undefined;
  };

  const startSpill = async (): Promise<void> => {
    const soFar = Buffer.concat(whole!);
    whole = undefined;
    spill = await options.openSpill!();
    await spill?.write(soFar);
  };

  const take = (bytes: Uint8Array): Promise<void> | undefined => {
    const measured = measure(bytes, columns.column);
    const clean = cleaner.push(bytes, measured.isPlain);
    return add(clean, clean === bytes ? measured : measure(clean, columns.column));
  };

  return {
    push(bytes) {
      // Two pipes may push at once; each must wait for what the other began.
      busy = busy ? busy.then(() => take(bytes)) : take(bytes);
      const mine = busy;
      const forget = (): void => {
        if (busy === mine) busy = undefined;
      };
      mine?.then(forget, forget);
      return mine;
    },
    newest: (maxBytes) => text(window.ends(0, maxBytes).tail),
    async finish() {
      await busy;
      const rest = cleaner.end();
      await add(rest, measure(rest, columns.column));
      const artifactId = await spill?.close();
      const parts = shown(window, limits, isTooMuch(), lineCount());
      const { output } = parts;
      return {
        ...parts,
        cutLines: columns.cutLines,
        totalLines: lineCount(),
        totalBytes,
        outputLines: countLines(output),
        outputBytes: Buffer.byteLength(output),
        ...(artifactId === undefined ? {} : { artifactId }),
      };
    },
  };
}

type Shown = Pick<OutputSummary, "output" | "truncated" | "truncatedBy" | "headLines">;

function shown(
  window: ReturnType<typeof createWindow>,
  { headBytes, tailBytes, tailLines }: OutputLimits,
  isTooMuch: boolean,
  totalLines: number,
): Shown {
  if (!isTooMuch) return complete(text(window.ends(0, window.totalBytes).tail));
  const ends = window.ends(headBytes, tailBytes);
  const [head, end] = [text(ends.head), text(ends.tail)];
  const tail = tailLines > 0 ? lastLines(end, tailLines) : end;
  const leftOut = window.totalBytes - ends.head.length - Buffer.byteLength(tail);
  if (leftOut === 0) return complete(head + tail);
  const truncatedBy = tail === end ? "bytes" : "lines";
  if (head === "") return { output: tail, truncated: true, truncatedBy, headLines: 0 };
  const headLines = countLines(head);
  const lines = Math.max(1, totalLines - headLines - countLines(tail));
  const before = head.endsWith("\n") ? head : `${head}\n`;
  const output = `${before}${leftOutMark(leftOut, lines)}\n${tail}`;
  return { output, truncated: true, truncatedBy, headLines };
}

function complete(output: string): Shown {
  return { output, truncated: false, headLines: 0 };
}

function lastLines(lines: string, count: number): string {
  let start = lines.endsWith("\n") ? lines.length - 1 : lines.length;
  for (let seen = 0; seen < count; seen++) {
    start = lines.lastIndexOf("\n", start - 1);
    if (start < 0) return lines;
  }
  return lines.slice(start + 1);
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
