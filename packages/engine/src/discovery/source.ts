/** What a source is: a tool whose files are understood, as data. */

import type { KindId } from "./item.ts";

export interface Source {
  /** Also what `disabledProviders` calls it. */
  readonly id: string;
  readonly name: string;
  /** Higher is stronger; equal ones count in the order of the registry. */
  readonly priority: number;
  /** Where it keeps things, the stronger place first. */
  readonly spots: Readonly<Partial<Record<KindId, readonly Spot[]>>>;
}

/** Where a spot's path counts from. Those of the person are `home` and `agent`. */
export type Base =
  | "home"
  /** `~/.omp/agent` */
  | "agent"
  | "cwd"
  /** The nearest folder, going up to the root of the repository, that has the path. */
  | "nearest"
  /** The nearest `.omp`, going up, that has anything in it. */
  | "own"
  /** The folder and those above it, to the root of the repository. */
  | "upward"
  /** The same, and further on below the person's home. Hidden folders are passed over. */
  | "open"
  /** The roots of Claude's installed plugins. */
  | "plugins";

export interface Spot {
  readonly base: Base;
  /** The file itself, the files in a folder, a file in each of its folders, or names listed in a file. */
  readonly shape: "file" | "files" | "folders" | "listed";
  readonly path: string;
  /** Of `files`: how their names end. Of `folders`: the file that each must have. */
  readonly of?: readonly string[];
  readonly says?: Readonly<Record<string, string>>;
}

type Says = Spot["says"] & { readonly name?: string };

export function file(base: Base, path: string, says: Says = {}): Spot {
  return { base, shape: "file", path, says };
}

export function files(base: Base, path: string, endings: readonly string[], says: Says = {}): Spot {
  return { base, shape: "files", path, of: endings, says };
}

export function folders(base: Base, path: string, holding: readonly string[]): Spot {
  return { base, shape: "folders", path, of: holding };
}

/** A JSON file whose list `field` names paths. */
export function listed(base: Base, path: string, field: string): Spot {
  return { base, shape: "listed", path, of: [field] };
}
