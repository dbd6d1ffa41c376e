/** The entries of a session as a tree in memory, and the place in it where the next one goes. */

import { UserError } from "@omp/std";
import type { SessionEntry } from "./entry.ts";
import { branchOf, treeOf, type TreeNode } from "./tree.ts";

export class EntryTree {
  readonly #entries: SessionEntry[];
  readonly #byId: Map<string, SessionEntry>;
  #leafId: string | null;

  constructor(entries: readonly SessionEntry[]) {
    this.#entries = [...entries];
    this.#byId = new Map();
    for (const entry of entries) this.#byId.set(entry.id, entry);
    this.#leafId = entries.at(-1)?.id ?? null;
  }

  get leafId(): string | null {
    return this.#leafId;
  }

  /** All branches, in the order of the file. */
  get entries(): readonly SessionEntry[] {
    return this.#entries;
  }

  entry(id: string): SessionEntry | undefined {
    return this.#byId.get(id);
  }

  /** Root to leaf: the active branch, or the one that ends at another entry. */
  branch(leafId: string | null = this.#leafId): readonly SessionEntry[] {
    return branchOf(this.#byId, leafId);
  }

  /** The roots, oldest first, with all that hangs under them. */
  tree(): readonly TreeNode[] {
    return treeOf(this.#entries);
  }

  /** The next entry goes under this one; under none it is a root. Nothing is written. */
  moveLeaf(id: string | null): void {
    if (id !== null && !this.#byId.has(id))
      throw new UserError("bad-input", `There is no entry ${id} in this session.`);
    this.#leafId = id;
  }

  protected add(entry: SessionEntry): void {
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    this.#leafId = entry.id;
  }
}
