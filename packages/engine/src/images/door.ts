/** Attached pictures: what is sent of them and what is said about them. */

import type { ImageBlock } from "@omp/ai/schema";
import { UserError } from "@omp/std";
import { imageKind } from "./kind.ts";
import { ImageRefusal, MAX_IMAGE_BYTES, prepareImage, type PreparedImage } from "./prepare.ts";

export interface AttachedImage {
  readonly image: ImageBlock;
  /** What the model should know about it; empty where it is shown as it is. */
  readonly note: string;
}

export interface ImageDoor {
  readonly maxBytes: number;
  /** Whether a file that begins like this is attached as a picture. */
  isPicture(head: Uint8Array): boolean;
  /** @throws UserError that names the file and the reason */
  attach(path: string, bytes: Uint8Array): Promise<AttachedImage>;
}

export function createImageDoor(settings: { readonly autoResize: boolean }): ImageDoor {
  return {
    maxBytes: MAX_IMAGE_BYTES,
    isPicture: (head) => {
      const kind = imageKind(head);
      // An SVG is a text first: models read its source, and a coder means that.
      return kind !== undefined && kind.name !== "SVG";
    },
    async attach(path, bytes) {
      try {
        const prepared = await prepareImage(bytes, settings);
        const { mimeType } = prepared;
        const data = prepared.bytes.toBase64();
        return { image: { type: "image", data, mimeType }, note: sizeNote(prepared) };
      } catch (error) {
        if (!(error instanceof ImageRefusal)) throw error;
        throw new UserError("unreadable-file", `Cannot attach ${path}: it ${error.message}.`, {
          cause: error,
        });
      }
    },
  };
}

/** Models name places by pixels of what they see; people mean those of the file. */
function sizeNote({ original, shown }: PreparedImage): string {
  if (original.width === shown.width && original.height === shown.height) return "";
  const scale = Number((original.width / shown.width).toFixed(3));
  return (
    `[Image shown at ${shown.width}x${shown.height}; the original is ${original.width}x${original.height}. ` +
    `Multiply coordinates by ${scale} for the original.]`
  );
}
