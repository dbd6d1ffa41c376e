/** What the paths of a find mean: exact files, and folders to walk with what is wanted of them. */

import { ToolFailure } from "@omp/agent";
import type { Files } from "@omp/host";
import { depthOf, globOf, globTest, lookUp } from "../shared/path-input.ts";

/** A folder to walk once. */
export interface Base {
  readonly folder: string;
  readonly nodeModules: boolean;
  /** Undefined without a limit. */
  readonly maxDepth: number | undefined;
  /** By path below the folder. */
  fits(way: string): boolean;
}

export interface Targets {
  /** Absolute paths that were named exactly. */
  readonly files: readonly string[];
  readonly bases: readonly Base[];
  /** As they were written. */
  readonly missing: readonly string[];
}

export async function targetsOf(
  entries: readonly string[],
  cwd: string,
  files: Files,
): Promise<Targets> {
  const wanted = entries.map((entry) => entry.trim().replaceAll("\\", "/"));
  if (wanted.length === 0 || wanted.includes("")) {
    throw new ToolFailure("`paths` must contain non-empty globs or paths");
  }
  const found: string[] = [];
  const bases: Base[] = [];
  const missing: string[] = [];
  for (const entry of wanted) {
    const target = await targetOf(entry, cwd, files);
    if (target === undefined) missing.push(entry);
    else if (typeof target === "string") found.push(target);
    else bases.push(target);
  }
  if (missing.length === wanted.length) {
    throw new ToolFailure(`Path not found: ${missing.join(", ")}`);
  }
  return { files: found, bases: merged(bases), missing };
}

/** The path of a file, a folder to walk, or undefined when there is nothing. A name that exists wins over a glob. */
async function targetOf(
  entry: string,
  cwd: string,
  files: Files,
): Promise<string | Base | undefined> {
  const nodeModules = entry.split("/").includes("node_modules");
  const literal = await lookUp(entry, cwd, files);
  const glob = literal ? undefined : globOf(entry);
  const located = literal ?? (glob && (await lookUp(glob.base || ".", cwd, files)));
  if (!located) return undefined;
  const { path, stat } = located;
  if (stat.kind !== "directory") {
    if (glob) throw new ToolFailure(`Path is not a directory: ${glob.base}`);
    return path;
  }
  if (path === "/") throw new ToolFailure("Searching from root directory '/' is not allowed");
  const fits = glob ? globTest(glob.pattern) : () => true;
  return { folder: path, nodeModules, maxDepth: glob && depthOf(glob.pattern), fits };
}

/** What starts at the same folder is walked once. */
function merged(bases: readonly Base[]): readonly Base[] {
  const byFolder = new Map<string, Base>();
  for (const base of bases) {
    const key = `${base.nodeModules} ${base.folder}`;
    const other = byFolder.get(key);
    byFolder.set(key, other ? union(other, base) : base);
  }
  return [...byFolder.values()];
}

function union(one: Base, other: Base): Base {
  const isOpen = one.maxDepth === undefined || other.maxDepth === undefined;
  return {
    ...one,
    maxDepth: isOpen ? undefined : Math.max(one.maxDepth!, other.maxDepth!),
    fits: (way) => one.fits(way) || other.fits(way),
  };
}
