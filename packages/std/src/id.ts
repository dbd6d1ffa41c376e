/** Identifiers: time-ordered ones for sessions, short ones for entries. */

import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

const VERSION_7 = 0x70;
const RFC_VARIANT = 0x80;

/** A UUIDv7: sorts by the time it was made. */
export function uuidV7(clock: Clock, random: Random): string {
  const bytes = random.bytes(16);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const now = Math.max(0, Math.trunc(clock.now()));
  view.setUint16(0, Math.trunc(now / 2 ** 32) & 0xffff);
  view.setUint32(2, now >>> 0);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | VERSION_7);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | RFC_VARIANT);
  const hex = bytes.toHex();
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

/** Eight lowercase hex digits that `isTaken` does not know yet. */
export function shortId(random: Random, isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = random.bytes(4).toHex();
    if (!isTaken(id)) return id;
  }
}
