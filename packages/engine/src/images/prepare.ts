/** Makes a picture fit for models: a kind they read, upright, not larger than they look at. */

import { codeOf } from "@omp/std";
import { imageKind, type ImageKind } from "./kind.ts";
import { orientationOf } from "./orientation.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PreparedImage {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly original: Size;
  readonly shown: Size;
}

/** Why a picture cannot be used, in words that follow its name. */
export class ImageRefusal extends Error {
  override readonly name = "ImageRefusal";
}

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const MAX_SIDE = 2000;
const MIN_SIDE = 32;
/** Vendors take about 5 MB of base64, which is a third longer than what it stands for. */
const MAX_SENT_BYTES = 3_750_000;
/** More pixels than any camera has: a small file that would fill the memory. */
const MAX_PIXELS = 200_000_000;

export interface PrepareOptions {
  readonly autoResize: boolean;
  /** What it should not be larger than, if it can be made so small. */
  readonly maxBytes?: number;
}

/** @throws ImageRefusal */
export async function prepareImage(
  bytes: Uint8Array,
  { autoResize, maxBytes = MAX_SENT_BYTES }: PrepareOptions,
): Promise<PreparedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) throw new ImageRefusal(tooLarge(bytes.length));
  const kind = imageKind(bytes);
  if (!kind) throw new ImageRefusal("is not a picture of a kind that is known here");
  try {
    return await prepare(bytes, kind, { autoResize, maxBytes });
  } catch (error) {
    throw error instanceof ImageRefusal
      ? error
      : new ImageRefusal(reasonOf(error, kind), { cause: error });
  }
}

/** What it is and how large, upright. @throws ImageRefusal */
export async function measureImage(
  bytes: Uint8Array,
): Promise<Size & { readonly mimeType: string }> {
  const kind = imageKind(bytes);
  if (!kind) throw new ImageRefusal("is not a picture of a kind that is known here");
  try {
    const { width, height } = await open(bytes).metadata();
    return { width, height, mimeType: kind.mimeType };
  } catch (error) {
    throw new ImageRefusal(reasonOf(error, kind), { cause: error });
  }
}

async function prepare(
  bytes: Uint8Array,
  kind: ImageKind,
  { autoResize, maxBytes }: Required<PrepareOptions>,
): Promise<PreparedImage> {
  const { width, height } = await open(bytes).metadata();
  const original = { width, height };
  const isSmall = Math.max(original.width, original.height) <= MAX_SIDE;
  const isLight = bytes.length <= maxBytes;
  const isUpright = orientationOf(bytes) === 1;
  if (kind.isNative && isUpright && (!autoResize || (isSmall && isLight))) {
    await checkWhole(bytes);
    return { bytes, mimeType: kind.mimeType, original, shown: original };
  }
  for (const form of forms(kind, original, autoResize)) {
    const { encoded, shown } = await encode(bytes, form);
    const isLast = form.scale === SMALLEST_SCALE || !autoResize;
    if (encoded.length > maxBytes && !isLast) continue;
    return { bytes: encoded, mimeType: form.mimeType, original, shown };
  }
  throw new ImageRefusal("cannot be made small enough for a model");
}

/** A damaged picture would be refused with every further request of the session, so it must not get in. */
async function checkWhole(bytes: Uint8Array): Promise<void> {
  await open(bytes).resize(1, 1).png().bytes();
}

interface Form {
  readonly mimeType: "image/png" | "image/jpeg";
  readonly quality?: number;
  readonly side: number;
  readonly scale: number;
}

const SMALLEST_SCALE = 0.25;

/** From the best to the smallest: sharp edges are kept while they fit, then quality goes, then size. */
function* forms({ mimeType }: ImageKind, { width, height }: Size, fits: boolean): Generator<Form> {
  const side = fits ? Math.min(MAX_SIDE, Math.max(width, height)) : Math.max(width, height);
  const jpeg = (quality: number, scale = 1): Form => ({
    mimeType: "image/jpeg",
    quality,
    side: Math.max(1, Math.round(side * scale)),
    scale,
  });
  if (mimeType !== "image/jpeg") yield { mimeType: "image/png", side, scale: 1 };
  yield* [jpeg(88), jpeg(75), jpeg(60)];
  yield* [jpeg(70, 0.7), jpeg(70, 0.5), jpeg(60, SMALLEST_SCALE)];
}

/** A picture of a few pixels tells a model nothing until it is enlarged. */
export async function enlarged(image: PreparedImage): Promise<PreparedImage> {
  const { width, height } = image.shown;
  const factor = Math.ceil(MIN_SIDE / Math.max(width, height));
  if (factor <= 1) return image;
  const shown = { width: width * factor, height: height * factor };
  const bytes = await open(image.bytes).resize(shown.width, shown.height).png().bytes();
  return { ...image, bytes, mimeType: "image/png", shown };
}

async function encode(
  bytes: Uint8Array,
  { mimeType, quality, side }: Form,
): Promise<{ readonly encoded: Uint8Array; readonly shown: Size }> {
  const fitted = open(bytes).resize(side, side, { fit: "inside", withoutEnlargement: true });
  const image = mimeType === "image/png" ? fitted.png() : fitted.jpeg(quality ? { quality } : {});
  const encoded = await image.bytes();
  return { encoded, shown: { width: image.width, height: image.height } };
}

/** Turned upright as the camera was held, sizes included. */
function open(bytes: Uint8Array): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_PIXELS, autoOrient: true });
}

function tooLarge(size: number): string {
  return `is too large (${size} bytes, at most ${MAX_IMAGE_BYTES})`;
}

function reasonOf(error: unknown, { name, isNative }: ImageKind): string {
  if (!isNative && codeOf(error) !== "ERR_IMAGE_DECODE_FAILED") {
    return `is a ${name} picture, which cannot be converted on this machine; convert it to PNG or JPEG`;
  }
  if (codeOf(error) === "ERR_IMAGE_TOO_MANY_PIXELS") return "has too many pixels";
  return `is a damaged ${name} picture`;
}
