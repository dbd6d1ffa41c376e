/** One session: its tree in memory and its file. The only way entries come into being. */

import { join, resolve } from "node:path";
import { shortId, uuidV7, type Clock, type Random } from "@omp/std";
import {
  SESSION_VERSION,
  type EntryDraft,
  type SessionEntry,
  type SessionHeader,
} from "./entry.ts";
import { SessionFile, type FileStart } from "./file.ts";
import { sessionFileName } from "./location.ts";
import type { LineProblem } from "./parse.ts";
import { readSessionFile, type ReadSession } from "./read.ts";
import { titleSlot } from "./title-slot.ts";
import { branchOf } from "./tree.ts";

/** The recordable doors that a log takes its times and ids from. */
interface Doors {
  readonly clock: Clock;
  readonly random: Random;
}

export interface NewSession extends Doors {
  readonly cwd: string;
  /** Where the file will be; undefined keeps the session in memory. */
  readonly folder: string | undefined;
  readonly parentSession?: string;
}

export interface StoredSession extends Doors {
  readonly path: string;
  /** For the header, if there is no session at the path yet. By default that of the process. */
  readonly cwd?: string;
}

export class SessionLog implements AsyncDisposable {
  readonly #doors: Doors;
  readonly #file: SessionFile | undefined;
  readonly #entries: SessionEntry[];
  readonly #byId: Map<string, SessionEntry>;
  #leafId: string | null;

  private constructor(
    readonly header: SessionHeader,
    /** What was wrong with the file when it was opened. */
    readonly problems: readonly LineProblem[],
    entries: readonly SessionEntry[],
    file: SessionFile | undefined,
    doors: Doors,
  ) {
    this.#doors = doors;
    this.#file = file;
    this.#entries = [...entries];
    this.#byId = new Map(entries.map((entry) => [entry.id, entry]));
    this.#leafId = entries.at(-1)?.id ?? null;
  }

  /** A new session. Nothing is on disk before `persist`. */
  static create({ cwd, folder, parentSession, clock, random }: NewSession): SessionLog {
    const doors = { clock, random };
    const header = newHeader(cwd, doors, parentSession);
    if (folder === undefined) return new SessionLog(header, [], [], undefined, doors);
    const name = sessionFileName(Date.parse(header.timestamp), header.id);
    const file = new SessionFile(join(resolve(folder), name), {
      kind: "absent",
      head: () => headOf(header),
    });
    return new SessionLog(header, [], [], file, doors);
  }

  /**
   * The session at a path. A sound file is only read. Where there is none, a new session starts at
   * exactly this path and is written at once: whoever names a file learns now if it cannot be used.
   */
  static async open({ path, cwd, clock, random }: StoredSession): Promise<SessionLog> {
    const doors = { clock, random };
    const full = resolve(path);
    const read = await readSessionFile(full);
    const header = read.header ?? newHeader(cwd ?? process.cwd(), doors);
    const file = new SessionFile(full, startOf(read, header, random));
    const log = new SessionLog(header, read.problems, read.entries, file, doors);
    if (!read.header) log.persist();
    return log;
  }

  /** Undefined for a session in memory. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  get leafId(): string | null {
    return this.#leafId;
  }

  /** All branches, in the order of the file. */
  get entries(): readonly SessionEntry[] {
    return this.#entries;
  }

  /**
   * Adds a child to the leaf and moves the leaf to it.
   * @throws UserError when the file cannot be written. The entry is part of the log all the same and
   * goes to the file with the next one.
   */
  append(draft: EntryDraft): SessionEntry {
    const { type, ...rest } = draft;
    const entry = {
      type,
      id: shortId(this.#doors.random, (id) => this.#byId.has(id)),
      parentId: this.#leafId,
      timestamp: new Date(this.#doors.clock.now()).toISOString(),
      ...rest,
    } as SessionEntry;
    // What cannot be written as JSON must fail here, before the tree knows it.
    const line = this.#file ? lineOf(entry) : undefined;
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    this.#leafId = entry.id;
    if (line !== undefined) this.#file?.append([line]);
    return entry;
  }

  /** The active branch, root to leaf. */
  branch(): readonly SessionEntry[] {
    return branchOf(this.#byId, this.#leafId);
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
    await this.#file?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function newHeader(cwd: string, { clock, random }: Doors, parentSession?: string): SessionHeader {
  const timestamp = new Date(clock.now()).toISOString();
  const id = uuidV7(clock, random);
  const header = { type: "session", version: SESSION_VERSION, id, timestamp, cwd } as const;
  return parentSession === undefined ? header : { ...header, parentSession };
}

function startOf(read: ReadSession, header: SessionHeader, random: Random): FileStart {
  if (!read.header) {
    const head = () => headOf(header);
    return read.exists
      ? { kind: "foreign", suffix: `.${header.id}.bak`, head }
      : { kind: "absent", head };
  }
  if (!read.isOutdated) return { kind: "current" };
  return {
    kind: "outdated",
    suffix: `.${shortId(random, () => false)}.tmp`,
    head: () => headOf(header) + read.entries.map(lineOf).join(""),
  };
}

/** Title slot and header. */
function headOf(header: SessionHeader): string {
  const { title = "", titleSource, timestamp } = header;
  const slot = titleSlot({ title, ...(titleSource && { source: titleSource }) }, timestamp);
  return slot + lineOf(header);
}

function lineOf(value: SessionHeader | SessionEntry): string {
  return `${JSON.stringify(value)}\n`;
}
