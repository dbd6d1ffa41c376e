/** Content search: which files hold a pattern, and where in a file it is. The matching is ripgrep's. */

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { isWithin, repositoryOf } from "../files/ignore-rules.ts";
import { dialectsOf, spansLines, type Dialect } from "./pattern.ts";
import { patternArgs, type Ripgrep } from "./ripgrep.ts";

/** A search that did not come to its end in time. */
export class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}

export interface Query {
  readonly pattern: string;
  readonly ignoresCase: boolean;
}

/** How the pattern of a query could be read. */
export interface ReadQuery extends Query {
  readonly dialect: Dialect;
}

export interface Scope {
  /** A folder, absolute. */
  readonly root: string;
  /** Whether ignore files count. */
  readonly ignores: boolean;
  readonly nodeModules: boolean;
  /** Only files with such a name, as a glob without a slash. */
  readonly name?: string | undefined;
  /** Where there is no repository, ignore files from here down count. */
  readonly top: string;
}

export interface SearchLimits {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Lines around a match. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/** How much of a file is wanted. */
export interface Wanted extends Around {
  /** Matches, the first of the file. */
  readonly most: number;
}

/** Lines of one match; several on the same line are one. Counted from 1. */
export interface Match {
  readonly from: number;
  readonly to: number;
}

export interface FileMatches {
  readonly matches: readonly Match[];
  /** There are more. */
  readonly isCut: boolean;
  /** The matched lines and those around them, without line ends. */
  readonly lines: ReadonlyMap<number, string>;
}

/** Methods reject with a HostError, a SearchTimeout or the signal's reason. */
export interface Search {
  /** How many lines the person wants to see around a match. */
  readonly around: Around;
  /** Finds the words in which the pattern can be read; never fails for what a pattern looks like. */
  understand(query: Query, signal: AbortSignal): Promise<ReadQuery>;
  /** Absolute paths of all files that hold a match, in no order. Files that cannot be read hold none. */
  filesWith(
    query: ReadQuery,
    scope: Scope,
    limits: SearchLimits,
    onFile: (path: string) => void,
  ): Promise<void>;
  /** The first matches of each file. A file without any is not in the map. */
  matchesIn(
    query: ReadQuery,
    paths: readonly string[],
    wanted: Wanted,
    limits: SearchLimits,
  ): Promise<ReadonlyMap<string, FileMatches>>;
  /** The same for a text that is in no file. */
  matchesOf(
    query: ReadQuery,
    text: string,
    wanted: Wanted,
    limits: SearchLimits,
  ): Promise<FileMatches | undefined>;
}

const NOTHING_WRONG = 1;

export function createSearch(ripgrep: Ripgrep, around: Around): Search {
  const run = async (
    args: readonly string[],
    cwd: string,
    limits: SearchLimits,
    more: Listening,
  ) => {
    const end = await ripgrep.run({ args, cwd, ...limits, ...more });
    limits.signal.throwIfAborted();
    if (end.kind === "deadline") throw new SearchTimeout("The search took too long.");
  };
  return {
    around,
    async understand(query, signal) {
      const dialects = dialectsOf(query.pattern);
      for (const dialect of dialects) {
        if (dialect.engine === "literal" || (await canRead(ripgrep, dialect, query, signal))) {
          return { ...query, dialect };
        }
      }
      throw new Error("a literal pattern can always be read");
    },
    filesWith(query, scope, limits, onFile) {
      const { cwd, args } = ignoring(scope);
      const target = `./${relative(cwd, scope.root)}`;
      return run([...filesArgs(query, scope), ...args, "--", target], cwd, limits, {
        separator: "\0",
        onPiece: (path) => onFile(join(cwd, path)),
      });
    },
    async matchesIn(query, paths, wanted, limits) {
      const found = new Map<string, FileMatches>();
      if (paths.length === 0) return found;
      const take = listen(wanted.most, (path, one) => found.set(path, one));
      await run([...matchArgs(query, wanted), "--", ...paths], "/", limits, take);
      return found;
    },
    async matchesOf(query, text, wanted, limits) {
      let found: FileMatches | undefined;
      const take = listen(wanted.most, (_path, one) => (found = one));
      await run([...matchArgs(query, wanted), "-"], "/", limits, { ...take, stdin: text });
      return found;
    },
  };
}

interface Listening {
  readonly separator: "\0" | "\n";
  readonly stdin?: string;
  onPiece(piece: string): void;
}

/** Plain words cannot be read wrongly; everything else is shown to ripgrep with nothing to search in. */
async function canRead(
  ripgrep: Ripgrep,
  dialect: Dialect,
  { ignoresCase }: Query,
  signal: AbortSignal,
): Promise<boolean> {
  if (!/[\\^$.|?*+()[\]{}]/.test(dialect.pattern)) return true;
  const args = [...patternArgs(dialect, ignoresCase), ...lineArgs(dialect.pattern), "--quiet", "-"];
  const nobody = { separator: "\n", onPiece() {} } as const;
  const end = await ripgrep.run({ args, cwd: "/", signal, stdin: "", ...nobody });
  signal.throwIfAborted();
  return end.kind === "exited" && end.code <= NOTHING_WRONG;
}

function filesArgs({ dialect, ignoresCase }: ReadQuery, scope: Scope): string[] {
  return [
    ...patternArgs(dialect, ignoresCase),
    ...lineArgs(dialect.pattern),
    ...["--files-with-matches", "--null", "--hidden", "--no-messages", "--glob=!.git"],
    ...(scope.nodeModules ? [] : ["--glob=!node_modules"]),
    ...(scope.name === undefined ? [] : [`--type-add=omp:${scope.name}`, "--type=omp"]),
  ];
}

/** The same lists count as in a walk: from the repository down, and where there is none from `top` down. */
function ignoring({ root, top, ignores }: Scope): { cwd: string; args: readonly string[] } {
  if (!ignores) return { cwd: root, args: ["--no-ignore"] };
  if (repositoryOf(root) !== undefined) return { cwd: root, args: ["--no-require-git"] };
  const args = ["--no-require-git", "--no-ignore-parent"];
  if (root === top || !isWithin(root, top)) return { cwd: root, args };
  // Lists that are named count from the working directory.
  const lists = [join(top, ".gitignore"), join(top, ".ignore")].filter((path) => existsSync(path));
  return { cwd: top, args: [...args, ...lists.map((path) => `--ignore-file=${path}`)] };
}

function matchArgs({ dialect, ignoresCase }: ReadQuery, { most, before, after }: Wanted): string[] {
  return [
    ...patternArgs(dialect, ignoresCase),
    ...lineArgs(dialect.pattern),
    ...["--json", "--no-messages", `--max-count=${most + 1}`],
    ...[`--before-context=${before}`, `--after-context=${after}`],
  ];
}

function lineArgs(pattern: string): readonly string[] {
  return spansLines(pattern) ? ["--multiline"] : [];
}

type Text = { readonly text: string } | { readonly bytes: string };

interface Message {
  readonly type: "begin" | "match" | "context" | "end" | "summary";
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number;
    readonly absolute_offset?: number;
    readonly binary_offset?: number | null;
  };
}

/** Reads the lines of `--json`; a file is handed over when its end is told. */
function listen(most: number, onFile: (path: string, found: FileMatches) => void): Listening {
  let matches: (Match & { readonly offset: number })[] = [];
  let lines = new Map<number, string>();
  return {
    separator: "\n",
    onPiece(piece) {
      const { type, data } = JSON.parse(piece) as Message;
      if (type === "match" || type === "context") {
        const { line_number: from = 1, absolute_offset: offset = 0 } = data;
        const texts = textOf(data.lines)
          .replace(/\r?\n$/, "")
          .split(/\r?\n/);
        for (const [index, text] of texts.entries()) lines.set(from + index, text);
        if (type === "match") matches.push({ from, to: from + texts.length - 1, offset });
      }
      if (type !== "end") return;
      // What comes after the first zero byte is no text.
      const end = data.binary_offset ?? Number.POSITIVE_INFINITY;
      const shown = matches.filter(({ offset }) => offset < end);
      const isCut = shown.length > most;
      if (shown.length > 0)
        onFile(textOf(data.path), { matches: shown.slice(0, most), isCut, lines });
      matches = [];
      lines = new Map();
    },
  };
}

/** What is no UTF-8 comes as base64; its strange bytes are shown as such. */
function textOf(text: Text | undefined): string {
  if (text === undefined) return "";
  return "text" in text ? text.text : Buffer.from(text.bytes, "base64").toString("utf8");
}
