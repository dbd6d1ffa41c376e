/** Listings of whole folders, kept for a moment: whoever looks at the same tree again and again walks once. */

import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileError, HostError } from "../errors.ts";
import { isWithin } from "./ignore-rules.ts";
import { walk, type Found, type WalkDoors, type WalkRequest } from "./walk.ts";

/** What makes two listings different. Patterns do not: they are applied to a listing afterwards. */
export interface ScanRequest {
  /** A folder, absolute. */
  readonly root: string;
  readonly hidden: boolean;
  readonly ignores: boolean;
  readonly nodeModules: boolean;
  /** Without it the walk is fresh, and nobody else gets it. */
  readonly cache?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Scan {
  /** Below the real path of the root, sorted by path. */
  readonly entries: readonly Found[];
  /** 0 for a walk of this call. */
  readonly ageMs: number;
  readonly isFresh: boolean;
}

export interface Scans {
  /** Always fresh. @throws see `walk` */
  walk(request: WalkRequest): AsyncIterable<readonly Found[]>;
  /** @throws HostError about the root; the signal's reason */
  scan(request: ScanRequest): Promise<Scan>;
  /** What of a listing is wanted. When an aged listing has nothing of it, it is made anew, once. */
  select<T>(
    request: ScanRequest,
    pick: (entries: readonly Found[]) => readonly T[],
  ): Promise<readonly T[]>;
  /** Whoever writes says so: listings that hold the path are dropped, without a path all of them. */
  forget(path?: string): void;
}

export interface ScanOptions extends WalkDoors {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A walk that several callers may wait for. It ends when nobody does any more. */
interface Shared {
  readonly root: string;
  readonly entries: Promise<readonly Found[]>;
  readonly controller: AbortController;
  waiting: number;
  /** Undefined while it is under way. */
  doneAt?: number;
}

export function createScans({ environment, ...doors }: ScanOptions): Scans {
  const { clock } = doors;
  const ttlMs = limit(environment["FS_SCAN_CACHE_TTL_MS"], 1000);
  const recheckMs = limit(environment["FS_SCAN_EMPTY_RECHECK_MS"], 200);
  const maxEntries = limit(environment["FS_SCAN_CACHE_MAX_ENTRIES"], 16);
  /** The oldest first. */
  const kept = new Map<string, Shared>();

  const start = (request: ScanRequest, root: string, key: string): Shared => {
    const controller = new AbortController();
    const entries = entriesOf({ ...request, root, signal: controller.signal }, doors);
    const shared: Shared = { root, entries, controller, waiting: 0 };
    const drop = () => {
      if (kept.get(key) === shared) kept.delete(key);
    };
    entries.then(() => (shared.doneAt = clock.monotonic()), drop);
    // From this moment on: the walk itself takes a while to notice.
    controller.signal.addEventListener("abort", drop);
    kept.set(key, shared);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxEntries) break;
      kept.delete(oldest);
    }
    return shared;
  };

  const scan = async (request: ScanRequest): Promise<Scan> => {
    request.signal?.throwIfAborted();
    const root = realFolder(request.root);
    if (!request.cache || ttlMs === 0) {
      return { entries: await entriesOf({ ...request, root }, doors), ageMs: 0, isFresh: true };
    }
    const key = [root, request.hidden, request.ignores, request.nodeModules].join("\0");
    const found = kept.get(key);
    const ageMs = found?.doneAt === undefined ? 0 : clock.monotonic() - found.doneAt;
    if (found && ageMs < ttlMs) {
      const isFresh = found.doneAt === undefined;
      return { entries: await waitFor(found, request.signal), ageMs, isFresh };
    }
    kept.delete(key);
    const shared = start(request, root, key);
    return { entries: await waitFor(shared, request.signal), ageMs: 0, isFresh: true };
  };

  return {
    walk: (request) => walk(request, doors),
    scan,
    async select(request, pick) {
      const { entries, ageMs, isFresh } = await scan(request);
      const picked = pick(entries);
      if (picked.length > 0 || isFresh || ageMs < recheckMs) return picked;
      forgetIn(kept, realFolder(request.root));
      return pick((await scan(request)).entries);
    },
    forget(path) {
      if (path === undefined) kept.clear();
      // Most programs never list anything, and write often.
      else if (kept.size > 0) forgetIn(kept, realPath(path));
    },
  };
}

function forgetIn(kept: Map<string, Shared>, path: string): void {
  for (const [key, { root }] of kept) if (isWithin(path, root)) kept.delete(key);
}

async function entriesOf(request: WalkRequest, doors: WalkDoors): Promise<readonly Found[]> {
  const entries: Found[] = [];
  for await (const batch of walk({ ...request, withTimes: true }, doors)) {
    for (const entry of batch) entries.push(entry);
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Who gives up does not take the walk away from the others. */
async function waitFor(shared: Shared, signal?: AbortSignal): Promise<readonly Found[]> {
  const gaveUp = Promise.withResolvers<never>();
  const onAbort = () => gaveUp.reject(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  shared.waiting++;
  try {
    return await Promise.race([shared.entries, gaveUp.promise]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    if (--shared.waiting === 0 && shared.doneAt === undefined) shared.controller.abort();
  }
}

function limit(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : otherwise;
}

function realFolder(path: string): string {
  try {
    const real = fs.realpathSync(path);
    if (fs.statSync(real).isDirectory()) return real;
  } catch (error) {
    throw fileError(error, path);
  }
  throw new HostError("not-a-directory", `${path}: is not a directory`);
}

/** Of what is gone, the folder that held it tells where it was. */
function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if (dirname(path) === path) throw fileError(error, path);
    return join(realPath(dirname(path)), basename(path));
  }
}
