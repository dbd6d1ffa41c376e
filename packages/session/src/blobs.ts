/** Pictures by the hash of their content, one store for all sessions. Blobs outlive the sessions that name them. */

import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { codeOf, ignore, log, messageOf, syncFolder, systemClock, systemRandom } from "@omp/std";
import { makePrivateFolder } from "./private-folder.ts";
import { writeAll } from "./rewrite.ts";

/** How an entry names a blob. A reference, not an address: only the store reads it. */
const REFERENCE = /^blob:sha256:([0-9a-f]{64})$/;
const REFERENCE_LENGTH = "blob:sha256:".length + 64;
const PRIVATE_FILE = 0o600;

export class BlobStore {
  /** @param folder made with the first blob */
  constructor(readonly folder: string) {}

  /**
   * Keeps the content on the disk and gives the reference to it.
   * @throws the system's error when it cannot be kept
   */
  put(content: Uint8Array): string {
    const hash = hashOf(content);
    const path = join(this.folder, hash);
    if (sizeOf(path) === content.length) makeYoung(path);
    else this.#write(hash, content);
    return `blob:sha256:${hash}`;
  }

  /** Undefined, with a warning in the log, when the blob is missing or is not what it was. */
  get(reference: string): Uint8Array | undefined {
    const [, hash] = REFERENCE.exec(reference) ?? [];
    if (hash === undefined) return undefined;
    const content = contentAt(join(this.folder, hash));
    if (content === undefined || hashOf(content) === hash) return content;
    log.warn("blob-damaged", { hash });
    return undefined;
  }

  /** At every moment the name stands for the whole content or for nothing. */
  #write(hash: string, content: Uint8Array): void {
    const changed = [this.folder, ...makePrivateFolder(this.folder)];
    const temporary = join(this.folder, `.${hash}.${systemRandom.bytes(8).toHex()}.tmp`);
    try {
      const descriptor = openSync(temporary, "wx", PRIVATE_FILE);
      try {
        fchmodSync(descriptor, PRIVATE_FILE);
        writeAll(descriptor, content);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, join(this.folder, hash));
    } catch (error) {
      discard(temporary);
      throw error;
    }
    // The entry that names the blob must not survive a power cut without it.
    for (const folder of changed) syncFolder(folder);
  }
}

export function isBlobReference(value: unknown): boolean {
  return typeof value === "string" && value.length === REFERENCE_LENGTH && REFERENCE.test(value);
}

function hashOf(content: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** Who cleans up spares young blobs: the entry that names this one again is yet to be written. */
function makeYoung(path: string): void {
  try {
    const now = systemClock.now() / 1000;
    utimesSync(path, now, now);
  } catch (error) {
    ignore(error, "a blob of somebody else is theirs to keep");
  }
}

function contentAt(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "no such file" : messageOf(error);
    log.warn("blob-missing", { path, reason });
    return undefined;
  }
}

function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    ignore(error, "the write that failed before is what the caller must hear");
  }
}
