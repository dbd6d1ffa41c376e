/** Files of this machine: the one door through which they are read and written. */

// `fs.promises` is loaded when it is first used; `node:fs/promises` would be loaded on every start.
import fs, { type Stats } from "node:fs";
import { resolve } from "node:path";
import { fileError, HostError } from "../errors.ts";
import { readLines, type LineRange, type Lines } from "./lines.ts";
import {
  removeWhole,
  writeWhole,
  type ChangeHooks,
  type WriteOptions,
  type WriteReport,
} from "./write.ts";

export type FileKind = "file" | "directory" | "other";

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  readonly modifiedMs: number;
  readonly mode: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind | "symlink";
}

/** Every method rejects with a HostError. */
export interface Files {
  /** The absolute path of what a person or a model wrote: `~`, `file://` and relative paths are understood. */
  resolve(path: string, cwd: string): string;
  /** The whole content; a file larger than `maxBytes` is refused as "too-large" before it is read. */
  read(path: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array>;
  /** At most the first `byteCount` bytes. */
  readHead(path: string, byteCount: number): Promise<Uint8Array>;
  /** Some lines, in constant memory whatever the size of the file. */
  readLines(path: string, range: LineRange): Promise<Lines>;
  /** Follows symbolic links. */
  stat(path: string): Promise<FileStat>;
  /** Sorted by name. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** Replaces the file in one step, creates missing folders; permissions and symbolic links stay. */
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<WriteReport>;
  remove(path: string, options?: Pick<WriteOptions, "expected">): Promise<void>;
}

export interface FilesOptions extends ChangeHooks {
  readonly home: string;
}

export function createFiles({ home, ...hooks }: FilesOptions): Files {
  return {
    resolve: (path, cwd) => resolvePath(path, cwd, home),
    read: (path, { maxBytes } = {}) => mapped(path, () => readWhole(path, maxBytes)),
    readHead: (path, byteCount) => mapped(path, () => readHead(path, byteCount)),
    readLines: (path, range) => mapped(path, () => readLines(path, range)),
    stat: (path) => mapped(path, async () => describe(await fs.promises.stat(path))),
    list: (path) => mapped(path, () => list(path)),
    write: (path, content, options = {}) =>
      mapped(path, () => writeWhole(path, content, options, hooks)),
    remove: (path, options = {}) => mapped(path, () => removeWhole(path, options, hooks)),
  };
}

async function mapped<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw fileError(error, path);
  }
}

function resolvePath(path: string, cwd: string, home: string): string {
  if (path.startsWith("file://")) return Bun.fileURLToPath(path);
  if (path === "~") return home;
  return path.startsWith("~/") ? resolve(home, path.slice(2)) : resolve(cwd, path);
}

async function readWhole(path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const handle = await fs.promises.open(path, "r");
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw new HostError("not-a-file", `${path}: is a directory`);
    if (found.size > maxBytes) {
      const message = `${path}: file too large (${found.size} bytes, at most ${maxBytes})`;
      throw new HostError("too-large", message);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function readHead(path: string, byteCount: number): Promise<Uint8Array> {
  const handle = await fs.promises.open(path, "r");
  try {
    const buffer = new Uint8Array(byteCount);
    const { bytesRead } = await handle.read(buffer, 0, byteCount, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function list(path: string): Promise<DirectoryEntry[]> {
  const entries = await fs.promises.readdir(path, { withFileTypes: true });
  return entries
    .map((entry) => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? ("symlink" as const) : kindOf(entry),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(found: Stats): FileStat {
  const { size, mtimeMs, mode } = found;
  return { kind: kindOf(found), size, modifiedMs: mtimeMs, mode: mode & 0o7777 };
}

function kindOf(found: { isFile(): boolean; isDirectory(): boolean }): FileKind {
  if (found.isFile()) return "file";
  return found.isDirectory() ? "directory" : "other";
}
