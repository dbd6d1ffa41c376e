/** How many tokens a picture takes, by the formulas the vendors document. Pure. */

import type { Model } from "@omp/ai/schema";
import type { Size } from "./prepare.ts";

export function imageTokens(size: Size, { api, id }: Pick<Model, "api" | "id">): number {
  if (api.startsWith("anthropic") || api.startsWith("bedrock")) return anthropicTokens(size);
  if (api.startsWith("google")) return googleTokens(size);
  return openAiTokens(size, id);
}

/** Pixels by 750, of a picture whose long side is at most 1568 and which has about 1.15 megapixels at most. */
function anthropicTokens({ width, height }: Size): number {
  const bySide = Math.min(1, 1568 / Math.max(width, height));
  const byArea = Math.min(1, Math.sqrt(1_150_000 / (width * height)));
  const scale = Math.min(bySide, byArea);
  return Math.ceil((width * scale * height * scale) / 750);
}

/** 258 for a picture of at most 384 pixels a side; else 258 for each tile of 768, or less for small ones. */
function googleTokens({ width, height }: Size): number {
  if (width <= 384 && height <= 384) return 258;
  const unit = Math.max(256, Math.min(768, Math.floor(Math.min(width, height) / 1.5)));
  return Math.ceil(width / unit) * Math.ceil(height / unit) * 258;
}

/** Small models count patches of 32 pixels, the others tiles of 512. */
function openAiTokens(size: Size, id: string): number {
  const factor = PATCH_FACTORS.find(([name]) => name.test(id))?.[1];
  return factor === undefined ? tileTokens(size, id) : patchTokens(size, factor);
}

const PATCH_FACTORS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5-mini|^gpt-4\.1-mini/, 1.62],
  [/^gpt-5-nano|^gpt-4\.1-nano/, 2.46],
  [/^o4-mini/, 1.72],
];
const MAX_PATCHES = 1536;

function patchTokens({ width, height }: Size, factor: number): number {
  const patches = Math.ceil(width / 32) * Math.ceil(height / 32);
  if (patches <= MAX_PATCHES) return Math.ceil(patches * factor);
  const shrink = Math.sqrt((32 * 32 * MAX_PATCHES) / (width * height));
  const columns = (width * shrink) / 32;
  const rows = (height * shrink) / 32;
  const whole = shrink * Math.min(Math.floor(columns) / columns, Math.floor(rows) / rows);
  const fitted = Math.ceil((width * whole) / 32) * Math.ceil((height * whole) / 32);
  return Math.ceil(Math.min(fitted, MAX_PATCHES) * factor);
}

function tileTokens({ width, height }: Size, id: string): number {
  const [base, each] = id.startsWith("gpt-5")
    ? [70, 140]
    : /^o[13]/.test(id)
      ? [75, 150]
      : [85, 170];
  const inSquare = Math.min(1, 2048 / Math.max(width, height));
  const shortSide = Math.min(width, height) * inSquare;
  const scale = inSquare * Math.min(1, 768 / shortSide);
  const tiles = Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
  return base + each * tiles;
}
