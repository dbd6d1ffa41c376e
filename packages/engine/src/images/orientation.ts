/** How a camera was held: the EXIF orientation of a JPEG. Pure; anything unexpected means "upright". */

const UPRIGHT = 1;
const ORIENTATION_TAG = 0x0112;
const EXIF = "Exif\0\0";

/** 1 (upright) to 8. */
export function orientationOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return UPRIGHT;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = view.getUint16(at);
    // What is not a marker, or starts the picture itself, ends the part with facts about it.
    if (marker < 0xff00 || marker === 0xffda) return UPRIGHT;
    const length = view.getUint16(at + 2);
    if (marker === 0xffe1 && textAt(bytes, at + 4, EXIF.length) === EXIF) {
      return inTiff(bytes.subarray(at + 4 + EXIF.length, at + 2 + length));
    }
    at += 2 + length;
  }
  return UPRIGHT;
}

function inTiff(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (tiff.length < 8) return UPRIGHT;
  const isLittle = textAt(tiff, 0, 2) === "II";
  const start = view.getUint32(4, isLittle);
  if (start + 2 > tiff.length) return UPRIGHT;
  const count = view.getUint16(start, isLittle);
  for (let index = 0; index < count; index++) {
    const entry = start + 2 + index * 12;
    if (entry + 12 > tiff.length) return UPRIGHT;
    if (view.getUint16(entry, isLittle) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(entry + 8, isLittle);
    return value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length));
}
