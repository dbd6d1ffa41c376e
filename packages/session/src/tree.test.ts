import { expect, test } from "bun:test";
import type { SessionEntry } from "./entry.ts";
import { branchOf, indexById, treeOf, type TreeNode } from "./tree.ts";

/** `a<b` is an entry `a` with the parent `b`; the order is the order in time. */
function entries(...shapes: string[]): SessionEntry[] {
  return shapes.map((shape, second) => {
    const [id = "", parentId = null] = shape.split("<");
    const timestamp = new Date(second * 1000).toISOString();
    return { type: "custom", customType: "test", id, parentId, timestamp };
  });
}

function outline(nodes: readonly TreeNode[]): string {
  return nodes
    .map(({ entry, children }) => entry.id + (children.length > 0 ? `(${outline(children)})` : ""))
    .join(" ");
}

function wayTo(leaf: string | null, all: readonly SessionEntry[]): string {
  return branchOf(indexById(all), leaf)
    .map(({ id }) => id)
    .join(" ");
}

test("SESS-42 entries with missing parents are roots, children are sorted, cycles end the walk", () => {
  const sound = entries("a", "b<a", "c<b", "d<a");
  expect(outline(treeOf(sound))).toBe("a(b(c) d)");
  expect(outline(treeOf(sound.toReversed()))).toBe("a(b(c) d)");
  expect(wayTo("c", sound)).toBe("a b c");
  expect(wayTo("d", sound)).toBe("a d");

  const torn = entries("a", "b<lost", "c<b");
  expect(outline(treeOf(torn))).toBe("a b(c)");
  expect(wayTo("c", torn)).toBe("b c");

  const circular = entries("x<a", "a<c", "b<a", "c<b", "self<self", "ok", "y<ok");
  expect(outline(treeOf(circular))).toBe("a(x b(c)) self ok(y)");
  expect(wayTo("c", circular)).toBe("a b c");
  expect(wayTo("self", circular)).toBe("self");

  const named = [
    ...entries("a", "b<a"),
    { type: "label", id: "l", parentId: "b", timestamp: "9", targetId: "a", label: "start" },
  ];
  expect(treeOf(named)[0]?.label).toBe("start");
  expect(treeOf(named)[0]?.children[0]).not.toHaveProperty("label");
});

test("no leaf and an unknown leaf are empty branches", () => {
  expect(wayTo(null, entries("a"))).toBe("");
  expect(wayTo("z", entries("a"))).toBe("");
});

test("SESS-28 a label names an entry until an absent or empty one clears it", () => {
  const label = (id: string, fields: object): SessionEntry => ({
    type: "label",
    id,
    parentId: "a",
    timestamp: id,
    targetId: "a",
    ...fields,
  });
  const [a] = entries("a");
  const nameAfter = (...labels: SessionEntry[]) => treeOf([a!, ...labels])[0]?.label;
  const [one, two] = [label("l1", { label: "one" }), label("l2", { label: "two" })];
  expect(nameAfter(one)).toBe("one");
  expect(nameAfter(one, two)).toBe("two");
  expect(nameAfter(one, two, label("l3", {}))).toBeUndefined();
  expect(nameAfter(one, label("l3", { label: "" }))).toBeUndefined();
});
