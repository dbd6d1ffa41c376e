/** A program and every file of the repository that it loads, read once: what is hashed is what is used. */

import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import { ignore } from "@omp/std";
import { readSmallBytes } from "../environment/small-file.ts";
import { isWithin } from "./folder.ts";
import { entriesOf, isFile } from "./look.ts";

/** Absolute path to bytes. What is there and cannot be read in full can be consented to for one run only. */
export type FileBytes = ReadonlyMap<string, Uint8Array | "missing" | "unreadable">;

const LOADERS: Readonly<Record<string, "ts" | "tsx" | "js" | "jsx">> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
  ".jsx": "jsx",
};
const ENDINGS = Object.keys(LOADERS);
const MAX_FILE = 8 * 1024 * 1024;
const MAX_FILES = 2000;
/** They decide what a name that is no path stands for, in their folder and below. */
const MANIFESTS = [
  "package.json",
  "package-lock.json",
  "bun.lock",
  "bun.lockb",
  "pnpm-lock.yaml",
  "yarn.lock",
  "tsconfig.json",
  "jsconfig.json",
  "bunfig.toml",
];

function isModule(path: string): boolean {
  return Object.hasOwn(LOADERS, extname(path));
}

/** @param root the project: manifests are looked for up to it */
export function filesOf(path: string, root: string): FileBytes {
  const files: OwnFiles = new Map();
  // A manifest names code in its folder, in words of its own.
  const waiting = [path, ...(path.endsWith(".json") ? filesBelow(dirname(path), path) : [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (files.has(next)) continue;
    if (files.size >= MAX_FILES) return files.set(dirname(next), "unreadable");
    const bytes = bytesAt(next);
    files.set(next, bytes);
    if (typeof bytes === "string" || !isModule(next)) continue;
    const { specifiers, isOpen } = importsOf(next, bytes);
    for (const specifier of specifiers) {
      if (isPath(specifier)) waiting.push(targetOf(specifier, dirname(next)));
    }
    const names = specifiers.filter((specifier) => !isPath(specifier) && !isBuiltIn(specifier));
    if (names.length > 0) addManifests(files, dirname(next), root);
    // What is put together at run time, or mapped by a manifest, can be any file near by.
    if (isOpen || names.some((name) => isMapped(name, files))) {
      waiting.push(...filesBelow(dirname(next), path));
    }
  }
  return files;
}

type OwnFiles = Map<string, Uint8Array | "missing" | "unreadable">;

interface Imports {
  readonly specifiers: readonly string[];
  /** It may load what cannot be known before it runs. */
  readonly isOpen: boolean;
}

const COMPUTED = /\b(?:import|require)\s*\(\s*(?!\s*(?:"[^"]*"|'[^']*'|`[^`$]*`)\s*[,)])/;

function importsOf(path: string, bytes: Uint8Array): Imports {
  const text = new TextDecoder().decode(bytes);
  // A type-only import is gone at run time; so are the imports that Bun drops here.
  const transpiler = new Bun.Transpiler({ loader: LOADERS[extname(path)]! });
  try {
    const specifiers = transpiler.scanImports(text).map((one) => one.path);
    return { specifiers, isOpen: COMPUTED.test(text) };
  } catch (error) {
    ignore(error, "a program that cannot be parsed is held to all that is near it");
    return { specifiers: [], isOpen: true };
  }
}

function isPath(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier) || specifier === "." || specifier === "..";
}

function isBuiltIn(specifier: string): boolean {
  return /^(?:node|bun):/.test(specifier) || specifier === "bun";
}

/** `#name`, or anything where a tsconfig has paths of its own. */
function isMapped(name: string, files: FileBytes): boolean {
  if (name.startsWith("#")) return true;
  return [...files].some(
    ([path, bytes]) =>
      /^[tj]sconfig\.json$/.test(basename(path)) &&
      typeof bytes !== "string" &&
      /"(?:paths|baseUrl|extends)"/.test(new TextDecoder().decode(bytes)),
  );
}

/** As a loader finds it: the file itself, with an ending, `.js` for `.ts`, the index of a folder. */
function targetOf(specifier: string, folder: string): string {
  const plain = specifier.replace(/[?#].*$/, "");
  const base = isAbsolute(plain) ? plain : resolve(folder, plain);
  const stem = base.replace(/\.[mc]?jsx?$/, "");
  const candidates = [
    base,
    ...ENDINGS.map((ending) => base + ending),
    ...(stem === base ? [] : ENDINGS.map((ending) => stem + ending)),
    `${base}.json`,
    ...ENDINGS.map((ending) => join(base, `index${ending}`)),
  ];
  return candidates.find(isFile) ?? base;
}

function addManifests(files: OwnFiles, from: string, root: string) {
  for (let folder = from; isWithin(folder, root); folder = dirname(folder)) {
    for (const name of MANIFESTS) {
      const path = join(folder, name);
      if (!files.has(path) && isFile(path)) files.set(path, bytesAt(path));
    }
    if (dirname(folder) === folder) return;
  }
}

/** Not in `node_modules`, which the lock file stands for. */
function filesBelow(folder: string, except: string): string[] {
  const found: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !["node_modules", ".git"].includes(entry.name)) waiting.push(path);
      else if (path !== except && isFile(path)) found.push(path);
      if (found.length >= MAX_FILES) return found;
    }
  }
  return found;
}

function bytesAt(path: string): Uint8Array | "missing" | "unreadable" {
  let isRefused = false;
  const bytes = readSmallBytes(path, () => void (isRefused = true), MAX_FILE);
  return bytes ?? (isRefused ? "unreadable" : "missing");
}
