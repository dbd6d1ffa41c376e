/** What is loaded before the program has decided what to do: modules reached from the entry without `import()`. */

import type { Architecture } from "../architecture.ts";
import { resolve, type Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

export interface Startup {
  /** Project files, in the order they are reached. */
  readonly modules: readonly string[];
  /** npm packages, which may load many files each. */
  readonly packages: readonly string[];
}

export function startupOf(tree: Tree, entry: string): Startup {
  const modules = new Set<string>(tree.files.has(entry) ? [entry] : []);
  const packages = new Set<string>();
  // A Set iterates over what is added on the way, which makes it the queue as well.
  for (const path of modules) {
    const file = tree.files.get(path);
    for (const { specifier, kind } of file?.facts.imports ?? []) {
      if (kind !== "value" || !file) continue;
      const target = resolve(tree, file, specifier);
      if (target.to === "npm") packages.add(target.name);
      if (target.to === "file") modules.add(target.path);
    }
  }
  return { modules: [...modules], packages: [...packages].sort() };
}

export function checkStartup(tree: Tree, map: Architecture): Violation[] {
  const { entry, budget } = map.startup;
  const count = startupOf(tree, entry).modules.length;
  if (count === 0) return [{ file: entry, rule: "startup", detail: "the entry does not exist" }];
  if (count <= budget) return [];
  const detail = `${count} modules are loaded at start, the budget is ${budget}; see script/check-architecture.ts --startup`;
  return [{ file: entry, rule: "startup", detail }];
}
