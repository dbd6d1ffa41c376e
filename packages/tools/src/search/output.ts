/** What a search says: blocks of rows, what was left out and why, and the facts for front ends. */

import { textOutput, type ToolOutput } from "@omp/agent";
import type { Around, Files, ReadQuery } from "@omp/host";
import type { Editing } from "../shared/editing.ts";
import { headerOf, shownPath } from "../shared/anchored.ts";
import { orMissing } from "../shared/failure.ts";
import type { Snapshots } from "../shared/snapshots.ts";
import { chooseBlocks, rowsOfBlock, type Block, type Blocks } from "./blocks.ts";
import { MAX_FILE_BYTES, type Hit, type Page } from "./page.ts";
import type { Target } from "./targets.ts";

export interface Doors {
  readonly cwd: string;
  readonly files: Files;
  readonly snapshots: Snapshots;
  readonly editing: Editing;
  readonly around: Around;
}

export interface Result {
  readonly page: Page;
  readonly targets: readonly Target[];
  readonly missing: readonly string[];
  readonly unreadable: readonly string[];
  readonly read: ReadQuery;
  readonly skip: number;
}

const MAX_BYTES = 50 * 1024;
/** For what is said after the rows. */
const NOTE_BYTES = 2 * 1024;

export async function outputOf(result: Result, doors: Doors): Promise<ToolOutput> {
  const { page } = result;
  const hasAnchors = doors.editing.showsAnchors;
  const maxBytes = MAX_BYTES - NOTE_BYTES - headerBytes(page.hits, doors.cwd);
  const chosen = chooseBlocks(page.hits, { ...doors.around, hasAnchors, maxBytes });
  const texts = [];
  for (const block of chosen.blocks) texts.push(await blockText(block, page, doors));
  const notes = notesOf(result, chosen, doors.cwd);
  const details = detailsOf(result, chosen, doors.cwd);
  if (texts.length > 0) return textOutput([...texts, ...notes].join("\n\n"), details);
  const nothing =
    page.total > 0 && result.skip > 0
      ? `No more results: ${page.total} ${page.total === 1 ? "file matches" : "files match"}`
      : "No matches found";
  return { ...textOutput([nothing, ...notes].join("\n"), details), useless: true };
}

async function blockText(block: Block, { isSingle }: Page, doors: Doors): Promise<string> {
  const { hit } = block;
  const name = hit.name ?? shownPath(hit.path!, doors.cwd);
  if (!doors.editing.showsAnchors) {
    const rows = rowsOfBlock(block, "|");
    return (isSingle ? rows : [`# ${name}`, ...rows]).join("\n");
  }
  const tag = hit.name === undefined ? await tagOf(hit, doors) : undefined;
  const header = tag === undefined ? `# ${name}` : headerOf(name, tag);
  return [header, ...rowsOfBlock(block, tag === undefined ? "|" : ":")].join("\n");
}

/** Undefined for what cannot be edited by these lines: another text by now, or no UTF-8. */
async function tagOf({ path, lines }: Hit, doors: Doors): Promise<string | undefined> {
  const bytes = await orMissing(doors.files.read(path!, { maxBytes: MAX_FILE_BYTES }));
  const text = bytes && utf8(bytes);
  if (text === undefined) return undefined;
  const all = text.split("\n");
  for (const [line, shown] of lines) {
    const own = all[line - 1]?.replace(/\r$/, "").replace(/^\uFEFF/, "");
    if (own !== shown.replace(/^\uFEFF/, "")) return undefined;
  }
  return doors.snapshots.record(path!, text);
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function headerBytes(hits: readonly Hit[], cwd: string): number {
  const nameOf = (hit: Hit) => hit.name ?? shownPath(hit.path!, cwd);
  return hits.reduce((sum, hit) => sum + Buffer.byteLength(nameOf(hit)) + 10, 0);
}

function notesOf(
  { page, read, missing, unreadable }: Result,
  { blocks, isCut }: Blocks,
  cwd: string,
): string[] {
  const { nextSkip, large, total, hits } = page;
  const { pattern, dialect } = read;
  const isLiteral = dialect.engine === "literal";
  const meant = isLiteral ? "the exact text" : dialect.pattern;
  const more = hits.some((hit) => hit.isCut);
  const lines = [
    ...(isCut ? ["[Some matches did not fit; narrow paths or pattern]"] : []),
    ...(more && !isCut && blocks.length > 0
      ? ["[Some files have more matches; search them alone]"]
      : []),
    ...(nextSkip === undefined
      ? []
      : [`[${total} files match. Use skip=${nextSkip} for the next page]`]),
    ...(isLiteral || dialect.pattern !== pattern
      ? [`[The pattern is no valid regular expression; searched for ${meant}]`]
      : []),
    ...(large.length > 0 ? [largeNote(large, page.isSingle, cwd)] : []),
    ...(unreadable.length > 0 ? [`[Skipped archive members: ${unreadable.join(", ")}]`] : []),
    ...(missing.length > 0 ? [`Skipped missing paths: ${missing.join(", ")}`] : []),
  ];
  return lines.length > 0 ? [lines.join("\n")] : [];
}

const NAMED = 5;

function largeNote(large: readonly string[], isNamed: boolean, cwd: string): string {
  const limit = `larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;
  const names = large.slice(0, NAMED).map((path) => shownPath(path, cwd));
  const list = names.join(", ") + (large.length > NAMED ? ", ..." : "");
  if (isNamed) return `[Skipped, ${limit}: ${list}]`;
  return `[Skipped ${large.length} ${large.length === 1 ? "file" : "files"} ${limit}: ${list}]`;
}

function detailsOf({ page, targets, missing }: Result, chosen: Blocks, cwd: string): object {
  const { blocks, isCut, hasLongLines } = chosen;
  const nameOf = (hit: Hit) => hit.name ?? shownPath(hit.path!, cwd);
  const fileMatches = blocks.map(({ hit, matches }) => ({
    path: nameOf(hit),
    count: matches.length,
  }));
  const hasMore = page.hits.some((hit) => hit.isCut);
  const shown = blocks.map((block) => [nameOf(block.hit), ...rowsOfBlock(block, "│")].join("\n"));
  return {
    scopePath: targets.map((target) => scopeOf(target, cwd)).join(", "),
    matchCount: fileMatches.reduce((sum, { count }) => sum + count, 0),
    fileCount: blocks.length,
    files: fileMatches.map(({ path }) => path),
    fileMatches,
    fileLimitReached: page.nextSkip !== undefined,
    perFileLimitReached: hasMore,
    linesTruncated: hasLongLines,
    truncated: isCut || hasMore || page.nextSkip !== undefined,
    ...(isCut && { meta: { truncation: { truncatedBy: "bytes", maxBytes: MAX_BYTES } } }),
    displayContent: shown.join("\n\n"),
    ...(missing.length > 0 && { missingPaths: missing }),
  };
}

function scopeOf(target: Target, cwd: string): string {
  if (target.kind === "text") return target.name;
  if (target.kind === "file") return target.name ?? shownPath(target.path, cwd);
  const folder = target.path === cwd ? "." : shownPath(target.path, cwd);
  return target.pattern === undefined ? folder : `${folder}/${target.pattern}`;
}
