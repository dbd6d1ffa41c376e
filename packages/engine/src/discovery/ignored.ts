/** What git ignores, without asking git: it is needed at every start, and a process costs more than all the rest. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ignoreList, type IgnoreList } from "@omp/host";
import { ignore } from "@omp/std";
import { isInside } from "./place.ts";

/** The patterns of one file, which count from its folder. */
interface Placed {
  readonly folder: string;
  readonly list: IgnoreList;
}

/** The patterns of one repository; its files are read once. */
export class Ignored {
  readonly #root: string;
  readonly #lists = new Map<string, readonly Placed[]>();
  /** For the whole repository, the strongest first. */
  readonly #general: readonly Placed[];

  /** @param global the person's own list of patterns, for every repository */
  constructor(root: string, global: string) {
    this.#root = root;
    const files = [join(root, ".git/info/exclude"), global];
    this.#general = files.flatMap((file) => listIn(file, root));
  }

  /** Whether a pattern fits the path itself; folders above it do not count. */
  fits(path: string, isFolder: boolean): boolean {
    if (!isInside(path, this.#root)) return false;
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const { folder, list } of this.#listsFor(parentOf(path))) {
      const said = list.isIgnored(path, folder.length + 1, name, isFolder);
      if (said !== undefined) return said;
    }
    return false;
  }

  /** The nearest first: the first that has a pattern that fits has the last word. */
  #listsFor(folder: string): readonly Placed[] {
    const known = this.#lists.get(folder);
    if (known) return known;
    const own = listIn(`${folder}/.gitignore`, folder);
    const above = folder === this.#root ? this.#general : this.#listsFor(parentOf(folder));
    const lists = own.length === 0 ? above : [...own, ...above];
    this.#lists.set(folder, lists);
    return lists;
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function listIn(file: string, folder: string): readonly Placed[] {
  if (!existsSync(file)) return [];
  try {
    const list = ignoreList(readFileSync(file, "utf8"));
    return list ? [{ folder, list }] : [];
  } catch (error) {
    ignore(error, "what cannot be read ignores nothing");
    return [];
  }
}
