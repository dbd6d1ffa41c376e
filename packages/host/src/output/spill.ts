/** Where the whole of a long output goes while the model is shown a part of it. */

import { ignore, log, messageOf } from "@omp/std";
import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";

export interface Spill {
  /** Bytes may be changed by the caller as soon as it has been waited for. Never rejects. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** The id under which everything can be read; undefined if something was lost. */
  close(): Promise<string | undefined>;
}

/** Keeps outputs: in numbered files, or as text where there are none. */
export interface SpillPlace {
  reserve(toolType: string): Promise<{ readonly id: string; readonly path: string } | undefined>;
  keep(text: string): string | undefined;
}

const BATCH_BYTES = 512 * 1024;
/** A session without a file has nowhere but memory. */
const MAX_MEMORY_BYTES = 4 * 1024 * 1024;

/** For `openSpill` of a sink. */
export function spillInto(place: SpillPlace, toolType: string): () => Promise<Spill | undefined> {
  return async () => {
    const reserved = await place.reserve(toolType);
    if (reserved) return openSpillFile(reserved.id, reserved.path);
    return createMemorySpill((text) => place.keep(text));
  };
}

/** Undefined, with a warning in the log, when the file cannot be opened. */
async function openSpillFile(id: string, path: string): Promise<Spill | undefined> {
  try {
    return new SpillFile(id, path, await fs.promises.open(path, "w", 0o600));
  } catch (error) {
    log.warn("artifact-not-opened", { path, reason: messageOf(error) });
    return undefined;
  }
}

/** One batch is written while the next is filled; who fills it faster than the disk takes it must wait. */
class SpillFile implements Spill {
  #filling = Buffer.allocUnsafe(BATCH_BYTES);
  #spare = Buffer.allocUnsafe(BATCH_BYTES);
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(
    readonly id: string,
    readonly path: string,
    readonly handle: FileHandle,
  ) {}

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#hasFailed) return undefined;
    if (this.#filled + bytes.length > BATCH_BYTES) return this.#writeSlowly(bytes);
    this.#fill(bytes);
    return undefined;
  }

  async close(): Promise<string | undefined> {
    await this.#startBatch();
    await this.#writing;
    const isFile = (await this.handle.stat()).isFile();
    await this.handle.close();
    if (!this.#hasFailed) return this.id;
    // What is left would only take room on a disk that may have none. A device is not ours to remove.
    if (!isFile) return undefined;
    await fs.promises.unlink(this.path).catch((error) => ignore(error, "told when it failed"));
    return undefined;
  }

  async #writeSlowly(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.#filled === BATCH_BYTES) await this.#startBatch();
      const part = bytes.subarray(at, at + BATCH_BYTES - this.#filled);
      this.#fill(part);
      at += part.length;
    }
  }

  #fill(bytes: Uint8Array): void {
    this.#filling.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /** Resolves when the batch is on its way, which is when the one before has arrived. */
  async #startBatch(): Promise<void> {
    await this.#writing;
    const batch = this.#filling.subarray(0, this.#filled);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#filled = 0;
    this.#writing = this.#writeAll(batch);
  }

  async #writeAll(batch: Uint8Array): Promise<void> {
    if (this.#hasFailed) return;
    try {
      // One call may write less than it was given.
      for (let at = 0; at < batch.length;) {
        at += (await this.handle.write(batch, at, batch.length - at)).bytesWritten;
      }
    } catch (error) {
      this.#hasFailed = true;
      log.warn("artifact-not-written", { path: this.path, reason: messageOf(error) });
    }
  }
}

/**
 * For a session without a folder: what is not too long is handed over as text.
 * @param keep gives the id under which the text can be read
 */
function createMemorySpill(keep: (text: string) => string | undefined): Spill {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    write(more) {
      bytes += more.length;
      if (bytes > MAX_MEMORY_BYTES) chunks = [];
      else chunks.push(more.slice());
      return undefined;
    },
    close() {
      if (bytes > MAX_MEMORY_BYTES) return Promise.resolve(undefined);
      return Promise.resolve(keep(Buffer.concat(chunks).toString()));
    },
  };
}
