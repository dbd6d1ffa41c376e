/** Pictures made for tests: noise as a bitmap, and a photo from a camera held sideways. */

import { seededRandom } from "@omp/std";

/** 24 bits for each pixel, which no compression makes small. */
export function bitmap(width: number, height: number): Uint8Array {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = new Uint8Array(54 + row * height);
  const view = new DataView(bytes.buffer);
  bytes.set(seededRandom(1).bytes(Math.min(65_537, row * height)), 54);
  for (let at = 54 + 65_537; at < bytes.length; at += 65_537) {
    bytes.copyWithin(at, 54, 54 + Math.min(65_537, bytes.length - at));
  }
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return bytes;
}

export function png(width: number, height: number): Promise<Uint8Array> {
  return new Bun.Image(bitmap(width, height)).png().bytes();
}

/** A JPEG that says it must be turned by a quarter to be seen upright. */
export async function jpegTurned(width: number, height: number): Promise<Uint8Array> {
  const plain = await new Bun.Image(bitmap(width, height)).jpeg().bytes();
  const segment = Buffer.alloc(4 + 6 + 26);
  segment.set([0xff, 0xe1]);
  segment.writeUInt16BE(segment.length - 2, 2);
  segment.write("Exif\0\0MM\0*", 4, "latin1");
  segment.writeUInt32BE(8, 14);
  segment.writeUInt16BE(1, 18);
  segment.writeUInt16BE(0x0112, 20);
  segment.writeUInt16BE(3, 22);
  segment.writeUInt32BE(1, 24);
  segment.writeUInt16BE(6, 28);
  return Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)]);
}
