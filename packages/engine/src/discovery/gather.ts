/** From the places of a source to what is there. */

import { HostError } from "@omp/host";
import { messageOf } from "@omp/std";
import { basename, isAbsolute, join } from "node:path";
import type { Found, Level, Warning } from "./item.ts";
import type { Look } from "./look.ts";
import { pluginRoots } from "./plugin-roots.ts";
import type { Base, Source, Spot } from "./source.ts";

interface Root {
  /** What the spot's path counts from. */
  readonly path: string;
  readonly folder: string;
  readonly level: Level;
}

/** A place that cannot be looked at is a warning; the others are there. */
export function gather(
  spot: Spot,
  source: Source,
  look: Look,
  warn: (warning: Warning) => void,
): Found[] {
  const { id, name: sourceName, priority } = source;
  const { says = {} } = spot;
  const found: Found[] = [];
  let place = sourceName;
  const fail = (error: unknown) => warn({ place, text: `not used: ${messageOf(error)}` });
  try {
    for (const root of rootsOf(spot, look)) {
      place = `${root.path}/${spot.path}`;
      const { folder, level } = root;
      for (const { name, path } of tried(() => namesAt(spot, root, look), fail)) {
        found.push({ name, path, level, folder, source: id, sourceName, priority, says });
      }
    }
  } catch (error) {
    fail(error);
  }
  return found;
}

function tried(find: () => readonly Named[], fail: (error: unknown) => void): readonly Named[] {
  try {
    return find();
  } catch (error) {
    fail(error);
    return [];
  }
}

function rootsOf({ base, path }: Spot, look: Look): readonly Root[] {
  const { home, agentDir, cwd, upward, open } = look.place;
  switch (base) {
    case "home":
      return [rootAt(home, "user")];
    case "agent":
      return [rootAt(agentDir, "user")];
    case "cwd":
      return [rootAt(cwd, "project")];
    case "upward":
      return upward.map(projectRoot);
    case "open":
      return open.map(projectRoot);
    case "nearest":
      return upward
        .filter((folder) => look.kindOf(folder, path))
        .slice(0, 1)
        .map(projectRoot);
    case "own":
      return ownRoot(look);
    case "plugins":
      return pluginRoots(look).map((root) => rootAt(root, "user"));
  }
}

function rootAt(path: string, level: Level): Root {
  return { path, folder: path, level };
}

function projectRoot(path: string): Root {
  return rootAt(path, "project");
}

const OWN = ".omp";

/** If the nearest one has something in it but not what is wanted, that is the answer. */
function ownRoot(look: Look): readonly Root[] {
  const folder = look.place.upward.find(
    (one) => look.kindOf(one, OWN) === "folder" && !look.isEmpty(join(one, OWN)),
  );
  return folder === undefined ? [] : [{ path: join(folder, OWN), folder, level: "project" }];
}

interface Named {
  readonly name: string;
  readonly path: string;
}

function namesAt(spot: Spot, root: Root, look: Look): readonly Named[] {
  const kind = look.kindOf(root.path, spot.path);
  if (kind === undefined) return [];
  const path = join(root.path, spot.path);
  const given = spot.says?.["name"];
  switch (spot.shape) {
    case "file":
      return kind === "file" ? [{ name: given ?? basename(path), path }] : [];
    case "files":
      if (kind === "file" && given !== undefined) return [{ name: given, path }];
      if (kind === "file") throw new HostError("not-a-directory", "it is not a folder");
      return filesIn(path, spot.of ?? [], root, look);
    case "folders":
      return kind === "folder" ? foldersIn(path, spot.of ?? [], root, look) : [];
    case "listed":
      return listedIn(path, spot.of ?? [], look);
  }
}

function filesIn(folder: string, endings: readonly string[], root: Root, look: Look): Named[] {
  return look.entries(folder).flatMap(({ name, isFolder }) => {
    const path = `${folder}/${name}`;
    const ending = endings.find((one) => name.endsWith(one));
    if (isFolder || ending === undefined || isUnwanted(path, false, root, look)) return [];
    return [{ name: name.slice(0, -ending.length), path }];
  });
}

function foldersIn(folder: string, holding: readonly string[], root: Root, look: Look): Named[] {
  return look.entries(folder).flatMap(({ name, isFolder }) => {
    const path = `${folder}/${name}`;
    if (!isFolder || isUnwanted(path, true, root, look)) return [];
    const held = holding.find((file) => look.kindOf(path, file) === "file");
    return held === undefined ? [] : [{ name, path: join(path, held) }];
  });
}

/**
 * Only patterns for the entry itself count: a project that keeps its whole `.omp` out of git still
 * means what is in it. A person's own folders are no project.
 */
function isUnwanted(path: string, isFolder: boolean, { level }: Root, look: Look): boolean {
  return level === "project" && look.isIgnored(path, isFolder);
}

/** Paths that a JSON file lists; they count from its folder. */
function listedIn(path: string, [field = ""]: readonly string[], look: Look): Named[] {
  const document = Bun.JSONC.parse(look.text(path)) as Record<string, unknown> | null;
  const list = document?.[field];
  const paths = Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  return paths.map((one) => {
    const written = one.replace(/^~(?=\/)/, look.place.home);
    const full = isAbsolute(written) ? written : join(path, "..", written);
    return { name: basename(full).replace(/\.[jt]s$/, ""), path: full };
  });
}

/** Which bases are the person's own, for settings that switch them. */
export function levelOf(base: Base): Level {
  return base === "home" || base === "agent" || base === "plugins" ? "user" : "project";
}
