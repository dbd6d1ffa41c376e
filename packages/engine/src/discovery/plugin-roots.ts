/** The roots of the plugins that Claude Code has installed, in the order of its list. */

import { HostError } from "@omp/host";
import { messageOf } from "@omp/std";
import { isAbsolute, join } from "node:path";
import type { Look } from "./look.ts";
import { isInside } from "./place.ts";

const LIST = ".claude/plugins/installed_plugins.json";

interface List {
  readonly plugins?: unknown;
}

interface Installed {
  readonly installPath?: unknown;
  /** Set for a plugin of one project. */
  readonly projectPath?: unknown;
}

/** @throws when the list is not JSON */
export function pluginRoots(look: Look): readonly string[] {
  const { home, cwd } = look.place;
  if (look.kindOf(home, LIST) !== "file") return [];
  const list = listAt(join(home, LIST), look);
  const plugins = Object.values(typeof list?.plugins === "object" ? (list.plugins ?? {}) : {});
  // Older lists have one installation of each, newer ones several.
  const installed = plugins.flat() as readonly (Installed | null)[];
  return installed.flatMap((one) => {
    const { installPath, projectPath } = one ?? {};
    if (typeof installPath !== "string" || !isAbsolute(installPath)) return [];
    if (typeof projectPath !== "string") return [installPath];
    return cwd === projectPath || isInside(cwd, projectPath) ? [installPath] : [];
  });
}

function listAt(path: string, look: Look): List | null {
  try {
    return JSON.parse(look.text(path)) as List | null;
  } catch (error) {
    throw new HostError("io", `${path}: ${messageOf(error)}`, { cause: error });
  }
}
