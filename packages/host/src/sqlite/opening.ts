/** How a database is opened so that nothing beside it changes: SQLite may make files even for a reader. */

import { codeOf } from "@omp/std";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileError } from "../errors.ts";

export interface Opening extends AsyncDisposable {
  /** What SQLite is given. */
  readonly name: string;
}

/** Where the header says that changes go to a log first. */
const FORMAT_BYTE = 18;
const WITH_LOG = 2;
const MAX_COPIED_BYTES = 512 * 1024 * 1024;

export async function openingOf(path: string): Promise<Opening> {
  try {
    if (!(await writesLog(path))) return opening(path);
    const [database, log, index] = await Promise.all(
      [path, `${path}-wal`, `${path}-shm`].map(sizeOf),
    );
    // Without a log nobody has it open, and a plain look needs no files of its own.
    if (!log && index === undefined) return opening(path, "?immutable=1");
    if (index !== undefined || database! + log! > MAX_COPIED_BYTES) return opening(path);
    return await copied(path);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** A log that its writer left behind: SQLite would make an index beside it, so it gets another place for that. */
async function copied(path: string): Promise<Opening> {
  const folder = await fs.promises.mkdtemp(join(tmpdir(), "omp-sqlite-"));
  const remove = () => fs.promises.rm(folder, { recursive: true, force: true });
  const copy = join(folder, basename(path));
  try {
    await fs.promises.copyFile(path, copy);
    await fs.promises.copyFile(`${path}-wal`, `${copy}-wal`);
  } catch (error) {
    await remove();
    throw error;
  }
  return { ...opening(copy), [Symbol.asyncDispose]: remove };
}

function opening(path: string, options = ""): Opening {
  const name = Bun.pathToFileURL(path).href.replace("file://", "file:") + options;
  return { name, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function writesLog(path: string): Promise<boolean> {
  const handle = await fs.promises.open(path, "r");
  try {
    const byte = new Uint8Array(1);
    await handle.read(byte, 0, 1, FORMAT_BYTE);
    return byte[0] === WITH_LOG;
  } finally {
    await handle.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await fs.promises.stat(path)).size;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
