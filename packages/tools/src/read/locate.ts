/** Finds the file that a path means: its own name first, then with a selector or an inside behind it. */

import type { Files, FileStat } from "@omp/host";
import { orMissing } from "../shared/failure.ts";
import { parseSelector, splitSelector } from "./selector.ts";
import { localTarget, type Target } from "./target.ts";

/** Undefined when there is no such file. */
export async function locate(
  given: string,
  cwd: string,
  files: Files,
): Promise<Target | undefined> {
  const literal = await lookUp(given, cwd, files);
  if (literal) return localTarget(given, literal);
  for (const { name, rest } of splits(given)) {
    const found = await lookUp(name, cwd, files);
    if (found) return behind(name, rest, found);
  }
  return undefined;
}

/** A path without what may stand behind the name. */
export function nameIn(given: string): string {
  return splitSelector(given)?.path ?? given;
}

interface Split {
  readonly name: string;
  /** With the sign in front. */
  readonly rest: string;
}

const MAX_SPLITS = 20;

/** The longest name first: what exists counts, not what it looks like. */
function splits(given: string): readonly Split[] {
  const places = [...given.matchAll(/[:?]/g)].map(({ index }) => index).filter((at) => at > 0);
  return places
    .toReversed()
    .slice(0, MAX_SPLITS)
    .map((at) => ({ name: given.slice(0, at), rest: given.slice(at) }));
}

function behind(name: string, rest: string, found: Found): Target | undefined {
  const selector = rest.startsWith(":") ? parseSelector(rest.slice(1)) : undefined;
  if (selector) return localTarget(name, found, { selector });
  return found.stat.kind === "file" ? localTarget(name, found, { inner: rest }) : undefined;
}

type Found = Pick<Target, "path" | "stat">;

async function lookUp(given: string, cwd: string, files: Files): Promise<Found | undefined> {
  // A model that asks for `/` means its own root, not the machine's.
  const path = given === "/" ? cwd : files.resolve(given, cwd);
  const stat = await statOf(path, files);
  if (stat) return { path, stat };
  for (const variant of variants(path)) {
    const found = await statOf(variant, files);
    if (found) return { path: variant, stat: found };
  }
  return undefined;
}

function statOf(path: string, files: Files): Promise<FileStat | undefined> {
  return orMissing(files.stat(path));
}

/** Other spellings of a name that look the same to whoever typed it. */
function variants(path: string): readonly string[] {
  const found = new Set<string>();
  const spaced = path.replaceAll(/ (?=[AP]M\b)/g, "\u202f");
  for (const spelled of [path, spaced]) {
    for (const quoted of [spelled, spelled.replaceAll("'", "’"), spelled.replaceAll("’", "'")]) {
      for (const form of ["NFD", "NFC"] as const) found.add(quoted.normalize(form));
      found.add(quoted);
    }
  }
  found.delete(path);
  return [...found];
}
