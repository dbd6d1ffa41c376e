/** The patterns of one ignore file, as git reads them. Pure: nobody asks what exists. */

/** Whether a pattern of the list has a word on a path, and which: the last that fits counts. */
export interface IgnoreList {
  /**
   * @param from where in the path the part begins that counts from the folder of the list
   * @param name the last part of the path
   * @returns undefined where no pattern fits
   */
  isIgnored(path: string, from: number, name: string, isFolder: boolean): boolean | undefined;
}

interface Pattern {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** The pattern has no slash: the name alone decides. */
  readonly isByName: boolean;
  readonly glob: string;
}

/** Patterns that follow each other and say the same: among them the order does not matter. */
interface Run {
  readonly isNegated: boolean;
  /** Most patterns are a name or an ending: those are compared, which is faster than an expression. */
  readonly names: Set<string>;
  readonly folderNames: Set<string>;
  readonly endings: string[];
  readonly others: Other[];
}

interface Other {
  readonly isForFolders: boolean;
  readonly isByName: boolean;
  readonly fits: { test(text: string): boolean };
}

/** Undefined for a text that holds no pattern. */
export function ignoreList(text: string): IgnoreList | undefined {
  const runs: Run[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split("\n")) {
    const pattern = patternOf(line);
    if (!pattern) continue;
    const last = runs.at(-1);
    const run = last?.isNegated === pattern.isNegated ? last : emptyRun(pattern.isNegated);
    if (addTo(run, pattern) && run !== last) runs.push(run);
  }
  if (runs.length === 0) return undefined;
  runs.reverse();
  return {
    isIgnored(path, from, name, isFolder) {
      for (const run of runs) if (hasFit(run, path, from, name, isFolder)) return !run.isNegated;
      return undefined;
    },
  };
}

function emptyRun(isNegated: boolean): Run {
  return { isNegated, names: new Set(), folderNames: new Set(), endings: [], others: [] };
}

/** False for a pattern that cannot fit anything. */
function addTo(run: Run, { glob, isForFolders, isByName }: Pattern): boolean {
  const ending = glob.slice(1);
  if (isByName && !SPECIAL.test(glob)) (isForFolders ? run.folderNames : run.names).add(glob);
  else if (isByName && !isForFolders && glob[0] === "*" && ending !== "" && !SPECIAL.test(ending))
    run.endings.push(ending);
  else {
    const source = regexOf(glob);
    if (source === undefined) return false;
    run.others.push({ isForFolders, isByName, fits: new RegExp(`^${source}$`, "s") });
  }
  return true;
}

// Plain loops, and no text is made that nobody asks for: this runs for every file of a tree.
function hasFit(run: Run, path: string, from: number, name: string, isFolder: boolean): boolean {
  if (run.names.has(name) || (isFolder && run.folderNames.has(name))) return true;
  for (const ending of run.endings) if (name.endsWith(ending)) return true;
  for (const { isForFolders, isByName, fits } of run.others) {
    if (isForFolders && !isFolder) continue;
    if (fits.test(isByName ? name : path.slice(from))) return true;
  }
  return false;
}

/** One line; none for a comment or an empty line. */
function patternOf(line: string): Pattern | undefined {
  let glob = line.replace(/\r$/, "").replace(/(?<!\\)((?:\\\\)*) +$/, "$1");
  if (glob === "" || glob.startsWith("#")) return undefined;
  const isNegated = glob.startsWith("!");
  if (isNegated) glob = glob.slice(1);
  const isForFolders = glob.endsWith("/");
  if (isForFolders) glob = glob.slice(0, -1);
  const isByName = !glob.includes("/");
  glob = glob.replace(/^\//, "");
  return glob === "" ? undefined : { isNegated, isForFolders, isByName, glob };
}

const SPECIAL = /[*?[\\]/;

/** Undefined for a broken class and a backslash at the end: git lets those fit nothing. */
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

type Part = readonly [source: string | undefined, length: number];

/** What stands at a place of a pattern, as a regular expression, and how long it is. */
function partAt(glob: string, at: number): Part {
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

function classAt(glob: string, start: number): Part {
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
