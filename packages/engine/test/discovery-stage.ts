/** A throw-away project and home, and what is discovered in them. */

import { workspace, type Workspace } from "@omp/testkit";
import { join } from "node:path";
import { Discovery, type Switches } from "../src/discovery/discovery.ts";
import type { Item, KindId } from "../src/discovery/item.ts";

export interface DiscoveryStage extends AsyncDisposable {
  readonly place: Workspace;
  /** Files by path: from the project, `~/` from the home, `agent/` from the person's own folder. */
  write(...files: readonly (string | readonly [path: string, text: string])[]): Promise<void>;
  at(path: string): string;
  /** Looks anew, from a folder below the project. */
  discovery(from?: string, switches?: Partial<Switches>): Discovery;
}

export async function discoveryStage({ git = true } = {}): Promise<DiscoveryStage> {
  const place = await workspace();
  if (git) await place.git("init", "-q");
  const at = (path: string) =>
    path.startsWith("~/")
      ? join(place.home, path.slice(2))
      : path.startsWith("agent/")
        ? join(place.home, ".omp", path)
        : join(place.path, path);
  return {
    place,
    at,
    async write(...files) {
      for (const file of files) {
        const [path, text] = typeof file === "string" ? [file, `text of ${file}`] : file;
        await place.write(at(path), text);
      }
    },
    discovery: (from = ".", switches = {}) =>
      new Discovery({
        place: () => ({
          cwd: join(place.path, from),
          home: place.home,
          agentDir: join(place.home, ".omp/agent"),
        }),
        switches: () => ({ sources: [], items: [], places: [], ...switches }),
      }),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

/** `source/level` of those that count. */
export function origins(discovery: Discovery, kind: KindId): readonly string[] {
  return discovery.find(kind).items.map(({ source, level }) => `${source}/${level}`);
}

export function names(discovery: Discovery, kind: KindId): readonly string[] {
  return discovery.find(kind).items.map(({ name }: Item) => name);
}
