/** What the project's folder holds, in a few words, and where below it there is context to read first. */

import { ignore, sanitizeLine, type Clock } from "@omp/std";
import type { Entry, Look } from "../discovery/look.ts";
import { isInside } from "../discovery/place.ts";

export interface WorkspaceTree {
  /** Two levels, one line for each folder. */
  readonly lines: readonly string[];
  /** Paths of `AGENTS.md` files below the folder, from there. */
  readonly nested: readonly string[];
}

const MAX_TOP = 40;
const MAX_IN_FOLDER = 10;
const MAX_NAMES = 150;
/** Of the walk for nested files. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 60;
const MAX_NESTED = 30;
const TIME_MS = 3;

/** Nothing outside of projects: a home folder says little, and much of it is private. Links are not followed. */
export function workspaceTree(look: Look, clock: Clock): WorkspaceTree {
  const { cwd, home, repository } = look.place;
  if (repository === undefined && !isInside(cwd, home)) return { lines: [], nested: [] };
  const view = viewOf(look);
  return { lines: linesOf(cwd, view), nested: nestedFiles(cwd, view, clock) };
}

interface View {
  /** All that a folder has, hidden entries left out. */
  entries(folder: string): readonly Entry[];
  isShown(folder: string, entry: Entry): boolean;
}

function viewOf(look: Look): View {
  return {
    entries(folder) {
      try {
        return look.entries(folder);
      } catch (error) {
        ignore(error, "a folder that cannot be read has nothing to show");
        return [];
      }
    },
    isShown: (folder, { name, isFolder }) =>
      name !== "node_modules" &&
      // A name that breaks lines could pass for something else.
      sanitizeLine(name) === name &&
      !look.isIgnored(`${folder}/${name}`, isFolder),
  };
}

function linesOf(cwd: string, view: View): readonly string[] {
  const top = shown(cwd, view, MAX_TOP);
  let left = MAX_NAMES - top.names.length;
  const lines = top.names.map((name) => {
    if (!name.endsWith("/") || left <= 0) return name;
    const inside = shown(`${cwd}/${name.slice(0, -1)}`, view, Math.min(MAX_IN_FOLDER, left));
    left -= inside.names.length;
    const rest = inside.more > 0 ? ` +${inside.more}` : "";
    return inside.names.length === 0 ? name : `${name}: ${inside.names.join(" ")}${rest}`;
  });
  return top.more > 0 ? [...lines, `+${top.more}`] : lines;
}

/** The first names in a folder, and how many there are besides, ignored ones among them. */
function shown(folder: string, view: View, max: number) {
  const entries = view.entries(folder);
  const names: string[] = [];
  let seen = 0;
  for (const entry of entries) {
    if (names.length === max) break;
    seen++;
    if (!view.isShown(folder, entry)) continue;
    names.push(entry.isFolder && !entry.isLink ? `${entry.name}/` : entry.name);
  }
  return { names, more: entries.length - seen };
}

/** Broad first, so that a large project is known near its root. */
function nestedFiles(cwd: string, view: View, clock: Clock): readonly string[] {
  const until = clock.now() + TIME_MS;
  const found: string[] = [];
  let level = [cwd];
  for (let depth = 0, seen = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (seen++ >= MAX_FOLDERS || clock.now() > until || found.length >= MAX_NESTED) return found;
      for (const entry of view.entries(folder)) {
        const path = `${folder}/${entry.name}`;
        if (entry.isFolder) {
          if (depth < MAX_DEPTH && !entry.isLink && view.isShown(folder, entry)) next.push(path);
        } else if (entry.name === "AGENTS.md" && folder !== cwd && view.isShown(folder, entry)) {
          found.push(path.slice(cwd.length + 1));
        }
      }
    }
    level = next;
  }
  return found;
}
