/** Which ignore files count in a folder: its own, those above it in its repository, and the person's. */

import { codeOf, ignore } from "@omp/std";
import fs from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ignoreList, type IgnoreList } from "./ignore-list.ts";

/** A list, and where in an absolute path the part begins that it speaks of. */
interface Placed {
  readonly list: IgnoreList;
  readonly from: number;
}

/** The strongest first; in each group the nearest first. */
export interface IgnoreRules {
  /** `.ignore` files: they count without git and across repositories. */
  readonly own: readonly Placed[];
  readonly git: readonly Placed[];
  /** `.git/info/exclude` and the person's own excludes. */
  readonly general: readonly Placed[];
}

/** Where the person's git is configured. */
export interface GitHome {
  readonly home: string;
  /** `XDG_CONFIG_HOME`. */
  readonly configHome?: string | undefined;
}

const NOTHING: IgnoreRules = { own: [], git: [], general: [] };

/**
 * The rules that lie above a folder: from its repository down. Where there is none, from `top` down, or
 * from the folder itself: a list in the home folder is not about everything below it.
 */
export function rulesAbove(folder: string, git: GitHome, top = folder): IgnoreRules {
  const repository = repositoryOf(folder);
  const start = repository ?? (isWithin(folder, top) ? top : folder);
  let rules: IgnoreRules = { ...NOTHING, general: personalLists(git, start) };
  for (const above of foldersBetween(start, folder)) {
    rules = rulesIn(above, namesIn(above), rules, git);
  }
  return rules;
}

/** @param names what the folder holds */
export function rulesIn(
  folder: string,
  names: ReadonlySet<string>,
  above: IgnoreRules,
  git: GitHome,
): IgnoreRules {
  let rules = above;
  // A repository in a repository is not ruled by the outer one.
  if (names.has(".git")) rules = { ...rules, git: [], general: generalLists(folder, git) };
  if (names.has(".gitignore")) {
    rules = { ...rules, git: placed(join(folder, ".gitignore"), folder, rules.git) };
  }
  if (names.has(".ignore")) {
    rules = { ...rules, own: placed(join(folder, ".ignore"), folder, rules.own) };
  }
  return rules;
}

/** Whether a pattern fits the path itself; folders above it do not count. */
export function isIgnored(
  { own, git, general }: IgnoreRules,
  path: string,
  name: string,
  isFolder: boolean,
): boolean {
  return (
    said(own, path, name, isFolder) ??
    said(git, path, name, isFolder) ??
    said(general, path, name, isFolder) ??
    false
  );
}

function said(
  lists: readonly Placed[],
  path: string,
  name: string,
  isFolder: boolean,
): boolean | undefined {
  for (const { list, from } of lists) {
    const word = list.isIgnored(path, from, name, isFolder);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** The nearest folder, this one or above, that holds a `.git`. */
export function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (fs.existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function generalLists(repository: string, git: GitHome): readonly Placed[] {
  const exclude = join(commonFolder(join(repository, ".git")), "info/exclude");
  return placed(exclude, repository, personalLists(git, repository));
}

function personalLists(git: GitHome, start: string): readonly Placed[] {
  return placed(personalExcludes(git), start, []);
}

/** Where repositories keep what their worktrees share; a `.git` file tells where that is. */
function commonFolder(dotGit: string): string {
  const found = textOf(dotGit);
  const pointed = found && /^gitdir: (.+)$/m.exec(found)?.[1];
  if (!pointed) return dotGit;
  const own = resolve(dirname(dotGit), pointed);
  const shared = textOf(join(own, "commondir"))?.trim();
  return shared ? resolve(own, shared) : own;
}

function personalExcludes({ home, configHome = join(home, ".config") }: GitHome): string {
  for (const config of [join(home, ".gitconfig"), join(configHome, "git/config")]) {
    const named = /^[ \t]*excludesfile[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t]*$/im.exec(
      textOf(config) ?? "",
    );
    if (named) return withHome(named[1]!, home);
  }
  return join(configHome, "git/ignore");
}

function withHome(path: string, home: string): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? path : join(home, path);
}

function placed(file: string, folder: string, others: readonly Placed[]): readonly Placed[] {
  const list = ignoreList(textOf(file) ?? "");
  return list ? [{ list, from: folder === "/" ? 1 : folder.length + 1 }, ...others] : others;
}

function textOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") ignore(error, "what cannot be read ignores nothing");
    return undefined;
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  const wanted = [".git", ".gitignore", ".ignore"];
  return new Set(wanted.filter((name) => fs.existsSync(join(folder, name))));
}

/** From `start` down to the parent of `folder`. */
function foldersBetween(start: string, folder: string): readonly string[] {
  const found: string[] = [];
  for (let at = folder; at !== start && at !== dirname(at);) {
    at = dirname(at);
    found.unshift(at);
  }
  return found;
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
