/** What is at a path, read and claimed: the beginning of every log that is not new. */

import { UserError } from "@omp/std";
import { SESSION_VERSION, type SessionEntry, type SessionHeader } from "./entry.ts";
import { SessionFile, type FileStart, type HeldLock } from "./file.ts";
import { sessionError } from "./io-error.ts";
import { headOf, lineOf, newHeader, type Doors } from "./line-text.ts";
import { claim, readOnlyError, type SessionAccess } from "./ownership.ts";
import type { ParsedSession } from "./parse.ts";
import type { LineProblem } from "./problem.ts";
import { restoredEntry } from "./persisted.ts";
import { LARGE_FILE_BYTES, openSource, type SessionSource } from "./read.ts";
import { recoverAside, type CopyPlan } from "./rewrite.ts";

export interface OpenWish {
  readonly path: string;
  readonly cwd: string;
  readonly access: "write" | "read";
  readonly mustExist?: boolean | undefined;
}

export interface Opened {
  readonly path: string;
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
  readonly problems: readonly LineProblem[];
  readonly access: SessionAccess;
  /** Open for as long as entries may still be in it. */
  readonly source?: SessionSource;
  /** What the source holds. */
  readonly parsed?: ParsedSession;
  /** Undefined when it may only be read. */
  readonly file: SessionFile | undefined;
  /** There is no session at the path yet. */
  readonly isNew: boolean;
}

/** @param titled the header with the title in force, when it comes to writing it */
export function openStored(wish: OpenWish, doors: Doors, titled: () => SessionHeader): Opened {
  const source = openSource(wish.path) ?? recovered(wish.path);
  if (!source) return openNothing(wish, doors, titled);
  const { access, lock } = rightsTo(wish);
  try {
    const parsed = source.parse(parseOptions(source, doors));
    if (parsed.header) return openFound({ wish, doors, source, parsed, access, lock, titled });
    source.close();
    if (access.kind === "read-only" || wish.mustExist) throw notASession(wish, access);
    return startAnew(wish, doors, titled, lock);
  } catch (error) {
    source.close();
    lock?.release();
    throw error;
  }
}

function recovered(path: string): SessionSource | undefined {
  return recoverAside(path) ? openSource(path) : undefined;
}

function openNothing(wish: OpenWish, doors: Doors, titled: () => SessionHeader): Opened {
  if (wish.access === "write" && !wish.mustExist) return startAnew(wish, doors, titled, undefined);
  throw new UserError(
    "session",
    `Cannot read the session file ${wish.path}: there is no such file.`,
  );
}

function startAnew(
  { path, cwd }: OpenWish,
  doors: Doors,
  titled: () => SessionHeader,
  /** Held where there is something at the path. */
  lock: HeldLock | undefined,
): Opened {
  const header = newHeader(cwd, doors);
  const head = () => headOf(titled());
  const start: FileStart = lock
    ? { kind: "foreign", suffix: `.${header.id}.bak`, head }
    : { kind: "absent", head };
  const file = new SessionFile(path, start, lock);
  const access = { kind: "write" } as const;
  return { path, header, entries: [], problems: [], access, file, isNew: true };
}

interface Found {
  readonly wish: OpenWish;
  readonly doors: Doors;
  readonly source: SessionSource;
  readonly parsed: ParsedSession;
  readonly access: SessionAccess;
  readonly lock: HeldLock | undefined;
  titled(): SessionHeader;
}

function openFound({ wish, doors, source, parsed, access, lock, titled }: Found): Opened {
  const { path } = wish;
  const { entries, problems } = parsed;
  const header = headerOf(wish, doors, parsed);
  const found = { path, header, entries, problems, source, parsed, isNew: false };
  if (header.version > SESSION_VERSION) {
    lock?.release();
    const future = { kind: "read-only", because: "future-version" } as const;
    return { ...found, access: future, file: undefined };
  }
  if (access.kind === "read-only") return { ...found, access, file: undefined };
  const file = new SessionFile(path, startOf(parsed, header, titled, doors), lock);
  return { ...found, access, file };
}

/** The header that is there, or what stands in for one that is lost. */
function headerOf({ cwd }: OpenWish, doors: Doors, parsed: ParsedSession): SessionHeader {
  const made = newHeader(cwd, doors);
  const { header = made, headerLine } = parsed;
  if (headerLine !== undefined) return header;
  return { ...header, id: header.id || made.id, cwd };
}

function startOf(
  parsed: ParsedSession,
  header: SessionHeader,
  titled: () => SessionHeader,
  doors: Doors,
): FileStart {
  const plan = () => rewritePlan(parsed, titled(), doors);
  if (parsed.headerLine !== undefined && !parsed.isOutdated) return { kind: "current" };
  // What stood in the place of the header, or around it, may be of use to somebody.
  const keeps = parsed.headerLine === undefined || parsed.isDamagedWhereChanged;
  return { kind: "outdated", plan, ...(keeps && { keepAs: `.${header.id}.bak` }) };
}

/** The whole file in our form. Lines that did not change, or cannot be read, keep their bytes. */
export function rewritePlan(
  { headerLine, slotLine, entries, lines, migratedLines }: ParsedSession,
  header: SessionHeader,
  { blobs }: Doors,
): CopyPlan {
  const texts = new Map<number, string | null>();
  if (headerLine !== undefined) texts.set(headerLine, null);
  if (slotLine !== undefined) texts.set(slotLine, null);
  entries.forEach((entry, at) => {
    const line = lines[at];
    if (line === undefined || !(migratedLines.has(line) || texts.has(line))) return;
    // A damaged line may have held several, the header among them.
    const before = texts.get(line);
    texts.set(line, (before ? `${before}\n` : "") + lineOf(entry, blobs).trimEnd());
  });
  return { head: headOf(header), edit: (line) => texts.get(line) };
}

function rightsTo({ path, access }: OpenWish): {
  readonly access: SessionAccess;
  readonly lock: HeldLock | undefined;
} {
  const readOnly = { kind: "read-only", because: "asked" } as const;
  if (access === "read") return { access: readOnly, lock: undefined };
  try {
    const attempt = claim(path);
    switch (attempt.kind) {
      case "held":
        return { access: { kind: "write" }, lock: attempt };
      case "not-permitted":
        return { access: { ...readOnly, because: "not-permitted" }, lock: undefined };
      case "taken": {
        const { owner } = attempt;
        return {
          access: { ...readOnly, because: "locked", ...(owner && { owner }) },
          lock: undefined,
        };
      }
    }
  } catch (error) {
    throw sessionError("write", path, error);
  }
}

function notASession({ path }: OpenWish, access: SessionAccess): UserError {
  if (access.kind === "read-only" && access.because !== "asked") return readOnlyError(path, access);
  return new UserError(
    "session",
    `Cannot read the session file ${path}: there is no session in it.`,
  );
}

function parseOptions(source: SessionSource, { blobs }: Doors) {
  const restore = (entry: SessionEntry) =>
    blobs ? (restoredEntry(entry, blobs) as ReturnType<SessionSource["object"]>) : {};
  const isLarge = source.size >= LARGE_FILE_BYTES;
  return {
    ...(blobs && { restore }),
    ...(isLarge && {
      load: ({ offset, length }: { readonly offset: number; readonly length: number }) => {
        const fields = source.object(offset, length);
        return blobs ? restore(fields as SessionEntry) : fields;
      },
    }),
  };
}
