/** The one writer of a session file: private, append-only, whole lines, nothing lost when the disk refuses. */

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { ignore } from "@omp/std";
import { sessionError } from "./io-error.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const NEWLINE = 0x0a;
const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants;

/** What stands at the path, and the lines that the first write must put before its own. */
export type FileStart =
  /** The session is there: add to it. */
  | { readonly kind: "current" }
  /** Nothing is there: create it. */
  | { readonly kind: "absent"; head(): string }
  /** Something else is there: unless it is empty it moves aside, to a name with this suffix. */
  | { readonly kind: "foreign"; readonly suffix: string; head(): string }
  /** The session is there in an older version: replace it as a whole. */
  | { readonly kind: "outdated"; readonly suffix: string; head(): string };

/**
 * Lines wait in a queue until `commit`; from then on every `append` hands them to the system before
 * it returns. When the system refuses, that is thrown, the lines stay in the queue, and the next
 * append, sync or close tries again.
 */
export class SessionFile {
  #queue: string[] = [];
  #descriptor: number | undefined;
  #isCommitted: boolean;
  #isClosed = false;
  #endsInsideLine = false;
  #isNameSynced = true;
  #syncing: Promise<unknown> = Promise.resolve();
  #start: FileStart;

  constructor(
    readonly path: string,
    start: FileStart,
  ) {
    this.#start = start;
    this.#isCommitted = start.kind === "current" || start.kind === "outdated";
  }

  /** Each line ends with its newline and holds no other. */
  append(lines: readonly string[]): void {
    if (this.#isClosed) throw new Error(`${this.path} was written to after it was closed`);
    this.#queue.push(...lines);
    this.#flush();
  }

  /** Ends the waiting: the file is made now, and holds everything so far. */
  commit(): void {
    this.#isCommitted = true;
    this.#flush();
  }

  /** Resolves when all that was appended is on the device. */
  async sync(): Promise<void> {
    this.#flush();
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    const synced = this.#isNameSynced ? toDevice(descriptor) : this.#syncWithName(descriptor);
    this.#syncing = Promise.allSettled([this.#syncing, synced]);
    await synced.catch((error: unknown) => {
      throw sessionError("write", this.path, error);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#flush();
    } finally {
      // A descriptor that is closed under a running sync could already belong to another file.
      await this.#syncing;
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
      this.#descriptor = undefined;
    }
  }

  /** A new file survives a power cut only when its folder has been written as well. */
  async #syncWithName(descriptor: number): Promise<void> {
    await toDevice(descriptor);
    const folder = openSync(dirname(this.path), O_RDONLY);
    try {
      await toDevice(folder);
      this.#isNameSynced = true;
    } finally {
      closeSync(folder);
    }
  }

  #flush(): void {
    if (!this.#isCommitted) return;
    if (this.#queue.length === 0 && this.#start.kind === "current") return;
    try {
      this.#descriptor ??= this.#open();
      this.#write(this.#descriptor);
    } catch (error) {
      throw sessionError("write", this.path, error);
    }
  }

  #open(): number {
    const start = this.#start;
    switch (start.kind) {
      case "current": {
        const descriptor = openSync(this.path, O_RDWR | O_APPEND);
        this.#endsInsideLine = !endsWithNewline(descriptor);
        return descriptor;
      }
      case "absent":
        makePrivateFolder(dirname(this.path));
        return this.#created(createWith(this.path, start.head() + this.#queue.join("")));
      case "foreign":
        makeWay(this.path, start.suffix);
        this.#start = { kind: "absent", head: start.head };
        return this.#open();
      case "outdated":
        return this.#created(
          replaceWith(this.path, start.suffix, start.head() + this.#queue.join("")),
        );
    }
  }

  /** The queue went out together with the head. */
  #created(descriptor: number): number {
    this.#queue = [];
    this.#start = { kind: "current" };
    this.#isNameSynced = false;
    return descriptor;
  }

  #write(descriptor: number): void {
    if (this.#queue.length === 0) return;
    // Ending the torn line of a writer that died costs that line only, not ours as well.
    const healing = this.#endsInsideLine ? "\n" : "";
    const bytes = Buffer.from(healing + this.#queue.join(""));
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    } finally {
      const whole = newlinesIn(bytes.subarray(0, written)) - healing.length;
      this.#queue = this.#queue.slice(Math.max(0, whole));
      if (written > 0) this.#endsInsideLine = bytes[written - 1] !== NEWLINE;
    }
  }
}

/** A new file that nobody else may have made; it is there with all of the text or not at all. */
function createWith(path: string, text: string): number {
  const descriptor = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, PRIVATE_FILE);
  try {
    // The mode given to open passes through the umask, which may take from the owner too.
    fchmodSync(descriptor, PRIVATE_FILE);
    const bytes = Buffer.from(text);
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    return descriptor;
  } catch (error) {
    discard(descriptor, path);
    throw error;
  }
}

/** At every moment the path holds either the old file or the whole new one. */
function replaceWith(path: string, suffix: string, text: string): number {
  const target = realpathSync(path);
  const beside = target + suffix;
  const descriptor = createWith(beside, text);
  try {
    fdatasyncSync(descriptor);
    renameSync(beside, target);
    return descriptor;
  } catch (error) {
    discard(descriptor, beside);
    throw error;
  }
}

/** What is in the way is somebody's work, unless it is nothing at all. */
function makeWay(path: string, suffix: string): void {
  if (statSync(path).size === 0) unlinkSync(path);
  else renameSync(path, path + suffix);
}

function discard(descriptor: number, path: string): void {
  closeSync(descriptor);
  try {
    unlinkSync(path);
  } catch (error) {
    ignore(error, "the write that failed before is what the caller must hear");
  }
}

function toDevice(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => (error ? reject(error) : resolve()));
  });
}

/** Makes the folder and its missing parents for the owner alone; folders that exist keep their modes. */
function makePrivateFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) {
    chmodSync(made, PRIVATE_FOLDER);
  }
}

function endsWithNewline(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
