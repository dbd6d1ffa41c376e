/** How many values a pixel has, where the head of the picture tells. Pure. */

import { imageType } from "@omp/std";

export interface Channels {
  readonly channels: number | undefined;
  readonly hasAlpha: boolean | undefined;
}

const UNKNOWN: Channels = { channels: undefined, hasAlpha: undefined };
/** By the color type of a PNG. */
const PNG: Readonly<Record<number, Channels>> = {
  0: { channels: 1, hasAlpha: false },
  2: { channels: 3, hasAlpha: false },
  3: { channels: 3, hasAlpha: false },
  4: { channels: 2, hasAlpha: true },
  6: { channels: 4, hasAlpha: true },
};
const PNG_COLOR_TYPE = 25;

export function channelsOf(bytes: Uint8Array): Channels {
  switch (imageType(bytes)) {
    case "image/png":
      return PNG[bytes[PNG_COLOR_TYPE] ?? -1] ?? UNKNOWN;
    case "image/jpeg":
      return { channels: jpegComponents(bytes), hasAlpha: false };
    default:
      return UNKNOWN;
  }
}

/** Segments follow each other until the frame header comes, which counts them. */
function jpegComponents(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return bytes[at + 9];
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
