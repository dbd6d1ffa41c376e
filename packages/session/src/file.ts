/** The one writer of a session file: private, append-only, whole lines, nothing lost when the disk refuses. */

import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { codeOf, log, syncFolder, systemRandom, type LockAttempt } from "@omp/std";
import { LineQueue } from "./line-queue.ts";
import { ownLock } from "./ownership.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { Refusals } from "./refusals.ts";
import {
  copyLines,
  createFile,
  makeWay,
  replaceFileWith,
  writeAll,
  type CopyPlan,
} from "./rewrite.ts";
import { isTitleSlot, SLOT_BYTES } from "./title-slot.ts";

const { O_APPEND, O_RDONLY, O_RDWR } = constants;

/** Refusals that say nothing about the device: the same can be asked again. */
const PASSING: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EINTR"]);

export type HeldLock = Extract<LockAttempt, { readonly kind: "held" }>;

/** What stands at the path, and what the first write makes of it. */
export type FileStart =
  /** The session is there: add to it. */
  | { readonly kind: "current" }
  /** Nothing is there: create it with these lines first. */
  | { readonly kind: "absent"; head(): string }
  /** Something else is there: unless it is empty it moves aside, to a name with this suffix. */
  | { readonly kind: "foreign"; readonly suffix: string; head(): string }
  /** The session is there, but not in the form we write: replace it as a whole. */
  | { readonly kind: "outdated"; plan(): CopyPlan; readonly keepAs?: string };

/**
 * Lines wait in a queue until `commit`; from then on every `append` hands them to the system before
 * it returns. When the system refuses, that is thrown, the lines stay in the queue, and the next
 * append, sync or close tries again.
 */
export class SessionFile {
  #path: string;
  #start: FileStart;
  #lock: HeldLock | undefined;
  readonly #queue = new LineQueue();
  readonly #refusals = new Refusals(() => this.#path);
  #descriptor: number | undefined;
  #isCommitted: boolean;
  #isClosed = false;
  /** Their names are on the device after the next sync. */
  readonly #changedFolders = new Set<string>();
  #syncing: Promise<unknown> = Promise.resolve();
  /** The device lost what it had taken. Asked again it would say that all is well. */
  #deviceFault: Error | undefined;

  /** @param lock held by whoever has read the file */
  constructor(path: string, start: FileStart, lock?: HeldLock) {
    this.#path = path;
    this.#start = start;
    this.#lock = lock;
    this.#isCommitted = start.kind === "current" || start.kind === "outdated";
  }

  get path(): string {
    return this.#path;
  }

  /** Each line ends with its newline and holds no other. */
  append(lines: readonly string[]): void {
    if (this.#isClosed) throw new Error(`${this.#path} was written to after it was closed`);
    this.#queue.push(lines);
    this.flush();
  }

  /** Ends the waiting: the file is made now, and holds everything so far. */
  commit(): void {
    this.#isCommitted = true;
    this.flush();
  }

  /** Whether there is a file that holds all that was appended. */
  get isOnDisk(): boolean {
    return this.isMade && this.#queue.isEmpty;
  }

  /** Whether there is a file in our form, though it may lack what the system refused. */
  get isMade(): boolean {
    return this.#isCommitted && this.#start.kind === "current";
  }

  /** Hands to the system what it refused before. */
  flush(): void {
    if (!this.#isCommitted) return;
    const { kind } = this.#start;
    if (this.#queue.isEmpty && (kind === "current" || kind === "outdated")) return;
    this.#refusals.told(() => {
      if (kind === "current") this.#ensureLock();
      this.#queue.writeTo((this.#descriptor ??= this.#open()));
    });
  }

  /** Writes the title in place, if the file begins with a slot for it. */
  overwriteSlot(slot: string): void {
    this.#refusals.told(() => {
      this.#ensureLock();
      // A descriptor that appends writes at the end, wherever it is told to write.
      const descriptor = openSync(this.#path, O_RDWR);
      try {
        const before = Buffer.alloc(SLOT_BYTES);
        readSync(descriptor, before, 0, SLOT_BYTES, 0);
        if (isTitleSlot(before.toString("utf8"))) writeAll(descriptor, Buffer.from(slot), 0);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  /** Resolves when all that was appended is on the device. */
  async sync(): Promise<void> {
    this.flush();
    if (this.#descriptor === undefined) return;
    const descriptor = this.#refusals.told(() => this.#present());
    const synced = this.#toDevice(descriptor);
    this.#syncing = Promise.allSettled([this.#syncing, synced]);
    await synced;
  }

  /** Takes file and artifacts to another path; when a step fails, all is as it was. */
  async moveTo(path: string, plan: CopyPlan): Promise<void> {
    if (!this.#isCommitted) {
      this.#path = path;
      return;
    }
    const { moveArtifacts } = await import("./carry-artifacts.ts");
    this.flush();
    // An older file is first brought into our form, where it is.
    if (this.#start.kind === "outdated")
      this.#refusals.told(() => (this.#descriptor ??= this.#open()));
    await this.#syncing;
    if (this.#descriptor !== undefined) this.#refusals.told(() => this.#present());
    if (path === this.#path) {
      this.#refusals.told(() => this.#replace(plan));
      return this.sync();
    }
    this.#refusals.told(() => {
      // What goes into a new folder must not be lost with it.
      for (const folder of makePrivateFolder(dirname(path))) syncFolder(folder);
      const lock = ownLock(path);
      try {
        this.#adopt(this.#copyTo(path, plan, moveArtifacts));
      } catch (error) {
        lock.release();
        throw error;
      }
      this.#lock?.release();
      this.#lock = lock;
    });
    this.#path = path;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.flush();
      if (this.#deviceFault !== undefined) throw this.#deviceFault;
    } finally {
      // A descriptor that is closed under a running sync could already belong to another file.
      await this.#syncing;
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
      this.#descriptor = undefined;
      this.#lock?.release();
    }
  }

  async #toDevice(descriptor: number): Promise<void> {
    try {
      if (this.#deviceFault !== undefined) throw this.#deviceFault;
      await datasync(descriptor);
      for (const folder of this.#changedFolders) {
        syncFolder(folder);
        this.#changedFolders.delete(folder);
      }
    } catch (error) {
      const told = this.#refusals.of(error);
      if (!PASSING.has(codeOf(error) ?? "")) this.#deviceFault ??= told;
      throw told;
    }
  }

  #open(): number {
    const start = this.#start;
    switch (start.kind) {
      case "current": {
        const descriptor = openSync(this.#path, O_RDWR | O_APPEND);
        this.#queue.lookAtEnd(descriptor);
        return descriptor;
      }
      case "absent": {
        this.#makeFolder();
        this.#ensureLock();
        const bytes = new TextEncoder().encode(start.head() + this.#queue.text);
        return this.#created(createFile(this.#path, (to) => writeAll(to, bytes)));
      }
      case "foreign":
        makeWay(this.#path, start.suffix);
        this.#start = { kind: "absent", head: start.head };
        return this.#open();
      case "outdated": {
        const { plan, keepAs } = start;
        const tail = this.#queue.text;
        const folder = dirname(realpathSync(this.#path));
        const fill = (to: number) => copyFrom(this.#path, to, { ...plan(), tail });
        const kept = keepAs === undefined ? {} : { keepAs };
        return this.#created(replaceFileWith(this.#path, fill, kept), folder);
      }
    }
  }

  /** Before a new file has its name: who sees the file goes on with it at once, and must find us there. */
  #ensureLock(): void {
    this.#lock ??= ownLock(this.#path);
  }

  /** The queue went out together with the rest. */
  #created(descriptor: number, folder = dirname(this.#path)): number {
    this.#queue.clear();
    this.#start = { kind: "current" };
    this.#changedFolders.add(folder);
    return descriptor;
  }

  #makeFolder(): void {
    for (const folder of makePrivateFolder(dirname(this.#path))) this.#changedFolders.add(folder);
  }

  /** A file that was deleted under us is still whole behind its descriptor: it comes back with everything. */
  #present(): number {
    this.#ensureLock();
    const old = this.#descriptor ?? this.#open();
    // Somebody who died while making it may have left it a second name.
    if (fstatSync(old).nlink > 0 && existsSync(this.#path)) return old;
    log.warn("session-file-deleted", { path: this.#path });
    this.#makeFolder();
    this.#lock?.release();
    this.#lock = ownLock(this.#path);
    if (statSync(this.#path, { throwIfNoEntry: false }))
      makeWay(this.#path, `.${systemRandom.bytes(4).toHex()}.bak`);
    const fresh = createFile(this.#path, (to) => copyLines(old, to, {}));
    closeSync(old);
    this.#changedFolders.add(dirname(this.#path));
    return (this.#descriptor = fresh);
  }

  #replace(plan: CopyPlan): void {
    const folder = dirname(realpathSync(this.#path));
    this.#adopt(replaceFileWith(this.#path, (to) => copyFrom(this.#path, to, plan)));
    this.#changedFolders.add(folder);
  }

  #adopt(descriptor: number): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = descriptor;
    this.#start = { kind: "current" };
    this.#queue.lookAtEnd(descriptor);
  }

  /** The old file goes when the new one cannot be lost any more. */
  #copyTo(path: string, plan: CopyPlan, moveArtifacts: MoveArtifacts): number {
    const descriptor = createFile(path, (to) => {
      copyFrom(this.#path, to, plan);
      fsyncSync(to);
    });
    try {
      const undo = moveArtifacts(this.#path, path);
      try {
        syncFolder(dirname(path));
        unlinkSync(this.#path);
      } catch (error) {
        undo();
        throw error;
      }
    } catch (error) {
      closeSync(descriptor);
      unlinkSync(path);
      throw error;
    }
    return descriptor;
  }
}

/** Takes what lies beside the file along. @returns takes it back */
type MoveArtifacts = (from: string, to: string) => () => void;

function copyFrom(path: string, to: number, plan: CopyPlan): void {
  const from = openSync(path, O_RDONLY);
  try {
    copyLines(from, to, plan);
  } finally {
    closeSync(from);
  }
}

function datasync(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => (error ? reject(error) : resolve()));
  });
}
