/** Matches as rows: each file a block, lines around matches merged, all of it within a limit of bytes. Pure. */

import type { Match } from "@omp/host";
import { rowOf } from "../shared/anchored.ts";
import type { Hit } from "./page.ts";

const MAX_COLUMNS = 512;
const GAP = "...";

export interface BlockOptions {
  readonly before: number;
  readonly after: number;
  readonly maxBytes: number;
  /** `LINE:TEXT` for edits, otherwise `LINE|TEXT`. */
  readonly hasAnchors: boolean;
}

/** The lines that are shown of one hit, in their order. */
export interface Block {
  readonly hit: Hit;
  /** Matches that are shown: the first ones of the hit. */
  readonly matches: readonly Match[];
  readonly lines: readonly number[];
}

export interface Blocks {
  readonly blocks: readonly Block[];
  /** Some matches did not fit. */
  readonly isCut: boolean;
  readonly hasLongLines: boolean;
}

/** One match of each file, then the next of each: no file takes the room of the others. */
export function chooseBlocks(hits: readonly Hit[], options: BlockOptions): Blocks {
  const open = hits.map((hit) => ({ hit, matches: [] as Match[], lines: new Set<number>() }));
  let bytes = 0;
  let isCut = false;
  const rounds = Math.max(0, ...hits.map((hit) => hit.matches.length));
  for (let round = 0; round < rounds && !isCut; round++) {
    for (const { hit, matches, lines } of open) {
      const match = hit.matches[round];
      if (!match) continue;
      const added = linesAround(match, hit, options).filter((line) => !lines.has(line));
      bytes += added.reduce((sum, line) => sum + bytesOf(hit.lines.get(line)!), HEADER_BYTES);
      isCut = bytes > options.maxBytes;
      if (isCut) break;
      matches.push(match);
      for (const line of added) lines.add(line);
    }
  }
  const blocks = open
    .filter(({ matches }) => matches.length > 0)
    .map(({ hit, matches, lines }) => ({ hit, matches, lines: [...lines].sort((a, b) => a - b) }));
  const hasLongLines = blocks.some(({ hit, lines }) => lines.some((line) => isLong(hit, line)));
  return { blocks, isCut, hasLongLines };
}

/** @param gutter between number and text */
export function rowsOfBlock({ hit, matches, lines }: Block, gutter: ":" | "|" | "│"): string[] {
  const marked = new Set<number>();
  for (const { from, to } of matches) for (let line = from; line <= to; line++) marked.add(line);
  const rows: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0 && lines[index - 1]! < line - 1) rows.push(GAP);
    const row = rowOf(line, shortened(hit.lines.get(line)!), { isMarked: marked.has(line) });
    const signed = marked.has(line) ? row : ` ${row}`;
    rows.push(gutter === ":" ? signed : signed.replace(":", gutter));
  }
  return rows;
}

/** Number, sign, line end, and a share of the header and of the gaps. */
const ROW_BYTES = 9;
const HEADER_BYTES = 16;

function bytesOf(text: string): number {
  return Buffer.byteLength(shortened(text)) + ROW_BYTES;
}

function linesAround({ from, to }: Match, hit: Hit, { before, after }: BlockOptions): number[] {
  const lines: number[] = [];
  for (let line = from - before; line <= to + after; line++) {
    if (hit.lines.has(line)) lines.push(line);
  }
  return lines;
}

function isLong(hit: Hit, line: number): boolean {
  return hit.lines.get(line)!.length > MAX_COLUMNS;
}

function shortened(text: string): string {
  if (text.length <= MAX_COLUMNS) return text;
  // A character outside of the first plane has two halves, which belong together.
  const end = /[\ud800-\udbff]/.test(text[MAX_COLUMNS - 1]!) ? MAX_COLUMNS - 1 : MAX_COLUMNS;
  return `${text.slice(0, end)}…`;
}
