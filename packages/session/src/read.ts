/** Opens a session file for reading. Damage is reported; only a path that cannot be read is an error. */

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { codeOf, UserError } from "@omp/std";
import type { Fields } from "./entry.ts";
import { sessionError } from "./io-error.ts";
import { linesIn } from "./lines.ts";
import { NO_SESSION, parseSession, type ParsedSession, type ParseOptions } from "./parse.ts";
import { copyLines, type CopyPlan } from "./rewrite.ts";
import { objectIn } from "./rows.ts";

export interface ReadSession extends ParsedSession {
  /** Whether there is a file at the path, be it empty. */
  readonly exists: boolean;
}

/** From here on bodies of entries stay in the file until somebody looks at them. */
export const LARGE_FILE_BYTES = 8 << 20;

/** The whole file in memory. `SessionLog.open` with `access: "read"` reads a large one as it is needed. */
export async function readSessionFile(path: string): Promise<ReadSession> {
  const source = openSource(path);
  if (!source) return ABSENT;
  try {
    return { ...source.parse(), exists: true };
  } finally {
    source.close();
  }
}

const ABSENT: ReadSession = { ...NO_SESSION, exists: false };

/** A session file that stays open for as long as its entries may be asked for. */
export class SessionSource {
  #descriptor: number | undefined;

  constructor(
    readonly path: string,
    descriptor: number,
  ) {
    this.#descriptor = descriptor;
  }

  get size(): number {
    return this.#descriptor === undefined ? 0 : fstatSync(this.#descriptor).size;
  }

  parse(options: ParseOptions = {}): ParsedSession {
    try {
      const parsed = this.#with((descriptor) => parseSession(linesIn(descriptor), options));
      return parsed.headerLine === undefined ? withFileName(parsed, this.path) : parsed;
    } catch (error) {
      throw sessionError("read", this.path, error);
    }
  }

  /** The object that a line is; nothing in it if the line turns out to be damaged. */
  object(offset: number, length: number): Fields {
    try {
      const bytes = Buffer.allocUnsafe(length);
      const read = this.#with((descriptor) => readSync(descriptor, bytes, 0, length, offset));
      return objectIn(bytes.toString("utf8", 0, read)) ?? {};
    } catch (error) {
      throw sessionError("read", this.path, error);
    }
  }

  copy(to: number, plan: CopyPlan): void {
    this.#with((descriptor) => copyLines(descriptor, to, plan));
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** An entry may outlive its log: then the file is opened for this one look. */
  #with<Value>(use: (descriptor: number) => Value): Value {
    if (this.#descriptor !== undefined) return use(this.#descriptor);
    const descriptor = openSync(this.path, constants.O_RDONLY);
    try {
      return use(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Of a header that is lost the name of the file tells the id, and the first entry the time. */
function withFileName(parsed: ParsedSession, path: string): ParsedSession {
  const { header, entries } = parsed;
  if (!header) return parsed;
  const [, id = ""] = /_([^_]+)\.jsonl$/.exec(basename(path)) ?? [];
  const timestamp = entries[0]?.timestamp ?? header.timestamp;
  return { ...parsed, header: { ...header, id, timestamp } };
}

/** Undefined when there is nothing at the path. */
export function openSource(path: string): SessionSource | undefined {
  try {
    // Without the flag a pipe would keep us waiting for its other end.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (stat.isFile()) return new SessionSource(path, descriptor);
    closeSync(descriptor);
    const what = stat.isDirectory() ? "it is a directory" : "it is not a regular file";
    throw new UserError("session", `Cannot read the session file ${path}: ${what}.`);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw sessionError("read", path, error);
  }
}
