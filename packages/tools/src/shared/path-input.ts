/** Paths as models write them: several at once, with globs, and not always as the file system spells them. */

import type { Files, FileStat } from "@omp/host";
import { dirname, join } from "node:path";
import { orMissing } from "./failure.ts";

/** `path` is as good as `paths`, and one path as good as a list of one. */
export function acceptPaths(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const { path, ...others } = input as Readonly<Record<string, unknown>>;
  const paths = "paths" in others ? others["paths"] : path;
  if (paths === undefined || paths === null) return others;
  return { ...others, paths: typeof paths === "string" ? [paths] : paths };
}

export interface Glob {
  /** The part without glob characters; empty where the first part has one. */
  readonly base: string;
  /** Counted from the base. */
  readonly pattern: string;
}

/** Undefined for a plain path. A glob in the first part means: at any depth. */
export function globOf(entry: string): Glob | undefined {
  const parts = entry.split("/");
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  if (first === -1) return undefined;
  const pattern = parts.slice(first).join("/");
  if (first > 0) return { base: parts.slice(0, first).join("/") || "/", pattern };
  return { base: "", pattern: pattern.startsWith("**/") ? pattern : `**/${pattern}` };
}

/** Whether a path below the base of a glob fits it. */
export function globTest(pattern: string): (way: string) => boolean {
  // In front of a pattern the sign would turn its meaning around.
  const glob = new Bun.Glob(pattern.replace(/^!/, "\\!"));
  return (way) => glob.match(way);
}

/** How many folders deep a glob can reach; undefined without a limit. */
export function depthOf(pattern: string): number | undefined {
  const isOpen = pattern.includes("**") || /\{[^}]*\//.test(pattern);
  return isOpen ? undefined : pattern.split("/").length;
}

export interface Located {
  /** Absolute. */
  readonly path: string;
  readonly stat: FileStat;
}

/** Undefined when there is nothing. A name may differ in how its letters are composed, and in its quotes. */
export async function lookUp(
  given: string,
  cwd: string,
  files: Files,
): Promise<Located | undefined> {
  const path = files.resolve(given, cwd);
  const stat = await orMissing(files.stat(path));
  if (stat) return { path, stat };
  const meant = await spelledOtherwise(path, files);
  return meant === undefined ? undefined : { path: meant, stat: await files.stat(meant) };
}

async function spelledOtherwise(path: string, files: Files): Promise<string | undefined> {
  const folder = dirname(path);
  if (folder === path) return undefined;
  const real = (await orMissing(files.stat(folder)))
    ? folder
    : await spelledOtherwise(folder, files);
  if (real === undefined) return undefined;
  const wanted = plain(path.slice(folder === "/" ? 1 : folder.length + 1));
  // A name of plain letters has one spelling only.
  if (real === folder && wanted === path.slice(-wanted.length) && !/[^\0-~]|['"]/.test(wanted)) {
    return undefined;
  }
  const names = (await orMissing(files.list(real))) ?? [];
  const found = names.find(({ name }) => plain(name) === wanted);
  return found && join(real, found.name);
}

function plain(name: string): string {
  return name.normalize("NFC").replace(/[‘’ʼ]/g, "'").replace(/[“”]/g, '"');
}
