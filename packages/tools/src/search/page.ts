/** Which files a page of results is about, and what was found in each. */

import type { FileMatches, Files, Match, ReadQuery, Search, SearchLimits } from "@omp/host";
import { basename, dirname } from "node:path";
import { orMissing } from "../shared/failure.ts";
import { globTest } from "../shared/path-input.ts";
import type { FileTarget, FolderTarget, LineSpan, Target, TextTarget } from "./targets.ts";

const PAGE_FILES = 20;
const FILE_MATCHES = 20;
const SINGLE_MATCHES = 200;
/** Collected of one file, of which a range may want the last. */
const MAX_COLLECTED = 2000;
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Something with matches. */
export interface Hit extends FileMatches {
  /** Absolute; undefined for what is in no file. */
  readonly path?: string;
  /** What the model is told it is; undefined for a plain file. */
  readonly name?: string;
}

export interface Page {
  readonly hits: readonly Hit[];
  /** Where the next page starts; undefined at the end. */
  readonly nextSkip: number | undefined;
  /** How many files matched, on this page and all others. */
  readonly total: number;
  /** Too large to be searched; absolute paths. */
  readonly large: readonly string[];
  readonly isSingle: boolean;
}

export interface PageRequest {
  readonly query: ReadQuery;
  readonly targets: readonly Target[];
  readonly ignores: boolean;
  readonly skip: number;
  readonly cwd: string;
  readonly limits: SearchLimits;
  /** Hears of every file that matches. */
  onFile(path: string): void;
}

interface Doors {
  readonly files: Files;
  readonly search: Search;
}

export async function findPage(request: PageRequest, doors: Doors): Promise<Page> {
  const [first, ...others] = request.targets;
  if (others.length === 0 && first && first.kind !== "folder") {
    return singlePage(first, request, doors);
  }
  const { candidates, named } = await candidatesOf(request, doors);
  const shown: string[] = [];
  const large: string[] = [];
  let at = request.skip;
  for (; at < candidates.length && shown.length < PAGE_FILES; at++) {
    const path = candidates[at]!;
    const isLarge = !named.has(path) && (await sizeOf(path, doors.files)) > MAX_FILE_BYTES;
    (isLarge ? large : shown).push(path);
  }
  const wanted = { most: FILE_MATCHES, ...doors.search.around };
  const plain = shown.filter((path) => !named.has(path));
  const found = await doors.search.matchesIn(request.query, plain, wanted, request.limits);
  const hits = shown.flatMap((path): Hit[] => {
    const own = named.get(path);
    if (own) return [own];
    const matches = found.get(path);
    return matches ? [{ ...matches, path }] : [];
  });
  const nextSkip = at < candidates.length ? at : undefined;
  return { hits, nextSkip, total: candidates.length, large, isSingle: false };
}

async function singlePage(
  target: FileTarget | TextTarget,
  request: PageRequest,
  doors: Doors,
): Promise<Page> {
  const rest = { nextSkip: undefined, total: 1, isSingle: true };
  if (isTooLarge(target)) return { ...rest, hits: [], large: [target.path] };
  const hit = await hitIn(target, SINGLE_MATCHES, request, doors);
  const isPast = request.skip > 0;
  return { ...rest, total: hit ? 1 : 0, hits: hit && !isPast ? [hit] : [], large: [] };
}

/** What matches, in the order of pages: by folder, then by name. What was named exactly comes with its matches. */
async function candidatesOf(request: PageRequest, doors: Doors) {
  const all = new Set<string>();
  const named = new Map<string, Hit>();
  for (const target of request.targets) {
    if (target.kind === "folder") {
      await filesIn(target, request, doors, (path) => {
        all.add(path);
        request.onFile(path);
      });
    } else if (!isTooLarge(target)) {
      const hit = await hitIn(target, FILE_MATCHES, request, doors);
      if (hit) named.set(hit.path ?? hit.name!, hit);
    } else all.add(target.path);
  }
  for (const path of named.keys()) all.add(path);
  const keys = [...all].map((path) => ({ path, folder: dirname(path), name: basename(path) }));
  keys.sort((a, b) => order(a.folder, b.folder) || order(a.name, b.name));
  return { candidates: keys.map(({ path }) => path), named };
}

async function filesIn(
  { path: root, pattern, nodeModules }: FolderTarget,
  { query, ignores, cwd, limits }: PageRequest,
  { search }: Doors,
  add: (path: string) => void,
): Promise<void> {
  const fits = pattern === undefined ? () => true : globTest(pattern);
  const name = pattern === undefined ? undefined : nameGlob(pattern);
  const scope = { root, ignores, nodeModules: nodeModules || !ignores, name, top: cwd };
  await search.filesWith(query, scope, limits, (path) => {
    if (fits(path.slice(root === "/" ? 1 : root.length + 1))) add(path);
  });
}

/** The last part of a glob, where that alone leaves out files; a brace may reach over a slash. */
function nameGlob(pattern: string): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  const isWhole = (name.match(/\{/g) ?? []).length === (name.match(/\}/g) ?? []).length;
  return isWhole && !/^\**$/.test(name) ? name : undefined;
}

async function hitIn(
  target: FileTarget | TextTarget,
  most: number,
  { query, limits }: PageRequest,
  { search }: Doors,
): Promise<Hit | undefined> {
  const wanted = { most: target.span ? MAX_COLLECTED : most, ...search.around };
  const all =
    target.kind === "text"
      ? await search.matchesOf(query, target.text, wanted, limits)
      : (await search.matchesIn(query, [target.path], wanted, limits)).get(target.path);
  const found = all && within(all, target.span, most);
  if (!found) return undefined;
  const name = target.name === undefined ? {} : { name: target.name };
  return target.kind === "text" ? { ...found, ...name } : { ...found, ...name, path: target.path };
}

function within(
  found: FileMatches,
  span: LineSpan | undefined,
  most: number,
): FileMatches | undefined {
  const isInside = ({ from, to }: Match) => !span || (to >= span.from && from <= span.to);
  const matches = found.matches.filter(isInside);
  if (matches.length === 0) return undefined;
  return { ...found, matches: matches.slice(0, most), isCut: found.isCut || matches.length > most };
}

/** What an internal URL stands for is searched whatever its size: nothing else shows the middle of it. */
function isTooLarge(target: FileTarget | TextTarget): target is FileTarget {
  return target.kind === "file" && target.name === undefined && target.size > MAX_FILE_BYTES;
}

/** Of a file that is gone by now nothing will be found. */
async function sizeOf(path: string, files: Files): Promise<number> {
  return (await orMissing(files.stat(path)))?.size ?? 0;
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
