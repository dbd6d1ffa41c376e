/** Where session files live: one folder for each working directory, one file for each session. */

import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { codeOf } from "@omp/std";

export interface SessionPlace {
  readonly agentDir: string;
  readonly cwd: string;
  readonly home: string;
  /** The root of temporary files. */
  readonly tmp: string;
}

/** The folder for the sessions of a working directory. A folder with the older name is used as long as it is alone. */
export function sessionFolder(place: SessionPlace): string {
  const sessions = join(place.agentDir, "sessions");
  const cwd = canonical(place.cwd);
  const folder = join(sessions, folderName(cwd, place));
  if (existsSync(folder)) return folder;
  const older = join(sessions, absoluteName(cwd));
  return existsSync(older) ? older : folder;
}

/** Where sessions of a working directory may be: its folder, and the one with the older name. */
export function sessionFolders(place: SessionPlace): string[] {
  const sessions = join(place.agentDir, "sessions");
  const cwd = canonical(place.cwd);
  const names = new Set([folderName(cwd, place), absoluteName(cwd)]);
  return [...names].map((name) => join(sessions, name));
}

/** Whether two paths lead to one folder. */
export function isSameFolder(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** `2026-01-02T03-04-05-678Z_<id>.jsonl`: sorts by time and is a legal name everywhere. */
export function sessionFileName(timestampMs: number, id: string): string {
  const time = new Date(timestampMs).toISOString().replaceAll(":", "-").replace(".", "-");
  return `${time}_${id}.jsonl`;
}

function folderName(cwd: string, { home, tmp }: SessionPlace): string {
  const fromHome = below(canonical(home), cwd);
  if (fromHome !== undefined) return `-${flat(fromHome)}`;
  const fromTmp = below(canonical(tmp), cwd);
  if (fromTmp === "") return "-tmp";
  if (fromTmp !== undefined) return `-tmp-${flat(fromTmp)}`;
  return absoluteName(cwd);
}

function absoluteName(path: string): string {
  return `--${flat(path.replace(/^[/\\]/, ""))}--`;
}

function flat(path: string): string {
  return path.replaceAll(/[/\\:]/g, "-");
}

/** The way down from `root` to `path`, or undefined if it does not lead down. */
function below(root: string, path: string): string | undefined {
  const way = relative(root, path);
  const leadsOut = way === ".." || /^\.\.[/\\]/.test(way) || isAbsolute(way);
  return leadsOut ? undefined : way;
}

/** Two names of one folder must lead to the same sessions, so symlinks are resolved. */
function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return resolve(path);
  }
}
