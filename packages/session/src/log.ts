/** One session: its tree in memory and its file. The only way entries come into being. */

import { basename, join, resolve } from "node:path";
import { shortId } from "@omp/std";
import type { EntryDraft, SessionEntry, SessionHeader } from "./entry.ts";
import { EntryTree } from "./entry-tree.ts";
import { SessionFile } from "./file.ts";
import type { Copied } from "./fork.ts";
import { headOf, lineOf, newHeader, type Doors } from "./line-text.ts";
import { sessionFileName } from "./location.ts";
import type { Opened } from "./open.ts";
import { readOnlyError, type SessionAccess } from "./ownership.ts";
import type { LineProblem } from "./problem.ts";
import { titleOf, titleSlot, type Title } from "./title-slot.ts";

export interface NewSession extends Doors {
  readonly cwd: string;
  /** Where the file will be; undefined keeps the session in memory. */
  readonly folder: string | undefined;
  readonly parentSession?: string;
  /** Folders that belong to the session besides `cwd`. */
  readonly additionalDirectories?: readonly string[];
}

export interface StoredSession extends Doors {
  readonly path: string;
  /** For the header, if there is no session at the path yet. By default that of the process. */
  readonly cwd?: string;
  /** To write unless told. Who cannot write gets a session to read, see `access`. */
  readonly access?: "write" | "read";
  /** Refuse a path without a session, instead of starting one there. */
  readonly mustExist?: boolean;
}

/** Where a copy of a session goes. */
export type SessionTarget = Omit<NewSession, "parentSession">;

export interface BranchSummary {
  /** The entry that the summary hangs under; null is the root. */
  readonly fromId: string | null;
  readonly summary: string;
  readonly details?: unknown;
  readonly fromExtension?: boolean;
}

/** What a log is made of. */
interface Parts {
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
  readonly file?: SessionFile | undefined;
  readonly doors: Doors;
  readonly origin?: Opened;
}

export class SessionLog extends EntryTree implements AsyncDisposable {
  /** What was wrong with the file when it was opened. */
  readonly problems: readonly LineProblem[];
  readonly access: SessionAccess;
  /** What the log was read from; undefined for a new session. */
  readonly origin: Opened | undefined;
  readonly #doors: Doors;
  readonly #file: SessionFile | undefined;
  #header: SessionHeader;
  #title: Title | undefined;

  private constructor({ header, entries, file, doors, origin }: Parts) {
    super(entries);
    this.problems = origin?.problems ?? [];
    this.access = origin?.access ?? { kind: "write" };
    this.origin = origin;
    this.#doors = doors;
    this.#file = file;
    this.#header = header;
    this.#title = titleOf(header, entries, origin?.parsed?.slotTitle);
  }

  /** A new session. Nothing is on disk before `persist`. */
  static create({ cwd, folder, parentSession, ...rest }: NewSession): SessionLog {
    const { additionalDirectories = [], ...doors } = rest;
    const added = additionalDirectories.length > 0 && { additionalDirectories };
    const header = { ...newHeader(cwd, doors, parentSession), ...added };
    if (folder === undefined)
      return new SessionLog({ header, entries: [], file: undefined, doors });
    const name = sessionFileName(Date.parse(header.timestamp), header.id);
    // The title may change until the file is made.
    const head = () => headOf(log.header);
    const file = new SessionFile(join(resolve(folder), name), { kind: "absent", head });
    const log = new SessionLog({ header, entries: [], file, doors });
    return log;
  }

  /**
   * The session at a path. A sound file is only read. Where there is none, a new session starts at
   * exactly this path and is written at once: whoever names a file learns now if it cannot be used.
   */
  static async open(stored: StoredSession): Promise<SessionLog> {
    const { path, cwd = process.cwd(), access = "write", mustExist, ...doors } = stored;
    const wish = { path: resolve(path), cwd, access, mustExist };
    const { openStored } = await import("./open.ts");
    const origin = openStored(wish, doors, () => log.header);
    const { header, entries, file } = origin;
    const log = new SessionLog({ header, entries, file, doors, origin });
    if (origin.isNew) log.persist();
    return log;
  }

  /**
   * A copy with an id of its own: the header names where it came from, every other line is the same.
   * The artifacts are copied too, as far as they can be. The source stays open and as it is.
   */
  static async fork(source: SessionLog | string, target: SessionTarget): Promise<SessionLog> {
    if (typeof source === "string") {
      await using log = await SessionLog.open({ ...target, path: source, access: "read" });
      return SessionLog.fork(log, target);
    }
    const { forkOf } = await import("./fork.ts");
    return SessionLog.#ofCopy(await forkOf(source, target), target);
  }

  /** A new session of the way from the root to an entry; of none, an empty one that names this one. */
  async extract(leafId: string | null, target: SessionTarget): Promise<SessionLog> {
    const branch = this.branch(leafId);
    if (branch.length === 0) return SessionLog.create({ ...target, parentSession: this.header.id });
    const { extractOf } = await import("./fork.ts");
    const { labels, ...copy } = await extractOf(this, branch, target);
    const log = await SessionLog.#ofCopy(copy, target);
    for (const [id, label] of labels) log.setLabel(id, label);
    return log;
  }

  static async #ofCopy({ path, header, entries }: Copied, target: SessionTarget) {
    if (path === undefined) return new SessionLog({ header, entries, doors: target });
    return SessionLog.open({ ...target, path });
  }

  /** With the title in force. */
  get header(): SessionHeader {
    const { title: _, titleSource: __, ...header } = this.#header;
    if (!this.#title) return header;
    const { title, source } = this.#title;
    return { ...header, title, ...(source && { titleSource: source }) };
  }

  /** Undefined for a session in memory. */
  get path(): string | undefined {
    return this.#file?.path ?? this.origin?.path;
  }

  /** The file is there and holds all entries. */
  get isPersisted(): boolean {
    return this.#file?.isOnDisk ?? false;
  }

  get title(): string | undefined {
    return this.#title?.title;
  }

  get titleSource(): "auto" | "user" | undefined {
    return this.#title?.source;
  }

  /**
   * Adds a child to the leaf and moves the leaf to it.
   * @throws UserError when the file cannot be written. The entry is part of the log all the same and
   * goes to the file with the next one; of a session that can only be read it does not become part.
   */
  append(draft: EntryDraft): SessionEntry {
    if (this.access.kind === "read-only") throw readOnlyError(this.path ?? "", this.access);
    const { type, ...rest } = draft;
    const entry = {
      type,
      id: shortId(this.#doors.random, (id) => this.entry(id) !== undefined),
      parentId: this.leafId,
      timestamp: new Date(this.#doors.clock.now()).toISOString(),
      ...rest,
    } as SessionEntry;
    // What cannot be written as JSON must fail here, before the tree knows it.
    const line = this.#file ? lineOf(entry, this.#doors.blobs) : undefined;
    this.add(entry);
    if (line !== undefined) this.#file?.append([line]);
    return entry;
  }

  /** Moves the leaf and puts there what happened on the branch that was left. */
  appendBranchSummary({ fromId, ...rest }: BranchSummary): SessionEntry {
    this.moveLeaf(fromId);
    return this.append({ type: "branch_summary", fromId: fromId ?? "root", ...rest });
  }

  /** A name for an entry; an empty one takes it away. */
  setLabel(targetId: string, label: string | undefined): SessionEntry {
    return this.append({ type: "label", targetId, ...(label && { label }) });
  }

  /** An automatic title never replaces one that a person gave. */
  rename(title: string, source: "auto" | "user"): void {
    const before = this.#title;
    if (source === "auto" && before && before.source !== "auto") return;
    if (this.access.kind === "read-only") throw readOnlyError(this.path ?? "", this.access);
    const updatedAt = new Date(this.#doors.clock.now()).toISOString();
    if (this.#file?.isMade) this.#file.overwriteSlot(titleSlot({ title, source }, updatedAt));
    this.#title = { title, source };
    const previous = before && { previousTitle: before.title };
    this.append({ type: "title_change", title, source, ...previous });
  }

  /**
   * Takes the session to another working directory: its file and its artifacts go into the folder.
   * When a step fails, all is as it was.
   */
  async moveTo({ cwd, folder }: { readonly cwd: string; readonly folder: string }): Promise<void> {
    if (this.access.kind === "read-only") throw readOnlyError(this.path ?? "", this.access);
    const from = this.#file?.path;
    const to = from === undefined ? undefined : join(resolve(folder), basename(from));
    const { previousSessionFiles = [] } = this.#header;
    const isLeft = from !== undefined && from !== to && (this.isPersisted || this.origin);
    const previous = isLeft ? [...previousSessionFiles, from] : previousSessionFiles;
    const change = { cwd, ...(previous.length > 0 && { previousSessionFiles: previous }) };
    const { headerEdit } = await import("./header-edit.ts");
    const edit = headerEdit((header) => ({ ...header, ...change }));
    if (to !== undefined) await this.#file?.moveTo(to, { edit });
    this.#header = { ...this.#header, ...change };
  }

  /** Creates the file with all entries so far; from now on each goes to disk as it is appended. */
  persist(): void {
    this.#file?.commit();
  }

  /** Resolves when all persisted entries are on the device. */
  async sync(): Promise<void> {
    await this.#file?.sync();
  }

  async close(): Promise<void> {
    try {
      await this.#file?.close();
    } finally {
      this.origin?.source?.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
