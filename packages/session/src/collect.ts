/** What of the store nobody needs any more: found first, removed only when told, and looked at once more then. */

import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  type Dirent,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, ignore, isLockHeld, messageOf } from "@omp/std";
import { artifactFolder } from "./artifacts.ts";
import { findSessionFiles, statOf } from "./found-file.ts";
import { scanSession } from "./scan.ts";

export type WasteKind = "blob" | "empty-session" | "stale-lock" | "orphan-artifacts" | "leftover";

export interface Waste {
  readonly kind: WasteKind;
  readonly path: string;
  readonly bytes: number;
}

export interface Collection {
  readonly waste: readonly Waste[];
  /** Why blobs are kept although nobody seems to need them: what could not be read may name them. */
  readonly obstacles: readonly string[];
}

export interface StorePlaces {
  /** Every folder that may hold sessions, those of other programs and versions too. */
  readonly folders: readonly string[];
  readonly blobs: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Whatever is younger may be in the making: an entry is written after its blob. */
const GRACE_MS = 24 * 60 * 60 * 1000;
const SESSION_NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z_/;
const BLOB_NAME = /^[0-9a-f]{64}$/;

export function findWaste(places: StorePlaces): Collection {
  const look: Look = { named: new Set(), seen: new Set(), obstacles: [] };
  for (const folder of places.folders) collectReferences(folder, look);
  const { obstacles } = look;
  const blobs = obstacles.length > 0 ? [] : wasteBlobs(places, look.named);
  const beside = places.folders.flatMap((folder) => wasteIn(folder, places.now));
  return { waste: [...emptySessions(places), ...beside, ...blobs], obstacles };
}

/** @returns what was removed; what has come to be needed since it was found stays */
export function removeWaste(waste: readonly Waste[], places: StorePlaces): readonly Waste[] {
  return waste.filter((one) => {
    if (!isStillWaste(one, places.now)) return false;
    try {
      rmSync(one.path, { recursive: one.kind === "orphan-artifacts" });
      if (one.kind === "empty-session")
        rmSync(artifactFolder(one.path), { recursive: true, force: true });
      return true;
    } catch (error) {
      ignore(error, "what cannot be removed stays");
      return false;
    }
  });
}

function isStillWaste({ kind, path, bytes }: Waste, now: number): boolean {
  const stat = quietStat(path);
  if (!stat) return false;
  switch (kind) {
    case "stale-lock":
      return !isLockHeld(path);
    case "empty-session":
      return isOld(stat, now) && stat.size === bytes && !isSessionHeld(path);
    case "orphan-artifacts":
      return isOld(stat, now) && !statOf(`${path}.jsonl`);
    case "blob":
    case "leftover":
      return isOld(stat, now);
  }
}

function wasteBlobs({ blobs, now }: StorePlaces, named: ReadonlySet<string>): Waste[] {
  return entriesOf(blobs).flatMap(({ name }): Waste[] => {
    const path = join(blobs, name);
    const stat = quietStat(path);
    if (!stat?.isFile() || !isOld(stat, now)) return [];
    if (BLOB_NAME.test(name))
      return named.has(name) ? [] : [{ kind: "blob", path, bytes: stat.size }];
    return name.endsWith(".tmp") ? [{ kind: "leftover", path, bytes: stat.size }] : [];
  });
}

/** No message, no title, nothing that anybody said. */
function emptySessions({ folders, now }: StorePlaces): Waste[] {
  return findSessionFiles(folders).flatMap((file): Waste[] => {
    if (now - file.modifiedMs < GRACE_MS) return [];
    try {
      if (isSessionHeld(file.path)) return [];
      const { head, texts, tally, isDone } = scanSession(file, undefined, GIVE_UP_BYTES);
      const isEmpty =
        isDone && tally.offset === file.bytes && texts.length === 0 && head.title === "";
      if (!isEmpty || (head.id === "" && file.bytes > 0)) return [];
      return [{ kind: "empty-session", path: file.path, bytes: file.bytes }];
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return [];
    }
  });
}

/** A file of this size has said something. */
const GIVE_UP_BYTES = 256 * 1024;

/** Locks of the dead, artifacts without their session, files of a replacement that never came about. */
function wasteIn(folder: string, now: number): Waste[] {
  return entriesOf(folder).flatMap((entry): Waste[] => {
    const path = join(folder, entry.name);
    const stat = quietStat(path);
    if (!stat) return [];
    if (entry.name.endsWith(".lock"))
      return isLockHeld(path) ? [] : [{ kind: "stale-lock", path, bytes: stat.size }];
    if (!isOld(stat, now)) return [];
    if (/^\.omp-[0-9a-f]+\.tmp$/.test(entry.name))
      return [{ kind: "leftover", path, bytes: stat.size }];
    const isOrphan =
      entry.isDirectory() && SESSION_NAME.test(entry.name) && !statOf(`${path}.jsonl`);
    return isOrphan ? [{ kind: "orphan-artifacts", path, bytes: sizeOf(path) }] : [];
  });
}

/** What a walk through the folders has found so far. */
interface Look {
  /** Hashes of blobs. */
  readonly named: Set<string>;
  /** Folders: a link may lead back. */
  readonly seen: Set<string>;
  readonly obstacles: string[];
}

/** Every file may name a blob: backups, sessions of subagents, formats we cannot read. */
function collectReferences(folder: string, look: Look): void {
  for (const entry of readable(folder, look)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collectReferences(path, look);
    else if (entry.isFile() || entry.isSymbolicLink()) noteReferences(path, look);
  }
}

/** A folder that is gone names nothing. One whose parent is gone too may be on a disk that is away. */
function readable(folder: string, { seen, obstacles }: Look): Dirent[] {
  try {
    const real = realpathSync(folder);
    if (seen.has(real)) return [];
    seen.add(real);
    return readdirSync(real, { withFileTypes: true });
  } catch (error) {
    const isGone = codeOf(error) === "ENOENT" && quietStat(dirname(folder)) !== undefined;
    if (!isGone) obstacles.push(`${folder}: ${messageOf(error)}`);
    return [];
  }
}

/** A link that leads nowhere today may lead to a session tomorrow. */
function noteReferences(path: string, look: Look): void {
  try {
    referencesIn(path, look.named);
  } catch (error) {
    if (codeOf(error) === "EISDIR") collectReferences(path, look);
    else if (quietStat(path)) look.obstacles.push(`${path}: ${messageOf(error)}`);
  }
}

const CHUNK_BYTES = 1024 * 1024;
const REFERENCE = /blob:sha256:([0-9a-f]{64})/g;
const REFERENCE_LENGTH = 76;

function referencesIn(path: string, named: Set<string>): void {
  const descriptor = openSync(path, "r");
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = "";
    for (;;) {
      const read = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (read === 0) return;
      // A reference may lie across two chunks.
      const text = rest + chunk.toString("latin1", 0, read);
      for (const [, hash] of text.matchAll(REFERENCE)) named.add(hash!);
      rest = text.slice(-REFERENCE_LENGTH);
    }
  } finally {
    closeSync(descriptor);
  }
}

function isSessionHeld(path: string): boolean {
  return isLockHeld(`${realpathSync(path)}.lock`);
}

function isOld({ mtimeMs }: Stats, now: number): boolean {
  return now - mtimeMs >= GRACE_MS;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}

function sizeOf(folder: string): number {
  return entriesOf(folder).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : (quietStat(path)?.size ?? 0));
  }, 0);
}

function quietStat(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
