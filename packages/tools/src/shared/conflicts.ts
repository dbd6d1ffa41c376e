/** The conflicts that the model was told of, by number: what `conflict://1` stands for. Lives as long as its session. */

import { conflictRegions, type ConflictRegion } from "./conflict-regions.ts";

export interface Conflict extends ConflictRegion {
  readonly id: number;
  /** Absolute. */
  readonly path: string;
}

export interface Conflicts {
  /** Those in this text of the file. A conflict that is still there keeps its number; one that is gone loses it. */
  register(path: string, text: string): readonly Conflict[];
  /** As it was when it was told of. */
  find(id: number): Conflict | undefined;
  /** In the order of their numbers. */
  all(): readonly Conflict[];
}

export function createConflicts(): Conflicts {
  const known = new Map<number, Conflict>();
  let last = 0;
  return {
    register(path, text) {
      const before = [...known.values()].filter((conflict) => conflict.path === path);
      for (const { id } of before) known.delete(id);
      const found = conflictRegions(text).map((region): Conflict => {
        const same = before.findIndex((conflict) => conflict.text === region.text);
        const [old] = same === -1 ? [] : before.splice(same, 1);
        return { ...region, path, id: old?.id ?? ++last };
      });
      for (const conflict of found) known.set(conflict.id, conflict);
      return found;
    },
    find: (id) => known.get(id),
    all: () => [...known.values()].toSorted((a, b) => a.id - b.id),
  };
}

/** Where a conflict is in the text of now; undefined when somebody has changed it. */
export function regionIn(text: string, conflict: Conflict): ConflictRegion | undefined {
  const same = conflictRegions(text).filter((region) => region.text === conflict.text);
  // Of several alike the one that is nearest to where it was.
  return same.toSorted(
    (a, b) =>
      Math.abs(a.startLine - conflict.startLine) - Math.abs(b.startLine - conflict.startLine),
  )[0];
}
