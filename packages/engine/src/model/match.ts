/** Which models a text fits, and which of them is meant. Pure. */

import type { Model } from "@omp/ai/schema";

export function selectorOf({ provider, id }: Pick<Model, "provider" | "id">): string {
  return `${provider}/${id}`;
}

export function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}

/** `*` and `?` as in file names, except that `*` passes slashes: ids have their own. The provider may be left out. */
export function globMatches(pattern: string, models: readonly Model[]): readonly Model[] {
  const source = RegExp.escape(pattern).replaceAll("\\*", ".*").replaceAll("\\?", ".");
  const glob = new RegExp(`^${source}$`, "i");
  return models.filter((model) => glob.test(selectorOf(model)) || glob.test(model.id));
}

/** Those whose id, with its provider or without, or whose name has every word of the text; the best ones first. */
export function fuzzyMatches(text: string, models: readonly Model[]): readonly Model[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const whole = text.toLowerCase();
  const ranked = models.flatMap((model) => {
    const id = model.id.toLowerCase();
    if (id.includes(whole)) return { model, rank: 0 };
    const selector = selectorOf(model).toLowerCase();
    if (selector.includes(whole)) return { model, rank: 1 };
    if (haveAll(wordsOf(selector), words)) return { model, rank: 2 };
    return haveAll(wordsOf(model.name), words) ? { model, rank: 3 } : [];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank || byPreference(a.model, b.model))
    .map(({ model }) => model);
}

/** A word fits from its beginning: `test` is no part of `latest`. */
function haveAll(present: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => present.some((candidate) => candidate.startsWith(word)));
}

const DATED = /[-@](\d{8}|\d{4}-\d{2}-\d{2})$/;

/** The name that moves with its vendor before a dated one, then the newest version, then the plain model. */
function byPreference(a: Model, b: Model): number {
  const dated = Number(DATED.test(a.id)) - Number(DATED.test(b.id));
  return dated || byVersion(wordsOf(a.id), wordsOf(b.id));
}

function byVersion(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index], b[index]];
    if (left === right) continue;
    const [leftNumber, rightNumber] = [numberOf(left), numberOf(right)];
    if (leftNumber !== undefined || rightNumber !== undefined) {
      return (rightNumber ?? -1) - (leftNumber ?? -1);
    }
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    return left < right ? 1 : -1;
  }
  return 0;
}

function numberOf(word: string | undefined): number | undefined {
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : undefined;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
}
