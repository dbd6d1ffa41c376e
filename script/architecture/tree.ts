/** The source tree as the rules see it: parsed files, package manifests, and where an import leads. */

import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { readFacts, type Facts } from "./facts.ts";

/** "source" ships, "test" proves it, "tool" is everything outside the packages. */
export type Kind = "source" | "test" | "tool";

export interface SourceFile {
  readonly path: string;
  readonly kind: Kind;
  /** Name of the package's folder; empty for tools. */
  readonly package: string;
  readonly address: string;
  readonly facts: Facts;
}

export interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
}

export interface Tree {
  readonly scope: string;
  readonly files: ReadonlyMap<string, SourceFile>;
  /** By folder name; the workspace's own manifest is under "". */
  readonly manifests: ReadonlyMap<string, Manifest>;
}

export type Target =
  /** A file of the project, whether it exists or not. */
  | { readonly to: "file"; readonly path: string }
  /** A path inside a package that its manifest does not export. */
  | { readonly to: "wall"; readonly package: string; readonly doors: readonly string[] }
  | { readonly to: "npm"; readonly name: string }
  | { readonly to: "builtin" };

/** `texts` holds sources and package.json files by their path from the root. */
export function growTree(texts: ReadonlyMap<string, string>, scope: string): Tree {
  const files = new Map<string, SourceFile>();
  const manifests = new Map<string, Manifest>();
  for (const [path, text] of texts) {
    if (path.endsWith("package.json")) manifests.set(packageOf(path), readManifest(text));
    else files.set(path, { path, ...placeOf(path), facts: readFacts(path, text) });
  }
  return { scope, files, manifests };
}

/** `packages/engine/src/conversation/intake.ts` → `engine/conversation/intake`. */
export function addressOf(path: string): string {
  return path.replace(/^packages\/([^/]+)\/src\//, "$1/").replace(/\.tsx?$/, "");
}

export function isWithin(address: string, place: string): boolean {
  return address === place || address.startsWith(`${place}/`);
}

/** Where an import written in `file` leads. */
export function resolve(tree: Tree, file: SourceFile, specifier: string): Target {
  if (specifier.startsWith(".")) return { to: "file", path: join(dirname(file.path), specifier) };
  if (specifier.startsWith("node:") || specifier === "bun" || specifier.startsWith("bun:")) {
    return { to: "builtin" };
  }
  const name = npmName(specifier);
  if (!name.startsWith(`${tree.scope}/`)) {
    return builtinModules.includes(name) ? { to: "builtin" } : { to: "npm", name };
  }
  const folder = name.slice(tree.scope.length + 1);
  const exports = tree.manifests.get(folder)?.exports ?? {};
  const door = exports[`.${specifier.slice(name.length)}`];
  if (door === undefined) return { to: "wall", package: folder, doors: Object.keys(exports) };
  return { to: "file", path: join("packages", folder, door) };
}

export function packageOf(path: string): string {
  return /^packages\/([^/]+)\//.exec(path)?.[1] ?? "";
}

function placeOf(path: string): { kind: Kind; package: string; address: string } {
  const isTest = /\.test\.tsx?$/.test(path) || /^packages\/[^/]+\/(test|campaigns)\//.test(path);
  const inPackage = packageOf(path);
  const kind = inPackage === "" ? "tool" : isTest ? "test" : "source";
  return { kind, package: inPackage, address: addressOf(path) };
}

function npmName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function readManifest(text: string): Manifest {
  const json = JSON.parse(text) as Partial<
    Record<
      "exports" | "dependencies" | "peerDependencies" | "optionalDependencies" | "devDependencies",
      Record<string, string>
    >
  >;
  const ships = { ...json.dependencies, ...json.peerDependencies, ...json.optionalDependencies };
  return {
    exports: json.exports ?? {},
    dependencies: new Set(Object.keys(ships)),
    devDependencies: new Set(Object.keys(json.devDependencies ?? {})),
  };
}
