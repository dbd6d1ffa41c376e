/** Entries as a tree. Pure; survives every damage: missing parents make roots, cycles end the walk. */

import { fieldsOf, type SessionEntry } from "./entry.ts";

export type EntryIndex = ReadonlyMap<string, SessionEntry>;

export interface TreeNode {
  readonly entry: SessionEntry;
  /** The name a person gave to this point. */
  readonly label?: string;
  /** Oldest first. */
  readonly children: readonly TreeNode[];
}

export function indexById(entries: Iterable<SessionEntry>): EntryIndex {
  const index = new Map<string, SessionEntry>();
  for (const entry of entries) index.set(entry.id, entry);
  return index;
}

/** The way from the root to the leaf; empty when there is no such leaf. */
export function branchOf(index: EntryIndex, leafId: string | null): SessionEntry[] {
  const branch: SessionEntry[] = [];
  let entry = index.get(leafId ?? "");
  // A walk that is longer than there are entries goes in a circle.
  while (entry && branch.length <= index.size) {
    branch.push(entry);
    entry = index.get(entry.parentId ?? "");
  }
  return (branch.length > index.size ? once(branch) : branch).reverse();
}

/** Up to where the circle closes. */
function once(walk: readonly SessionEntry[]): SessionEntry[] {
  return [...new Set(walk)];
}

/** Every entry once, under its parent; the roots oldest first. */
export function treeOf(entries: readonly SessionEntry[]): readonly TreeNode[] {
  const labels = labelsOf(entries);
  const nodes = entries.map((entry): GrowingNode => {
    const label = labels.get(entry.id);
    return { entry, children: [], ...(label !== undefined && { label }) };
  });
  const parents = parentsOf(nodes);
  const roots: TreeNode[] = [];
  for (const node of nodes) (parents.get(node)?.children ?? roots).push(node);
  for (const { children } of nodes) children.sort(byAge);
  return roots.sort(byAge);
}

interface GrowingNode extends TreeNode {
  readonly children: TreeNode[];
}

/** The parent of each node that has one. A cycle is cut where the walk up from its oldest entry closes. */
function parentsOf(nodes: readonly GrowingNode[]): ReadonlyMap<TreeNode, GrowingNode> {
  const byId = new Map(nodes.map((node) => [node.entry.id, node]));
  const parents = new Map<TreeNode, GrowingNode>();
  for (const node of nodes) {
    const parent = byId.get(node.entry.parentId ?? "");
    if (parent) parents.set(node, parent);
  }
  const done = new Set<TreeNode>();
  for (const node of nodes) {
    const path = new Set<TreeNode>();
    let at: TreeNode | undefined = node;
    while (at && !done.has(at) && !path.has(at)) {
      path.add(at);
      at = parents.get(at);
    }
    if (at && path.has(at)) parents.delete(at);
    for (const passed of path) done.add(passed);
  }
  return parents;
}

/** The names in force by entry; a later label replaces an earlier one, an empty one takes it away. */
export function labelsOf(entries: readonly SessionEntry[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const entry of entries) {
    if (entry.type !== "label") continue;
    const { targetId, label } = fieldsOf(entry);
    if (typeof targetId !== "string") continue;
    if (typeof label === "string" && label !== "") labels.set(targetId, label);
    else labels.delete(targetId);
  }
  return labels;
}

/** ISO times sort as text. */
function byAge(a: TreeNode, b: TreeNode): number {
  if (a.entry.timestamp === b.entry.timestamp) return 0;
  return a.entry.timestamp < b.entry.timestamp ? -1 : 1;
}
