/** Long outputs beside a session file: `<n>.<tool>.log` for tools, `<id>.md` for agents. */

import fs from "node:fs";
import { join } from "node:path";
import { codeOf, ignore, log, messageOf } from "@omp/std";
import { makePrivateFolder } from "./private-folder.ts";

/** A file that nobody else was given. It exists and is empty. */
export interface ReservedArtifact {
  readonly id: string;
  readonly path: string;
}

const PRIVATE_FILE = 0o600;
const NUMBERED = /^(\d{1,15})\..*\.log$/;
/** Texts of a session without a file, all together. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

/** The folder of a session's artifacts: its file's path without the ending. */
export function artifactFolder(sessionPath: string): string {
  return sessionPath.replace(/\.jsonl$/, "");
}

/** Agents that share a store share its folder and its numbers. */
export class ArtifactStore {
  readonly #sessionPath: () => string | undefined;
  /** For a session without a file. */
  readonly #kept = new Map<string, string>();
  #keptCharacters = 0;

  /** @param sessionPath of the current session; undefined while it is kept in memory */
  constructor(sessionPath: () => string | undefined) {
    this.#sessionPath = sessionPath;
  }

  /** Undefined for a session in memory. Made when something is first put into it. */
  get folder(): string | undefined {
    const path = this.#sessionPath();
    return path === undefined ? undefined : artifactFolder(path);
  }

  /** The next number for an output of this tool; undefined when there is no folder for it. */
  async reserve(toolType: string): Promise<ReservedArtifact | undefined> {
    const { folder } = this;
    if (folder === undefined) return undefined;
    try {
      makePrivateFolder(folder);
      return await reserveNumber(folder, `${safeName(toolType)}.log`);
    } catch (error) {
      log.warn("artifact-not-reserved", { folder, reason: messageOf(error) });
      return undefined;
    }
  }

  /** A file `<id>.md` for the output of an agent. Names are used as they are, then with a number. */
  async reserveOutput(name: string, parent?: string): Promise<ReservedArtifact | undefined> {
    const { folder } = this;
    if (folder === undefined) return undefined;
    makePrivateFolder(folder);
    const wanted = (parent === undefined ? "" : `${parent}.`) + safeName(name);
    const taken = new Set(await namesIn(folder));
    for (let count = 1; ; count++) {
      const id = count === 1 ? wanted : `${wanted}-${count}`;
      if (taken.has(`${id}.jsonl`)) continue;
      const path = join(folder, `${id}.md`);
      if (!taken.has(`${id}.md`) && (await isCreated(path))) return { id, path };
    }
  }

  /** Keeps a text where a session has no folder; undefined when there is one, or no room. */
  keep(text: string): string | undefined {
    if (this.folder !== undefined) return undefined;
    if (this.#keptCharacters + text.length > MAX_KEPT_CHARACTERS) return undefined;
    this.#keptCharacters += text.length;
    const id = String(this.#kept.size);
    this.#kept.set(id, text);
    return id;
  }

  /** Texts of a session in memory, by id. */
  get kept(): ReadonlyMap<string, string> {
    return this.#kept;
  }
}

/** For a fork. Whatever goes wrong, the fork goes on without old outputs, and its numbers start at 0. */
export async function copyArtifacts(fromSession: string, toSession: string): Promise<void> {
  const [from, to] = [artifactFolder(fromSession), artifactFolder(toSession)];
  const isNew = !fs.existsSync(to);
  try {
    await fs.promises.cp(from, to, {
      recursive: true,
      errorOnExist: true,
      force: false,
      // Where the file system can, a copy costs no room until one of the two is changed.
      mode: fs.constants.COPYFILE_FICLONE,
    });
    await fs.promises.chmod(to, 0o700);
  } catch (error) {
    if (codeOf(error) === "ENOENT" && !fs.existsSync(from)) return;
    log.warn("artifacts-not-copied", { from, to, reason: messageOf(error) });
    if (!isNew) return;
    await fs.promises.rm(to, { recursive: true, force: true }).catch((reason) => {
      ignore(reason, "the copy failed already, and the log says so");
    });
  }
}

/** Numbers of the artifacts in a folder, and their file names. */
export async function numberedArtifacts(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await namesIn(folder);
  const numbered = names.flatMap((name) => {
    const [, id] = NUMBERED.exec(name) ?? [];
    return id === undefined ? [] : [[Number(id), name] as const];
  });
  numbered.sort(([a], [b]) => a - b);
  return new Map(numbered.map(([id, name]) => [String(id), name]));
}

/**
 * A number belongs to one file whatever its ending, so another process must not take it for another tool.
 * Whoever makes the file `.<n>` may look whether the number is free. One left by a crash costs its number.
 */
async function reserveNumber(folder: string, ending: string): Promise<ReservedArtifact> {
  for (let least = 0; ; least++) {
    const number = Math.max(least, (await highestNumber(folder)) + 1);
    least = number;
    const claim = join(folder, `.${number}`);
    if (!(await isCreated(claim))) continue;
    try {
      if ((await highestNumber(folder)) >= number) continue;
      const path = join(folder, `${number}.${ending}`);
      if (await isCreated(path)) return { id: String(number), path };
    } finally {
      await fs.promises.unlink(claim);
    }
  }
}

async function highestNumber(folder: string): Promise<number> {
  const numbers = [...(await numberedArtifacts(folder)).keys()];
  return Number(numbers.at(-1) ?? -1);
}

/** False when it was there before. */
async function isCreated(path: string): Promise<boolean> {
  try {
    const handle = await fs.promises.open(path, "wx", PRIVATE_FILE);
    await handle.chmod(PRIVATE_FILE);
    await handle.close();
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await fs.promises.readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** A name from elsewhere as one part of a path: never hidden, never another folder. */
function safeName(name: string): string {
  return (
    name
      .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "_")
      .replace(/^\.+/, "_")
      .slice(0, 80) || "_"
  );
}
