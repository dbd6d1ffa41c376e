/** What git ignores, without asking git: it is needed at every start, and a process costs more than all the rest. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ignore } from "@omp/std";
import { isInside } from "./place.ts";

interface Pattern {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly fits: { test(text: string): boolean };
  /** The pattern has no slash: the name alone decides. */
  readonly isByName: boolean;
}

/** The patterns of one file, which count from its folder. */
interface List {
  readonly folder: string;
  readonly patterns: readonly Pattern[];
}

/** The patterns of one repository; its files are read once. */
export class Ignored {
  readonly #root: string;
  readonly #lists = new Map<string, readonly List[]>();
  readonly #general: List;

  /** @param global the person's own list of patterns, for every repository */
  constructor(root: string, global: string) {
    this.#root = root;
    const patterns = [...patternsIn(global), ...patternsIn(join(root, ".git/info/exclude"))];
    this.#general = { folder: root, patterns };
  }

  /** Whether a pattern fits the path itself; folders above it do not count. */
  fits(path: string, isFolder: boolean): boolean {
    if (!isInside(path, this.#root)) return false;
    for (const { folder, patterns } of this.#listsFor(parentOf(path))) {
      const said = lastWord(patterns, folder, path, isFolder);
      if (said !== undefined) return said;
    }
    return false;
  }

  /** The nearest first: the first that has a pattern that fits has the last word. */
  #listsFor(folder: string): readonly List[] {
    const known = this.#lists.get(folder);
    if (known) return known;
    const own = { folder, patterns: patternsIn(`${folder}/.gitignore`) };
    const above = folder === this.#root ? [this.#general] : this.#listsFor(parentOf(folder));
    const lists = own.patterns.length === 0 ? above : [own, ...above];
    this.#lists.set(folder, lists);
    return lists;
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function lastWord(
  patterns: readonly Pattern[],
  folder: string,
  path: string,
  isFolder: boolean,
): boolean | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const way = path.slice(folder.length + 1);
  // A plain loop: at a start every function that is called costs more than what it does.
  for (let at = patterns.length - 1; at >= 0; at--) {
    const { isForFolders, isByName, fits, isNegated } = patterns[at]!;
    if ((isFolder || !isForFolders) && fits.test(isByName ? name : way)) return !isNegated;
  }
  return undefined;
}

function patternsIn(file: string): readonly Pattern[] {
  if (!existsSync(file)) return [];
  try {
    return readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .split("\n")
      .flatMap(patternOf);
  } catch (error) {
    ignore(error, "what cannot be read ignores nothing");
    return [];
  }
}

/** One line of a `.gitignore`; none for a comment, an empty line or a broken class. */
function patternOf(line: string): Pattern[] {
  let text = line.replace(/\r$/, "").replace(/(?<!\\)((?:\\\\)*) +$/, "$1");
  if (text === "" || text.startsWith("#")) return [];
  const isNegated = text.startsWith("!");
  if (isNegated) text = text.slice(1);
  const isForFolders = text.endsWith("/");
  if (isForFolders) text = text.slice(0, -1);
  const isByName = !text.includes("/");
  const fits = testOf(text.replace(/^\//, ""), isByName);
  return fits ? [{ isNegated, isForFolders, isByName, fits }] : [];
}

/** Most patterns are a name or an ending: those are compared, which is ready sooner than an expression. */
function testOf(glob: string, isByName: boolean): Pattern["fits"] | undefined {
  if (glob === "") return undefined;
  if (!SPECIAL.test(glob)) return { test: (text) => text === glob };
  const ending = glob.slice(1);
  // In a way from the list's folder an ending would also fit what lies deeper.
  const isEnding = isByName && glob[0] === "*" && !SPECIAL.test(ending);
  if (isEnding && ending !== "") return { test: (text) => text.endsWith(ending) };
  const source = regexOf(glob);
  return source === undefined ? undefined : new RegExp(`^${source}$`, "s");
}

const SPECIAL = /[*?[\\]/;

function regexOf(glob: string): string | undefined {
  let out = "";
  for (let at = 0; at < glob.length;) {
    const [source, length] = partAt(glob, at);
    if (source === undefined) return undefined;
    out += source;
    at += length;
  }
  return out;
}

/** What stands at a place of a pattern, as a regular expression, and how long it is. */
function partAt(glob: string, at: number): readonly [source: string | undefined, length: number] {
  const letter = glob[at]!;
  const isAtStart = at === 0 || glob[at - 1] === "/";
  if (letter === "*") {
    const stars = /^\*+/.exec(glob.slice(at))![0].length;
    if (stars >= 2 && isAtStart) {
      if (glob[at + stars] === "/") return ["(?:[^/]+/)*", stars + 1];
      if (at + stars === glob.length) return [".+", stars];
    }
    return ["[^/]*", stars];
  }
  if (letter === "?") return ["[^/]", 1];
  if (letter === "\\") {
    const next = glob[at + 1];
    return next === undefined ? [undefined, 1] : [escaped(next), 2];
  }
  return letter === "[" ? classAt(glob, at) : [escaped(letter), 1];
}

const NAMED: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  blank: " \\t",
  xdigit: "0-9a-fA-F",
  punct: "!-\\/:-@\\[-`{-~",
};

function classAt(
  glob: string,
  start: number,
): readonly [source: string | undefined, length: number] {
  const found = /^\[([!^]?)((?:\]|\[:\w+:\]|\\.|[^\]\\])(?:\[:\w+:\]|\\.|[^\]\\])*)\]/s.exec(
    glob.slice(start),
  );
  if (!found) return [undefined, 1];
  const [whole, negation, inner] = found;
  const members = inner!.replace(
    /\[:(\w+):\]|\\(.)|([[\]\\^&])/gs,
    (_all, name?: string, taken?: string, special?: string) =>
      name === undefined ? `\\${taken ?? special}` : (NAMED[name] ?? ""),
  );
  return [`(?!/)[${negation ? "^" : ""}${members}]`, whole.length];
}

function escaped(letter: string): string {
  return /[\^$.*+?()[\]{}|\\/-]/.test(letter) ? `\\${letter}` : letter;
}
