/** Where ripgrep is. What the compiled program carries inside cannot be started there, so it is copied out once. */

import { codeOf, ignore, messageOf, replaceFile } from "@omp/std";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { HostError } from "../errors.ts";

export interface RipgrepOptions {
  /** Where the copy of the compiled program goes: one folder for each version of it. */
  readonly folder: string;
  /** The program; asked when it is first needed. That of the package unless told. */
  bundled?(): Promise<string>;
}

const EXECUTABLE = 0o700;
/** Files inside a compiled program have paths that only the program itself can open. */
const INSIDE = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;

/** @returns what gives the path of a program that can be started, or rejects with a HostError */
export function ripgrepProgram({
  folder,
  bundled = fromPackage,
}: RipgrepOptions): () => Promise<string> {
  let ready: Promise<string> | undefined;
  const make = async () => {
    const path = await bundled();
    return INSIDE.test(path) ? copiedOut(path, folder) : path;
  };
  return async () => {
    try {
      return await (ready ??= make());
    } catch (error) {
      // What was in the way, a full disk for one, may be gone the next time.
      ready = undefined;
      throw error;
    }
  };
}

async function fromPackage(): Promise<string> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch (error) {
    throw unusable(`there is none for this system (${messageOf(error)})`, error);
  }
}

/** The copy is used only when it is byte by byte what the program carries. */
export async function copiedOut(inside: string, folder: string): Promise<string> {
  const target = join(folder, process.platform === "win32" ? "rg.exe" : "rg");
  try {
    const wanted = await Bun.file(inside).bytes();
    if (!(await isSame(target, wanted))) {
      await fs.promises.mkdir(dirname(target), { recursive: true, mode: EXECUTABLE });
      // Of several processes the last one wins, with the same bytes.
      await replaceFile(target, wanted, { mode: EXECUTABLE, durable: false });
    }
    return target;
  } catch (error) {
    throw unusable(`it cannot be copied to ${target} (${messageOf(error)})`, error);
  }
}

async function isSame(path: string, wanted: Uint8Array): Promise<boolean> {
  try {
    const found = await fs.promises.lstat(path);
    const isLikely =
      found.isFile() && found.size === wanted.length && (found.mode & 0o777) === EXECUTABLE;
    return isLikely && (await fs.promises.readFile(path)).equals(wanted);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") ignore(error, "what cannot be read is replaced");
    return false;
  }
}

function unusable(why: string, cause: unknown): HostError {
  return new HostError("failed-to-start", `Searching needs ripgrep, but ${why}.`, { cause });
}
