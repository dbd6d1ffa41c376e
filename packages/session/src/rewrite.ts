/** Whole files replaced: at every moment the path holds the old one or the new one, and no line is lost. */

import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, ignore, systemRandom, takeName } from "@omp/std";
import { linesIn, NEWLINE } from "./lines.ts";

const PRIVATE_FILE = 0o600;
const BUFFER_BYTES = 1 << 20;
const NEWLINE_BYTES = Uint8Array.of(NEWLINE);
const { COPYFILE_EXCL, O_APPEND, O_CREAT, O_EXCL, O_RDWR } = constants;

export type LineEdit = (line: number, bytes: Buffer) => string | Uint8Array | null | undefined;

export interface CopyPlan {
  /** Whole lines that come first. */
  readonly head?: string;
  /** What becomes of a line: undefined keeps its bytes, null leaves it out, a text replaces it. */
  readonly edit?: LineEdit;
  /** Whole lines that come last. */
  readonly tail?: string;
}

/** Copies line by line in bounded memory. */
export function copyLines(
  from: number,
  to: number,
  { head = "", edit, tail = "" }: CopyPlan,
): void {
  const writer = new BufferedWriter(to);
  writer.write(Buffer.from(head));
  for (const { line, bytes, isEnded } of linesIn(from)) {
    const text = edit?.(line, bytes);
    if (text === null) continue;
    writer.write(typeof text === "string" ? Buffer.from(text) : (text ?? bytes));
    if (isEnded || text !== undefined) writer.write(NEWLINE_BYTES);
  }
  // Ending the torn line of a writer that died costs that line only, not ours as well.
  if (tail !== "" && !writer.isAtLineStart) writer.write(NEWLINE_BYTES);
  writer.write(Buffer.from(tail));
  writer.flush();
}

/** A new file that nobody else may have made; it is there with all that `fill` wrote or not at all. */
export function createFile(path: string, fill: (descriptor: number) => void): number {
  const beside = nameBeside(path);
  const descriptor = fillFile(beside, fill);
  try {
    takeName(beside, path);
    return descriptor;
  } catch (error) {
    discard(descriptor, beside);
    throw error;
  }
}

function nameBeside(path: string): string {
  return join(dirname(path), `.omp-${systemRandom.bytes(8).toHex()}.tmp`);
}

function fillFile(path: string, fill: (descriptor: number) => void): number {
  const descriptor = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, PRIVATE_FILE);
  try {
    // The mode given to open passes through the umask, which may take from the owner too.
    fchmodSync(descriptor, PRIVATE_FILE);
    fill(descriptor);
    return descriptor;
  } catch (error) {
    discard(descriptor, path);
    throw error;
  }
}

export interface Replacing {
  /** The old file stays beside the new one, under this suffix. */
  readonly keepAs?: string;
  /** For tests: a system that refuses to replace a file that somebody looks at. */
  rename?(from: string, to: string): void;
}

/**
 * A link stays one: the file it points to is replaced. The folder is yet to be synced.
 * @returns the descriptor of the new file
 */
export function replaceFileWith(
  path: string,
  fill: (descriptor: number) => void,
  { keepAs, rename = renameSync }: Replacing = {},
): number {
  const target = realpathSync(path);
  const beside = nameBeside(target);
  const descriptor = fillFile(beside, fill);
  try {
    fsyncSync(descriptor);
    if (keepAs !== undefined) keep(target, target + keepAs);
    swap(beside, target, rename);
  } catch (error) {
    discard(descriptor, beside);
    throw error;
  }
  return descriptor;
}

function keep(path: string, as: string): void {
  try {
    linkSync(path, as);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") return copyFileSync(path, as, COPYFILE_EXCL);
    // Who was stopped before the replacement has kept it already.
    if (statSync(as).ino === statSync(path).ino) return;
    copyFileSync(path, `${as}.${systemRandom.bytes(4).toHex()}`, COPYFILE_EXCL);
  }
}

const ASIDE = ".old";

/** Some systems do not replace a file that is in use, but let it be moved out of the way. */
function swap(beside: string, target: string, rename: (from: string, to: string) => void): void {
  try {
    rename(beside, target);
  } catch (error) {
    if (codeOf(error) !== "EPERM" && codeOf(error) !== "EACCES") throw error;
    const aside = `${target}.${systemRandom.bytes(4).toHex()}${ASIDE}`;
    rename(target, aside);
    try {
      rename(beside, target);
    } catch (again) {
      rename(aside, target);
      throw again;
    }
    tryUnlink(aside, "an old copy takes room and does no harm");
  }
}

/** A process that died between the two moves left its file aside: the newest such file goes back. */
export function recoverAside(path: string): boolean {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  try {
    const [newest] = readdirSync(folder)
      .filter((name) => name.startsWith(start) && name.endsWith(ASIDE))
      .map((name) => ({ name, time: statSync(join(folder, name)).mtimeMs }))
      .toSorted((a, b) => b.time - a.time);
    if (!newest) return false;
    renameSync(join(folder, newest.name), path);
    return true;
  } catch (error) {
    ignore(error, "then there is no session here");
    return false;
  }
}

/** What is in the way is somebody's work, unless it is nothing at all. */
export function makeWay(path: string, suffix: string): void {
  if (statSync(path).size === 0) unlinkSync(path);
  else renameSync(path, path + suffix);
}

/** One call may write less than it was given. @param position undefined writes where the file is */
export function writeAll(descriptor: number, bytes: Uint8Array, position?: number): void {
  for (let written = 0; written < bytes.length;) {
    const at = position === undefined ? null : position + written;
    written += writeSync(descriptor, bytes, written, bytes.length - written, at);
  }
}

function discard(descriptor: number, path: string): void {
  closeSync(descriptor);
  tryUnlink(path, "the write that failed before is what the caller must hear");
}

function tryUnlink(path: string, why: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    ignore(error, why);
  }
}

class BufferedWriter {
  readonly #descriptor: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;
  #last = NEWLINE;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get isAtLineStart(): boolean {
    return this.#last === NEWLINE;
  }

  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#last = bytes.at(-1) ?? this.#last;
    if (this.#filled + bytes.length > BUFFER_BYTES) this.flush();
    if (bytes.length > BUFFER_BYTES) return writeAll(this.#descriptor, bytes);
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  flush(): void {
    writeAll(this.#descriptor, this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }
}
