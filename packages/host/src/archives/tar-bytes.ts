/** The bytes of a tar file in order: taken or skipped, unpacked on the way. */

import { ignore } from "@omp/std";
import { once } from "node:events";
import zlib from "node:zlib";
import { HostError } from "../errors.ts";
import type { ByteSource } from "./source.ts";

export interface Bytes {
  /** A limit was reached; there may be more. */
  readonly isCut: boolean;
  /** Fewer only at the end. */
  take(length: number): Promise<Uint8Array>;
  skip(length: number): Promise<void>;
  close(): Promise<void>;
}

const CHUNK = 256 * 1024;

/** What is skipped is not even read. */
export function plainBytes(source: ByteSource, signal: AbortSignal): Bytes {
  let at = 0;
  return {
    isCut: false,
    async take(length) {
      signal.throwIfAborted();
      const bytes = await source.read(at, length);
      at += bytes.length;
      return bytes;
    },
    skip(length) {
      at += length;
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

export function packedBytes(
  source: ByteSource,
  packing: "gzip" | "zstd",
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Bytes {
  const chunks = unpacked(source, packing, signal);
  let chunk: Uint8Array = new Uint8Array();
  let total = 0;
  let isCut = false;

  /** Whether there are bytes in the chunk. */
  const fill = async (): Promise<boolean> => {
    while (chunk.length === 0) {
      if (total >= maxBytes) {
        isCut = true;
        return false;
      }
      const next = await chunks.next();
      if (next.done) return false;
      chunk = next.value;
      total += chunk.length;
    }
    return true;
  };
  const some = (length: number): Uint8Array => {
    const part = chunk.subarray(0, length);
    chunk = chunk.subarray(part.length);
    return part;
  };

  return {
    get isCut() {
      return isCut;
    },
    async take(length) {
      const parts: Uint8Array[] = [];
      for (let left = length; left > 0 && (await fill());) {
        const part = some(left);
        parts.push(part);
        left -= part.length;
      }
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    },
    async skip(length) {
      for (let left = length; left > 0 && (await fill());) left -= some(left).length;
    },
    async close() {
      await chunks.return(undefined);
    },
  };
}

async function* unpacked(
  source: ByteSource,
  packing: "gzip" | "zstd",
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const unpacker = packing === "gzip" ? zlib.createGunzip() : zlib.createZstdDecompress();
  const feeding = feed(source, unpacker, signal);
  // It fails only together with the unpacker, whose error is the one that is told.
  feeding.catch((error: unknown) => ignore(error, "the unpacker ends with it"));
  try {
    for await (const chunk of unpacker) {
      signal.throwIfAborted();
      yield chunk as Uint8Array;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new HostError("damaged", "it cannot be unpacked", { cause: error });
  } finally {
    unpacker.destroy();
  }
}

async function feed(
  source: ByteSource,
  unpacker: zlib.Gunzip | zlib.ZstdDecompress,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < source.size && !unpacker.destroyed && !signal.aborted; at += CHUNK) {
    const packed = await source.read(at, CHUNK);
    if (!unpacker.write(packed)) await once(unpacker, "drain");
  }
  if (signal.aborted) unpacker.destroy(new Error("aborted"));
  else unpacker.end();
}
