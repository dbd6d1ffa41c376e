/** The lines of a session file as header and entries. Never throws: what cannot be read is reported by line. */

import { SESSION_VERSION, type Fields } from "./entry.ts";
import type { SessionEntry, SessionHeader, UnknownEntry } from "./entry.ts";
import { lazyEntry } from "./lazy-entry.ts";
import type { ScannedLine } from "./lines.ts";
import { migrate } from "./migrate.ts";
import { rowsOf, type Row, type Rows } from "./rows.ts";
import { distinctIds } from "./distinct-ids.ts";
import type { LineProblem } from "./problem.ts";
import { readTitleSlot, type Title } from "./title-slot.ts";

export interface ParsedSession {
  /** Absent when the file holds no session. */
  readonly header?: SessionHeader;
  /** Absent when there is no header in the file: what stands in for it was made up. */
  readonly headerLine?: number;
  readonly entries: readonly SessionEntry[];
  /** For each entry the line it was read from. */
  readonly lines: readonly number[];
  readonly problems: readonly LineProblem[];
  /** The file has an older version than what is returned here. */
  readonly isOutdated: boolean;
  /** The lines whose entries were lifted from an older version. */
  readonly migratedLines: ReadonlySet<number>;
  /** To write it in our form takes more away than it puts back: the original must stay somewhere. */
  readonly isDamagedWhereChanged: boolean;
  /** The line of the title slot. */
  readonly slotLine?: number;
  /** What the slot says, unless it is empty. */
  readonly slotTitle?: Title;
}

export interface ParseOptions {
  /** Fetches an entry that was left in the file. Without it every line is read whole. */
  load?(row: Pick<Row, "offset" | "length">): Fields;
  /** Turns references to blobs back, when the entry is first looked at. */
  restore?(entry: SessionEntry): Fields;
}

interface Placed {
  readonly row: Row;
  readonly entry: SessionEntry;
}

export function parseSession(
  lines: Iterable<ScannedLine>,
  options: ParseOptions = {},
): ParsedSession {
  const read = rowsOf(lines, options.load ? isCurrent() : () => false);
  const head = headIn(read.rows);
  const { top, slotRow, slot, rest, version } = head;
  if (!top && !rest.some(({ fields }) => isSoundEntry(fields))) return nothing(read);
  const header = headerOf(top?.fields ?? {}, Math.max(version, SESSION_VERSION), slot);
  const problems = [...read.problems];
  if (!top) problems.push({ line: 1, kind: "no-header" });
  const rows = migrate(rest, version);
  const migratedLines = changedLines(rest, rows);
  const found = treePlaces(placedIn(rows, header, problems), read, problems);
  return {
    header,
    ...(top && { headerLine: top.line }),
    entries: found.map((one) => awake(one, options)),
    lines: found.map(({ row }) => row.line),
    problems: problems.toSorted((a, b) => a.line - b.line),
    isOutdated: version < SESSION_VERSION,
    migratedLines,
    isDamagedWhereChanged: isDamagedWhereChanged(read, head, migratedLines),
    ...(slotRow && { slotLine: slotRow.line }),
    ...(slot?.title && { slotTitle: slot }),
  };
}

/** What a file says about itself, and the rows that are left for entries. */
interface Head {
  readonly top: Row | undefined;
  readonly slotRow: Row | undefined;
  readonly slot: Title | undefined;
  readonly rest: readonly Row[];
  readonly version: number;
}

function headIn(rows: readonly Row[]): Head {
  const top = rows.find(({ fields }) => isHeader(fields));
  const slotRow = rows[0]?.fields.type === "title" ? rows[0] : undefined;
  return {
    top,
    slotRow,
    slot: slotRow && readTitleSlot(slotRow.fields),
    rest: rows.filter((row) => row !== top && row !== slotRow),
    version: top ? versionOf(top.fields) : SESSION_VERSION,
  };
}

function isDamagedWhereChanged(
  { rows }: Rows,
  { top, slotRow, version }: Head,
  migratedLines: ReadonlySet<number>,
): boolean {
  return rows.some((row) => {
    const isMigrated = migratedLines.has(row.line);
    // The first version had no ids: a line with one was meant in another way.
    if (isMigrated && version < 2 && "id" in row.fields) return true;
    return !row.isAlone && (isMigrated || row === top || row === slotRow);
  });
}

/** Every entry with an id of its own, and a place for those that only their head is left of. */
function treePlaces(
  placed: readonly Placed[],
  read: Rows,
  problems: LineProblem[],
): readonly Placed[] {
  const ids = new Set<string>();
  for (const { entry } of placed) ids.add(entry.id);
  return placeholders(distinctIds(placed, ids, problems), ids, read, problems);
}

/** What is read where there is no session. */
export const NO_SESSION: ParsedSession = {
  entries: [],
  lines: [],
  problems: [],
  isOutdated: false,
  migratedLines: new Set(),
  isDamagedWhereChanged: false,
};

function nothing({ problems, lineCount }: Rows): ParsedSession {
  if (lineCount === 0) return { ...NO_SESSION, problems };
  return { ...NO_SESSION, problems: [...problems, { line: 1, kind: "no-header" }] };
}

function changedLines(before: readonly Row[], after: readonly Row[]): ReadonlySet<number> {
  if (before === after) return NO_SESSION.migratedLines;
  const old = new Set(before.map(({ fields }) => fields));
  return new Set(after.filter(({ fields }) => !old.has(fields)).map(({ line }) => line));
}

/** Whether the header has been seen and is not of an older version: those are read whole. */
function isCurrent(): (rows: readonly Row[]) => boolean {
  let answer: boolean | undefined;
  return (rows) => {
    if (answer !== undefined || rows.length === 0) return answer ?? false;
    const header = rows.find(({ fields }) => isHeader(fields));
    if (header) answer = versionOf(header.fields) >= SESSION_VERSION;
    else if (rows.length > 2) answer = false;
    return answer ?? false;
  };
}

function versionOf({ version }: Fields): number {
  return typeof version === "number" ? version : 1;
}

function isHeader(fields: Fields): boolean {
  return fields.type === "session" && typeof fields.id === "string" && fields.id !== "";
}

/** Enough of an entry to tell a session without its header from any other file. */
function isSoundEntry({ type, id, parentId, timestamp }: Fields): boolean {
  const hasParent = typeof parentId === "string" || parentId === null;
  return [type, id, timestamp].every((value) => typeof value === "string") && hasParent;
}

function headerOf(fields: Fields, version: number, slot: Title | undefined): SessionHeader {
  const header = {
    ...fields,
    type: "session",
    version,
    id: typeof fields.id === "string" ? fields.id : "",
    timestamp: typeof fields.timestamp === "string" ? fields.timestamp : new Date(0).toISOString(),
    cwd: typeof fields.cwd === "string" ? fields.cwd : "",
  } as const;
  if (!slot?.title) return header;
  return { ...header, title: slot.title, ...(slot.source && { titleSource: slot.source }) };
}

function placedIn(rows: readonly Row[], header: SessionHeader, problems: LineProblem[]): Placed[] {
  const placed: Placed[] = [];
  for (const row of rows) {
    const entry = entryOf(row.fields, header);
    if (entry) placed.push({ row, entry });
    else problems.push({ line: row.line, kind: "not-an-entry" });
  }
  return placed;
}

function entryOf(fields: Fields, header: SessionHeader): SessionEntry | undefined {
  const { type, id, parentId, timestamp } = fields;
  if (typeof type !== "string" || typeof id !== "string" || id === "") return undefined;
  if (type === "session" || type === "title") return undefined;
  if (typeof timestamp === "string" && (typeof parentId === "string" || parentId === null))
    return fields as UnknownEntry;
  return {
    ...fields,
    type,
    id,
    parentId: typeof parentId === "string" ? parentId : null,
    timestamp: typeof timestamp === "string" ? timestamp : header.timestamp,
  };
}

/**
 * A line that cannot be read but says whose child it was keeps its place where others hang under it:
 * what was said before it stays part of their branch.
 */
function placeholders(
  placed: readonly Placed[],
  ids: Set<string>,
  { lostHeads }: Rows,
  problems: LineProblem[],
): readonly Placed[] {
  const added: Placed[] = [];
  for (const { row, entry } of placed) {
    let child = entry;
    let line = row.line;
    while (child.parentId !== null && !ids.has(child.parentId)) {
      const lost = lostHeads.get(child.parentId);
      if (!lost) {
        problems.push({ line, kind: "missing-parent" });
        break;
      }
      child = { ...lost.head, type: "unreadable" };
      line = lost.line;
      ids.add(child.id);
      const place = {
        line,
        offset: 0,
        length: 0,
        isHead: false,
        namesBlobs: false,
        isAlone: false,
      };
      added.push({ row: { ...place, fields: child }, entry: child });
    }
  }
  if (added.length === 0) return placed;
  return [...placed, ...added].sort((a, b) => a.row.line - b.row.line);
}

/** The entry as the log holds it: whole, or ready to be fetched. */
function awake({ row, entry }: Placed, { load, restore }: ParseOptions): SessionEntry {
  if (row.isHead && load) return lazyEntry(entry, () => load(row));
  if (row.namesBlobs && restore) return lazyEntry(entry, () => restore(entry));
  return entry;
}
