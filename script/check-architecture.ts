/** Fails when the tree breaks the map: a wrong import, a cycle, a deed in the wrong room, a slow start. */

import { resolve as resolvePath } from "node:path";
import { architecture, type Architecture } from "./architecture.ts";
import { checkCycles } from "./architecture/cycles.ts";
import { checkLayers } from "./architecture/layers.ts";
import { checkManners } from "./architecture/manners.ts";
import { checkStartup, startupOf } from "./architecture/startup.ts";
import { growTree, type Tree } from "./architecture/tree.ts";
import { describe, type Violation } from "./architecture/violation.ts";
import { checkDebt, sizeWarnings } from "./architecture/warnings.ts";

export interface Report {
  readonly failures: readonly Violation[];
  readonly warnings: readonly Violation[];
}

export function check(tree: Tree, map: Architecture): Report {
  return {
    failures: [
      ...checkLayers(tree, map),
      ...checkCycles(tree, map),
      ...checkManners(tree, map),
      ...checkDebt(tree, map),
      ...checkStartup(tree, map),
    ],
    warnings: sizeWarnings(tree, map),
  };
}

const wanted = [
  "package.json",
  "packages/*/package.json",
  "packages/*/{src,test,campaigns}/**/*.{ts,tsx}",
  "{script,test,bench}/**/*.{ts,tsx}",
];

/** Every TypeScript file and manifest of the checkout, but for test material and generated code. */
export async function readTree(root: string, scope: string): Promise<Tree> {
  const unwanted = /\.(d|gen)\.ts$|\/(cases|golden|fixtures|node_modules)\//;
  const scans = wanted.map((glob) => Array.fromAsync(new Bun.Glob(glob).scan({ cwd: root })));
  const paths = (await Promise.all(scans))
    .flat()
    .filter((path) => !unwanted.test(path))
    .sort();
  const texts = await Promise.all(paths.map((path) => Bun.file(`${root}/${path}`).text()));
  return growTree(new Map(paths.map((path, index) => [path, texts[index]!])), scope);
}

if (import.meta.main) {
  const tree = await readTree(resolvePath(import.meta.dir, ".."), architecture.scope);
  if (process.argv.includes("--startup")) printStartup(tree);
  const { failures, warnings } = check(tree, architecture);
  for (const warning of warnings) console.log(`warning: ${describe(warning)}`);
  for (const failure of failures) console.error(describe(failure));
  if (failures.length > 0) console.error(`${tree.files.size} files, ${failures.length} violations`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

function printStartup(tree: Tree): void {
  const { entry, budget } = architecture.startup;
  const { modules, packages } = startupOf(tree, entry);
  for (const module of modules) console.log(module);
  for (const name of packages) console.log(`${name} (npm)`);
  console.log(`${modules.length} modules and ${packages.length} npm packages; budget ${budget}`);
}
