/** Files that come into being in one step: a reader, or a crash, sees the old content or the new one, never a mix. */

import fs, { type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf, ignore } from "./errors.ts";
import { systemRandom } from "./random.ts";

export interface ReplaceOptions {
  /** Permissions of the file. Otherwise those of the file it replaces, or the usual ones for a new file. */
  readonly mode?: number;
  /** Waits until the content has reached the disk. True unless told. */
  readonly durable?: boolean;
  /** The last word before the new content takes its place; rejecting leaves the old one there. */
  beforeRename?(temporary: string, target: string): Promise<void>;
}

const MAX_LINKS = 40;

/**
 * The folder must exist. A symbolic link stays one: the file it points to is replaced.
 * @param content whole, or in pieces that are written as they come
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  { mode, durable = true, beforeRename }: ReplaceOptions = {},
): Promise<void> {
  const target = await targetOf(path);
  const existing = await statOf(target);
  // Renaming over a file needs no right to write to it, but its owner may have meant that protection.
  if (existing) await fs.promises.access(target, fs.constants.W_OK);
  const temporary = join(dirname(target), `.omp-${systemRandom.bytes(8).toHex()}.tmp`);
  const handle = await fs.promises.open(temporary, "wx", mode ?? (existing ? 0o600 : 0o666));
  try {
    try {
      await write(handle, content);
      if (existing) await keepOwner(handle, existing);
      const permissions = mode ?? (existing && existing.mode & 0o7777);
      if (permissions !== undefined) await handle.chmod(permissions);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await beforeRename?.(temporary, target);
    await fs.promises.rename(temporary, target);
  } catch (error) {
    await fs.promises.unlink(temporary).catch(() => {});
    throw error;
  }
  if (durable) await syncFolderSoon(dirname(target));
}

/** The file that is meant in the end, also where it does not exist yet. */
async function targetOf(path: string): Promise<string> {
  let target = resolve(path);
  for (let hops = 0; hops < MAX_LINKS; hops++) {
    // A relative link counts from where its folder really is.
    const folder = await fs.promises.realpath(dirname(target));
    target = join(folder, basename(target));
    const link = await linkOf(target);
    if (link === undefined) return target;
    target = resolve(folder, link);
  }
  throw Object.assign(new Error(`too many symbolic links: ${path}`), { code: "ELOOP" });
}

async function linkOf(path: string): Promise<string | undefined> {
  try {
    return await fs.promises.readlink(path);
  } catch (error) {
    // Not a link, or nothing there.
    if (codeOf(error) === "EINVAL" || codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await fs.promises.lstat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Small pieces are gathered: each write is a call into the system. */
const GATHERED = 1024 * 1024;

async function write(handle: FileHandle, content: string | Uint8Array | Iterable<string>) {
  if (typeof content === "string") return fill(handle, Buffer.from(content));
  if (content instanceof Uint8Array) return fill(handle, content);
  let gathered = "";
  for (const piece of content) {
    gathered += piece;
    if (gathered.length < GATHERED) continue;
    await fill(handle, Buffer.from(gathered));
    gathered = "";
  }
  return fill(handle, Buffer.from(gathered));
}

/** One call may write less than it was given. */
async function fill(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
    written += bytesWritten;
  }
}

/** A file of somebody else stays theirs, where we may decide that. */
async function keepOwner(handle: FileHandle, { uid, gid }: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  await handle.chown(uid, gid).catch(() => {});
}

/** What file systems without links say. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Gives a finished file its name, if nobody has it. The temporary name is gone afterwards, unless this throws.
 * @throws the system's error; EEXIST when the name is taken
 */
export function takeName(temporary: string, path: string): void {
  try {
    fs.linkSync(temporary, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error) ?? "")) throw error;
    // Two who come here in the same instant are not told apart; there is no better way without links.
    if (fs.existsSync(path))
      throw Object.assign(new Error(`EEXIST: ${path} is there already`), { code: "EEXIST" });
    return fs.renameSync(temporary, path);
  }
  try {
    fs.unlinkSync(temporary);
  } catch (error) {
    ignore(error, "a second name of the same file takes no room");
  }
}

/** What systems say that cannot sync a folder, or cannot open one. */
const CANNOT: ReadonlySet<string> = new Set([
  ...["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EISDIR", "EPERM", "EACCES"],
]);

/**
 * A name survives a power cut only when its folder has been written.
 * @throws the system's error, unless it means that there is no such thing here
 */
export function syncFolder(folder: string): void {
  try {
    const descriptor = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    ignoreIfImpossible(error);
  }
}

/** The same, without keeping others waiting. */
async function syncFolderSoon(folder: string): Promise<void> {
  try {
    const handle = await fs.promises.open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    ignoreIfImpossible(error);
  }
}

function ignoreIfImpossible(error: unknown): void {
  if (!CANNOT.has(codeOf(error) ?? "")) throw error;
  ignore(error, "some file systems cannot sync a folder");
}
