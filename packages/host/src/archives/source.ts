/** Bytes that can be asked for by place: a file, or what is in memory. */

import fs from "node:fs";
import { fileError } from "../errors.ts";

export interface ByteSource extends AsyncDisposable {
  readonly size: number;
  /** Fewer bytes only at the end. */
  read(at: number, length: number): Promise<Uint8Array>;
}

/** @throws HostError */
export async function openSource(path: string): Promise<ByteSource> {
  try {
    const handle = await fs.promises.open(path, "r");
    const { size } = await handle.stat();
    return {
      size,
      async read(at, length) {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - at)));
        for (let have = 0; have < bytes.length;) {
          const { bytesRead } = await handle.read(bytes, have, bytes.length - have, at + have);
          if (bytesRead === 0) return bytes.subarray(0, have);
          have += bytesRead;
        }
        return bytes;
      },
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    throw fileError(error, path);
  }
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
