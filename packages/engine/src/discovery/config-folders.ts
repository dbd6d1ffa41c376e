/** The folders of the four families in their order, for whoever looks for something that is not a kind. */

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Level } from "./item.ts";
import { survey, type Place } from "./place.ts";

export interface ConfigFolder {
  readonly path: string;
  readonly source: Family;
  readonly level: Level;
}

type Family = ".omp" | ".claude" | ".codex" | ".gemini";
const FAMILIES: readonly Family[] = [".omp", ".claude", ".codex", ".gemini"];

export interface ConfigFolderOptions {
  readonly user?: boolean;
  readonly project?: boolean;
  readonly cwd?: string;
  readonly existingOnly?: boolean;
}

/** Where `subpath` may be: the person's folders, then the project's, each by family. */
export function configFolders(
  subpath: string,
  place: Place,
  { user = true, project = true, cwd = place.cwd, existingOnly = false }: ConfigFolderOptions = {},
): readonly ConfigFolder[] {
  const all = FAMILIES.flatMap((source): ConfigFolder[] => {
    const base = source === ".omp" ? place.agentDir : join(place.home, source);
    return user ? [{ path: join(base, subpath), source, level: "user" }] : [];
  });
  const here = FAMILIES.flatMap((source): ConfigFolder[] =>
    project ? [{ path: join(cwd, source, subpath), source, level: "project" }] : [],
  );
  return [...all, ...here].filter(({ path }) => !existingOnly || existsSync(path));
}

/** For each family the nearest folder going up that has `subpath`, by family. */
export function nearestConfigFolders(subpath: string, place: Place): readonly ConfigFolder[] {
  const { upward } = survey(place);
  return FAMILIES.flatMap((source) => {
    const found = upward.map((folder) => join(folder, source, subpath)).find(isFolder);
    return found === undefined ? [] : [{ path: found, source, level: "project" as const }];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
