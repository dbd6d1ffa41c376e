/** What kind of picture some bytes are, by content: names lie. Knows more kinds than models read. Pure. */

import { imageType } from "@omp/std";

export interface ImageKind {
  readonly name: string;
  readonly mimeType: string;
  /** Every vision model reads it. */
  readonly isNative: boolean;
}

/** This many first bytes are enough. */
const HEAD_BYTES = 512;

export function imageKind(bytes: Uint8Array): ImageKind | undefined {
  const mimeType = imageType(bytes);
  if (mimeType) return { name: mimeType.slice(6).toUpperCase(), mimeType, isNative: true };
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const foreign = FOREIGN.find(({ signature }) => signature.test(head));
  return foreign && { name: foreign.name, mimeType: foreign.mimeType, isNative: false };
}

const FOREIGN = [
  { name: "BMP", mimeType: "image/bmp", signature: /^BM[\s\S]{4}\0\0\0\0/ },
  { name: "TIFF", mimeType: "image/tiff", signature: /^(II\*\0|MM\0\*)/ },
  { name: "AVIF", mimeType: "image/avif", signature: /^[\s\S]{4}ftypavi[fs]/ },
  {
    name: "HEIC",
    mimeType: "image/heic",
    signature: /^[\s\S]{4}ftyp(hei[cxms]|hev[cx]|mif1|msf1)/,
  },
  {
    name: "SVG",
    mimeType: "image/svg+xml",
    signature:
      /^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]/i,
  },
];
