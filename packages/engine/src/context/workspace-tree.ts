/** What the project's folder holds, in a few words, and where below it there is context to read first. */

import type { Clock } from "@omp/std";
import { ignore } from "@omp/std";
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

/** Nothing outside of projects: a home folder says little, and much of it is private. */
export function workspaceTree(look: Look, clock: Clock): WorkspaceTree {
  const { cwd, home, repository } = look.place;
  if (repository === undefined && !isInside(cwd, home)) return { lines: [], nested: [] };
  const wanted = wantedIn(look);
  return { lines: linesOf(cwd, wanted), nested: nestedFiles(cwd, wanted, clock) };
}

type Wanted = (folder: string, entry: Entry) => boolean;

function wantedIn(look: Look): Wanted & { readonly in: (folder: string) => readonly Entry[] } {
  const isWanted: Wanted = (folder, { name, isFolder }) =>
    name !== "node_modules" &&
    // A name that breaks lines could pass for something else.
    // eslint-disable-next-line no-control-regex
    !/[\u0000-\u001f\u007f]/.test(name) &&
    !look.ignored.fits(`${folder}/${name}`, isFolder);
  return Object.assign(isWanted, {
    in(folder: string): readonly Entry[] {
      try {
        return look.entries(folder);
      } catch (error) {
        ignore(error, "a folder that cannot be read has nothing to show");
        return [];
      }
    },
  });
}

function linesOf(cwd: string, wanted: ReturnType<typeof wantedIn>): readonly string[] {
  const top = shown(cwd, wanted, MAX_TOP);
  let left = MAX_NAMES - top.names.length;
  const lines = top.names.map((name) => {
    if (!name.endsWith("/") || left <= 0) return name;
    const inside = shown(`${cwd}/${name.slice(0, -1)}`, wanted, Math.min(MAX_IN_FOLDER, left));
    left -= inside.names.length;
    const rest = inside.more > 0 ? ` +${inside.more}` : "";
    return inside.names.length === 0 ? name : `${name}: ${inside.names.join(" ")}${rest}`;
  });
  return top.more > 0 ? [...lines, `+${top.more}`] : lines;
}

/** The first names in a folder, and how many there are besides, ignored ones among them. */
function shown(folder: string, wanted: ReturnType<typeof wantedIn>, max: number) {
  const entries = wanted.in(folder);
  const names: string[] = [];
  let seen = 0;
  for (const entry of entries) {
    if (names.length === max) break;
    seen++;
    if (wanted(folder, entry)) names.push(entry.isFolder ? `${entry.name}/` : entry.name);
  }
  return { names, more: entries.length - seen };
}

/** Broad first, so that a large project is known near its root. */
function nestedFiles(
  cwd: string,
  wanted: ReturnType<typeof wantedIn>,
  clock: Clock,
): readonly string[] {
  const until = clock.now() + TIME_MS;
  const found: string[] = [];
  let level = [cwd];
  for (let depth = 0, seen = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (seen++ >= MAX_FOLDERS || clock.now() > until || found.length >= MAX_NESTED) return found;
      for (const entry of wanted.in(folder)) {
        const path = `${folder}/${entry.name}`;
        if (entry.isFolder) {
          if (depth < MAX_DEPTH && wanted(folder, entry)) next.push(path);
        } else if (entry.name === "AGENTS.md" && folder !== cwd && wanted(folder, entry)) {
          found.push(path.slice(cwd.length + 1));
        }
      }
    }
    level = next;
  }
  return found;
}
