/** The one way in which files are changed: a file is what it was or what it should be, never a mix. */

import { codeOf, replaceFile } from "@omp/std";
import fs, { type Stats } from "node:fs";
import { dirname } from "node:path";
import { HostError } from "../errors.ts";
import { copyAttributes } from "./attributes.ts";

/** A file is about to change, or to go. Links are followed: the path is that of the file itself. */
export interface FileChange {
  readonly path: string;
  /** Undefined where there is no file yet. */
  readonly before: Uint8Array | undefined;
  /** Undefined where the file goes. */
  readonly after: Uint8Array | undefined;
  readonly mode: number;
}

export interface ChangeHooks {
  /** Hears of every change before it happens, and may refuse it by rejecting. */
  beforeChange?(change: FileChange): Promise<void>;
  /** The content of this path is another one now. */
  afterChange?(path: string): void;
}

export interface WriteOptions {
  /** What the file must still hold, or "nothing" where there must be no file. Otherwise: "changed". */
  readonly expected?: Uint8Array | "nothing";
  /** Who may read the file may also run it. */
  readonly isExecutable?: boolean;
}

export interface WriteReport {
  readonly isNew: boolean;
  /** Names of the file that keep the old content: a hard link cannot be kept by an atomic write. */
  readonly otherNames: number;
}

export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  { expected, isExecutable = false }: WriteOptions,
  hooks: ChangeHooks,
): Promise<WriteReport> {
  await fs.promises.mkdir(dirname(path), { recursive: true });
  const existing = await fileAt(path);
  const mode = modeFor(existing, isExecutable);
  const after = typeof content === "string" ? Buffer.from(content) : content;
  await replaceFile(path, after, {
    ...(mode === undefined ? {} : { mode }),
    async beforeRename(temporary, target) {
      if (existing) await copyAttributes(target, temporary);
      await announce(target, { expected, after, existing }, hooks);
    },
  });
  hooks.afterChange?.(path);
  return { isNew: !existing, otherNames: Math.max(0, (existing?.nlink ?? 1) - 1) };
}

export async function removeWhole(
  path: string,
  { expected }: WriteOptions,
  hooks: ChangeHooks,
): Promise<void> {
  const existing = await fileAt(path);
  if (!existing) throw new HostError("not-found", `${path}: no such file or directory`);
  await announce(path, { expected, after: undefined, existing }, hooks);
  await fs.promises.unlink(path);
  hooks.afterChange?.(path);
}

/** The last look before the change. */
async function announce(
  path: string,
  {
    expected,
    after,
    existing,
  }: {
    readonly expected: WriteOptions["expected"];
    readonly after: Uint8Array | undefined;
    readonly existing: Stats | undefined;
  },
  { beforeChange }: ChangeHooks,
): Promise<void> {
  if (expected === undefined && !beforeChange) return;
  const before = await contentOf(path);
  if (expected !== undefined && !isExpected(before, expected)) {
    throw new HostError("changed", `${path}: changed by somebody else at this moment`);
  }
  const mode = existing ? existing.mode & 0o7777 : 0o666;
  await beforeChange?.({ path, before, after, mode });
}

function isExpected(found: Uint8Array | undefined, expected: Uint8Array | "nothing"): boolean {
  if (found === undefined || expected === "nothing") {
    return found === undefined && expected === "nothing";
  }
  return Buffer.compare(found, expected) === 0;
}

/** Undefined where nothing is. Follows links. */
async function fileAt(path: string): Promise<Stats | undefined> {
  const found = await orNothing(fs.promises.stat(path));
  if (!found) return undefined;
  if (found.isDirectory()) throw new HostError("not-a-file", `${path}: is a directory`);
  if (!found.isFile()) throw new HostError("not-a-file", `${path}: is not a regular file`);
  // Taken away from everybody: meant as protection, also from those who need no permission.
  if ((found.mode & 0o222) === 0) throw new HostError("permission", `${path}: is read-only`);
  return found;
}

/** Undefined leaves it to what is usual for the file. */
function modeFor(existing: Stats | undefined, isExecutable: boolean): number | undefined {
  if (!isExecutable) return undefined;
  const mode = existing ? existing.mode & 0o7777 : 0o666 & ~process.umask();
  return mode | ((mode & 0o444) >> 2);
}

function contentOf(path: string): Promise<Uint8Array | undefined> {
  return orNothing(fs.promises.readFile(path));
}

async function orNothing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
