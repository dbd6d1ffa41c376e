/** Pictures: shown to a model that sees, described to one that does not. */

import { textOutput, type ToolOutput } from "@omp/agent";
import type { Files } from "@omp/host";
import { orFailure } from "../shared/failure.ts";
import type { Pictures, ShownPicture } from "../shared/pictures.ts";
import type { ReadDetails } from "./details.ts";
import { sizeOf } from "./quantity.ts";
import type { Target } from "./target.ts";

export async function readImage(
  { given, path, source }: Target,
  files: Files,
  pictures: Pictures,
): Promise<ToolOutput<ReadDetails>> {
  const bytes = await orFailure(files.read(path, { maxBytes: pictures.maxBytes }));
  const { content } = await imageOutput(given, bytes, pictures);
  return { content, details: { kind: "file", resolvedPath: path, meta: { source } } };
}

export async function imageOutput(
  name: string,
  bytes: Uint8Array,
  pictures: Pictures,
  limits: { readonly maxBytes?: number } = {},
): Promise<ToolOutput> {
  if (!pictures.areSeen()) {
    const { mimeType, width, height, channels, hasAlpha } = await pictures.describe(name, bytes);
    const facts = [
      mimeType,
      `${bytes.length} bytes`,
      `${width}x${height}`,
      ...(channels === undefined ? [] : [`${channels} channels`]),
      ...(hasAlpha === undefined ? [] : [hasAlpha ? "alpha" : "no alpha"]),
    ];
    return textOutput(
      `Image ${name}: ${facts.join(", ")}\n[The current model does not see images. Ask about it with a model that does.]`,
    );
  }
  const picture = await pictures.show(name, bytes, limits);
  const text = `Image ${name} (${picture.image.mimeType}, ${sizeOf(bytes.length)})${noteOf(picture)}`;
  return { content: [{ type: "text", text }, picture.image] };
}

/** Models name places by pixels of what they see; people mean those of the file. */
function noteOf({ original, shown }: ShownPicture): string {
  const isSame = original.width === shown.width && original.height === shown.height;
  const first = `\n[Image: original ${original.width}x${original.height}`;
  if (isSame) return `${first}]`;
  const factor = Number((original.width / shown.width).toFixed(3));
  return `${first}, displayed at ${shown.width}x${shown.height}. Multiply coordinates by ${factor} to map to the original.]`;
}
