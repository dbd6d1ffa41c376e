/** A repository's git configuration, read as data: no git is started to look at it. */

import { isFolder } from "./look.ts";
import { readSmallFile } from "../environment/small-file.ts";
import { dirname, join, resolve } from "node:path";

export interface GitSetting {
  /** `section.sub section.key`; section and key in lower case. */
  readonly key: string;
  readonly value: string;
  readonly file: string;
}

const MAX_INCLUDES = 5;
const HEADER = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;

/** All that applies in the working tree at `root`, in the order of the files. None outside of a repository. */
export function readGitConfig(root: string): readonly GitSetting[] {
  const folder = gitFolder(root);
  if (folder === undefined) return [];
  const common = sharedFolder(folder);
  const files = [join(common, "config"), join(folder, "config.worktree")];
  return files.flatMap((file) => settingsOf(file, 0));
}

/** `.git`, or where the file of that name points to. */
export function gitFolder(root: string): string | undefined {
  const path = join(root, ".git");
  if (isFolder(path)) return path;
  const link = /^gitdir:\s*(.+?)\s*$/m.exec(readQuietly(path) ?? "");
  return link ? resolve(root, link[1]!) : undefined;
}

function sharedFolder(folder: string): string {
  const common = readQuietly(join(folder, "commondir"))?.trim();
  return common ? resolve(folder, common) : folder;
}

function settingsOf(file: string, depth: number): GitSetting[] {
  const text = readQuietly(file);
  if (text === undefined) return [];
  return parseGitConfig(text, file).flatMap((setting) => {
    const isInclude = /^include(?:if\..*)?\.path$/s.test(setting.key);
    if (!isInclude || depth >= MAX_INCLUDES || setting.value.startsWith("~")) return [setting];
    return [setting, ...settingsOf(resolve(dirname(file), setting.value), depth + 1)];
  });
}

export function parseGitConfig(text: string, file: string): GitSetting[] {
  const settings: GitSetting[] = [];
  let section = "";
  for (const line of logicalLines(text)) {
    let rest = line.trim();
    const header = HEADER.exec(rest);
    if (header) {
      const [whole, name, sub] = header;
      section =
        name!.toLowerCase() + (sub === undefined ? "" : `.${sub.replaceAll(/\\(.)/g, "$1")}`);
      rest = rest.slice(whole.length).trim();
    }
    const found = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*([^]*))?$/.exec(rest);
    if (!found) continue;
    const value = found[2] === undefined ? "true" : plainValue(found[2]);
    settings.push({ key: `${section}.${found[1]!.toLowerCase()}`, value, file });
  }
  return settings;
}

/** A backslash at the end goes on in the next line. */
function logicalLines(text: string): string[] {
  const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  return clean.replaceAll(/(?<!\\)((?:\\\\)*)\\\n/g, "$1").split("\n");
}

/** Without comment, quotes and escapes. */
function plainValue(text: string): string {
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === "\\") value += { n: "\n", t: "\t", b: "\b" }[text[++at] ?? ""] ?? text[at] ?? "";
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (letter === "#" || letter === ";")) break;
    else value += letter;
  }
  return value.trim();
}

function readQuietly(path: string): string | undefined {
  return readSmallFile(path, () => {});
}
