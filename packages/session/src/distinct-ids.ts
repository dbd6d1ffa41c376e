/** Gives every entry an id of its own. Pure: two readers of one file agree on the ids. */

import type { SessionEntry } from "./entry.ts";
import type { LineProblem } from "./problem.ts";

interface Placed {
  readonly row: { readonly line: number };
  readonly entry: SessionEntry;
}

/** Of entries with the same id the later ones get another, and who names it after them means them. */
export function distinctIds<Item extends Placed>(
  placed: readonly Item[],
  /** Of all entries; those that are given out join them. */
  ids: Set<string>,
  problems: LineProblem[],
): readonly Item[] {
  if (ids.size === placed.length) return placed;
  const seen = new Set<string>();
  const renamed = new Map<string, string>();
  return placed.map((item) => {
    const { id: oldId, parentId: oldParent } = item.entry;
    const parentId = oldParent === null ? null : (renamed.get(oldParent) ?? oldParent);
    let id = oldId;
    if (seen.has(oldId)) {
      id = freshId(oldId, ids);
      ids.add(id);
      renamed.set(oldId, id);
      problems.push({ line: item.row.line, kind: "duplicate-id" });
    }
    seen.add(oldId);
    if (id === oldId && parentId === oldParent) return item;
    return { ...item, entry: { ...item.entry, id, parentId } };
  });
}

function freshId(id: string, taken: ReadonlySet<string>): string {
  for (let round = 2; ; round++) {
    const hash = Bun.hash.xxHash32(`${id}:${round}`).toString(16).padStart(8, "0");
    if (!taken.has(hash)) return hash;
  }
}
