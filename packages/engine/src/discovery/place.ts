/** Where things are looked for: the folder a person works in, those above it, and their own folders. */

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface Place {
  readonly cwd: string;
  readonly home: string;
  /** The person's own folder, `~/.omp/agent`. */
  readonly agentDir: string;
}

/** A place, and how far it reaches upward. */
export interface Surveyed extends Place {
  /** The root of the repository; undefined outside of one. */
  readonly repository: string | undefined;
  /** The folder and those above it, nearest first, to the root of the repository. */
  readonly upward: readonly string[];
  /** The same, and further on below the home. */
  readonly open: readonly string[];
}

/**
 * Outside of a repository the walk goes up to the home. Elsewhere it stays in the folder: what
 * somebody puts into `/tmp` is not for whoever works below it.
 */
export function survey(place: Place): Surveyed {
  const { cwd, home } = place;
  const all = chainOf(cwd);
  const repository = all.find((folder) => existsSync(join(folder, ".git")));
  const belowHome = isInside(cwd, home) ? all.slice(0, all.indexOf(home)) : [];
  // A repository of the home itself, for dot files, makes nothing of it a project.
  const isProject = repository !== undefined && (repository !== home || cwd === home);
  const inRepository = isProject ? all.slice(0, all.indexOf(repository) + 1) : [];
  const upward = [inRepository, belowHome, [cwd]].find(({ length }) => length > 0)!;
  const longest = belowHome.length > upward.length ? belowHome : upward;
  return {
    ...place,
    repository: isProject ? repository : undefined,
    upward,
    open: longest.filter((folder) => !basename(folder).startsWith(".")),
  };
}

function chainOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...chainOf(parent)];
}

/** Strictly below. Both are absolute and without dots. */
export function isInside(path: string, folder: string): boolean {
  return folder === "/" ? path !== "/" : path.startsWith(`${folder}/`);
}
