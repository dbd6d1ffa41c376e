/** AWS event stream (`application/vnd.amazon.eventstream`): bytes in, frames out. */

import { ProviderError } from "../schema/fault.ts";
import type { Frame } from "./frame.ts";

/**
 * Big-endian: length of the whole message, length of its headers, CRC of these eight bytes; headers;
 * payload; CRC of everything before it.
 */
const PRELUDE = 12;
const CRC = 4;
/** A message longer than this is not an answer but an accident or an attack. The vendor stops at 24 MB. */
const MAX_MESSAGE = 32 * 1024 * 1024;

/** A message that the connection cut in half is dropped; the protocol knows whether the answer was whole. */
export async function* awsEventFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const pending = new Pending();
  for await (const chunk of bytes) {
    pending.push(chunk);
    for (let message = pending.next(); message; message = pending.next()) yield frameOf(message);
  }
}

/** What has arrived and is not a whole message yet. */
class Pending {
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** Length of the message that is arriving; 0 until its prelude is here. */
  #wanted = 0;

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  next(): Uint8Array | undefined {
    if (this.#wanted === 0) {
      if (this.#length < PRELUDE) return undefined;
      this.#wanted = messageLength(this.#joined());
    }
    if (this.#length < this.#wanted) return undefined;
    const all = this.#joined();
    const message = all.subarray(0, this.#wanted);
    this.#chunks = [all.subarray(this.#wanted)];
    this.#length -= this.#wanted;
    this.#wanted = 0;
    return message;
  }

  /** Joined at the prelude and at the end of a message only: many small chunks cost no more than a large one. */
  #joined(): Uint8Array {
    const [first = new Uint8Array()] = this.#chunks;
    if (this.#chunks.length <= 1) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}

function messageLength(start: Uint8Array): number {
  const view = viewOf(start);
  if (Bun.hash.crc32(start.subarray(0, PRELUDE - CRC)) !== view.getUint32(PRELUDE - CRC)) {
    throw broken("the checksum of its length is wrong");
  }
  const total = view.getUint32(0);
  const headers = view.getUint32(4);
  if (total < PRELUDE + headers + CRC || total > MAX_MESSAGE) throw broken("its length is wrong");
  return total;
}

function frameOf(message: Uint8Array): Frame {
  const view = viewOf(message);
  const end = message.length - CRC;
  if (Bun.hash.crc32(message.subarray(0, end)) !== view.getUint32(end)) {
    throw broken("its checksum is wrong");
  }
  const payloadAt = PRELUDE + view.getUint32(4);
  const headers = headersOf(message.subarray(PRELUDE, payloadAt));
  const data = new TextDecoder().decode(message.subarray(payloadAt, end));
  switch (headers.get(":message-type")) {
    case "exception":
      return { event: headers.get(":exception-type") ?? "exception", data, isError: true };
    case "error": {
      const said = JSON.stringify({ message: headers.get(":error-message") });
      return { event: headers.get(":error-code") ?? "error", data: said, isError: true };
    }
    default: {
      const event = headers.get(":event-type");
      return event === undefined ? { data } : { event, data };
    }
  }
}

/** Bytes of the values of each type; those of bytes (6) and text (7) say their length themselves. */
const VALUE_BYTES: readonly (number | undefined)[] = [
  0,
  0,
  1,
  2,
  4,
  8,
  undefined,
  undefined,
  8,
  16,
];
const TEXT = 7;

function headersOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const view = viewOf(bytes);
  const decoder = new TextDecoder();
  try {
    for (let at = 0; at < bytes.length;) {
      const nameEnd = at + 1 + view.getUint8(at);
      const name = decoder.decode(bytes.subarray(at + 1, nameEnd));
      const type = view.getUint8(nameEnd);
      if (type >= VALUE_BYTES.length) throw broken(`a header is of the unknown type ${type}`);
      const fixed = VALUE_BYTES[type];
      const valueAt = nameEnd + (fixed === undefined ? 3 : 1);
      at = valueAt + (fixed ?? view.getUint16(nameEnd + 1));
      if (at > bytes.length) throw broken("a header is longer than all of them");
      if (type === TEXT) headers.set(name, decoder.decode(bytes.subarray(valueAt, at)));
    }
  } catch (error) {
    if (error instanceof RangeError) throw broken("its headers are cut off");
    throw error;
  }
  return headers;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function broken(why: string): ProviderError {
  return new ProviderError({ kind: "malformed" }, `A message of the answer is broken: ${why}`);
}
