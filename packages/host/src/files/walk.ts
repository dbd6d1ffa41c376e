/**
 * The one walk through folders: for finding files, for listings and for whoever else must know what is there.
 *
 * It reads synchronously, which is several times faster than waiting for each folder, but in slices: between
 * them the rest of the program goes on, batches are handed out and an abort is heard.
 */

import { ignore, systemClock, type Clock } from "@omp/std";
import fs, { type Dirent } from "node:fs";
import { fileError } from "../errors.ts";
import { isIgnored, rulesAbove, rulesIn, type GitHome, type IgnoreRules } from "./ignore-rules.ts";

export type FoundKind = "file" | "directory" | "symlink" | "other";

export interface Found {
  /** Absolute. */
  readonly path: string;
  readonly kind: FoundKind;
  /** Of a link itself, not of what it leads to. 0 unless `withTimes`. */
  readonly modifiedMs: number;
}

export interface WalkRequest {
  /** A folder, absolute. Links below it are not followed, so there are no loops. */
  readonly root: string;
  /** Names with a dot in front too. `.git` never. */
  readonly hidden: boolean;
  /** Whether ignore files count. */
  readonly ignores: boolean;
  readonly nodeModules: boolean;
  /** Where there is no repository: ignore files from here down count. The root unless told. */
  readonly top?: string;
  /** How many folders deep; 1 is the root alone. */
  readonly maxDepth?: number;
  readonly withTimes?: boolean;
  /** What to hand out. Everything that is walked unless told; folders are entered either way. */
  wants?(path: string, kind: FoundKind): boolean;
  readonly signal?: AbortSignal | undefined;
  /** A walk that takes longer ends with a `WalkTimeout`. */
  readonly deadlineMs?: number;
}

export interface WalkDoors {
  readonly clock: Clock;
  readonly git: GitHome;
}

/** A walk that did not come to its end in time. */
export class WalkTimeout extends Error {
  override readonly name = "WalkTimeout";
}

interface Folder {
  readonly path: string;
  readonly depth: number;
  readonly rules: IgnoreRules | undefined;
}

/** Long enough that going back and forth costs little, short enough that nobody notices. */
const SLICE_MS = 8;
/** How many entries of a large folder are looked at before the clock is. */
const ENTRIES_PER_LOOK = 256;

/**
 * Batches in no particular order. A folder below the root that cannot be read is passed over.
 * @throws HostError when the root cannot be read; WalkTimeout; the signal's reason
 */
export async function* walk(
  request: WalkRequest,
  { clock, git }: WalkDoors,
): AsyncGenerator<readonly Found[], void, void> {
  const { deadlineMs, signal } = request;
  let isLate = false;
  const callOff =
    deadlineMs === undefined ? () => {} : clock.after(deadlineMs, () => (isLate = true));
  try {
    for (const batch of slices(request, git)) {
      signal?.throwIfAborted();
      if (isLate) throw new WalkTimeout("The walk took too long.");
      if (batch.length > 0) yield batch;
      await new Promise((resume) => setImmediate(resume));
    }
    signal?.throwIfAborted();
  } finally {
    callOff();
  }
}

/** What was found in one slice of time after the other. */
function* slices(request: WalkRequest, git: GitHome): Generator<readonly Found[], void, void> {
  const { root } = request;
  const rules = request.ignores ? rulesAbove(root, git, request.top) : undefined;
  const waiting: Folder[] = [{ path: root, depth: 1, rules }];
  let batch: Found[] = [];
  let until = systemClock.monotonic() + SLICE_MS;
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const opened = open(folder, root, git);
    let from = 0;
    do {
      take(opened, from, request, waiting, batch);
      from += ENTRIES_PER_LOOK;
      if (systemClock.monotonic() < until) continue;
      yield batch;
      batch = [];
      until = systemClock.monotonic() + SLICE_MS;
    } while (from < opened.entries.length);
  }
  yield batch;
}

/** A folder with what is in it, and the rules for that. */
interface Opened extends Folder {
  readonly entries: readonly Dirent[];
}

function open(folder: Folder, root: string, git: GitHome): Opened {
  const entries = entriesOf(folder.path, root);
  const rules = folder.rules && rulesIn(folder.path, namesOf(entries), folder.rules, git);
  return { ...folder, entries, rules };
}

function take(
  { path, depth, rules, entries }: Opened,
  from: number,
  request: WalkRequest,
  waiting: Folder[],
  batch: Found[],
): void {
  const { hidden, nodeModules, maxDepth = Number.POSITIVE_INFINITY, withTimes, wants } = request;
  const prefix = path.endsWith("/") ? path : `${path}/`;
  const to = Math.min(entries.length, from + ENTRIES_PER_LOOK);
  for (let at = from; at < to; at++) {
    const entry = entries[at]!;
    const { name } = entry;
    if (name[0] === "." && (!hidden || name === ".git")) continue;
    const kind = kindOf(entry);
    const isFolder = kind === "directory";
    if (isFolder && name === "node_modules" && !nodeModules) continue;
    const full = prefix + name;
    if (rules && isIgnored(rules, full, name, isFolder)) continue;
    if (isFolder && depth < maxDepth) waiting.push({ path: full, depth: depth + 1, rules });
    if (wants && !wants(full, kind)) continue;
    const modifiedMs = withTimes ? modifiedAt(full) : 0;
    if (modifiedMs !== undefined) batch.push({ path: full, kind, modifiedMs });
  }
}

function entriesOf(path: string, root: string): readonly Dirent[] {
  try {
    return fs.readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (path === root) throw fileError(error, path);
    ignore(error, "a folder that cannot be read, or is gone by now, shows nothing");
    return [];
  }
}

/** Of all names only those that matter to the rules. */
function namesOf(entries: readonly Dirent[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of entries) {
    if (name === ".gitignore" || name === ".ignore" || name === ".git") names.add(name);
  }
  return names;
}

function kindOf(entry: Dirent): FoundKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

/** Undefined when it is gone by now. */
function modifiedAt(path: string): number | undefined {
  try {
    return fs.lstatSync(path).mtimeMs;
  } catch (error) {
    ignore(error, "gone by now, or not to be looked at");
    return undefined;
  }
}
