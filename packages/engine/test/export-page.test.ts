/** The parts of the exported page that decide: changed lines, the tree and its list. */

import { expect, test } from "bun:test";
import { linesBetween, linesOfDiff } from "../page/lines.ts";
import { passes, rowsOf } from "../page/rows.ts";
import { branchTo, leafBelow, sessionOf, totalsOf } from "../page/session.ts";

test("changes are shown with the lines around them, the rest as a gap", () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const after = before.with(15, "changed");
  const lines = linesBetween(before.join("\n"), after.join("\n"));
  expect(lines.map(({ kind }) => kind)).toEqual([
    ...["gap", "same", "same", "same"],
    ...["removed", "added"],
    ...["same", "same", "same", "gap"],
  ] as never);
});

test("a diff that a tool wrote is taken as it is", () => {
  expect(linesOfDiff("@@ -1 +1 @@\n-a\n+b\n c").map(({ kind, text }) => `${kind}:${text}`)).toEqual(
    ["gap:@@ -1 +1 @@", "removed:a", "added:b", "same:c"],
  );
});

const entry = (id: string, parentId: string | null, role = "user", more: object = {}) => ({
  type: "message",
  id,
  parentId,
  message: { role, content: `words of ${id}`, ...more },
});

test("a tree with two ways: branches, the newest leaf below, indented rows", () => {
  const session = sessionOf({
    leafId: "c",
    entries: [entry("a", null), entry("b", "a", "assistant"), entry("c", "a"), entry("d", "b")],
  });
  expect(branchTo(session, "d").map(({ id }) => id)).toEqual(["a", "b", "d"]);
  expect(leafBelow(session, "b")).toBe("d");
  const rows = rowsOf(session);
  expect(rows.map((row) => `${row.entry.id} ${row.depth}`)).toEqual(["a 0", "b 1", "d 1", "c 1"]);
  expect(rows.filter((row) => passes(row, "user")).map((row) => row.entry.id)).toEqual([
    "a",
    "d",
    "c",
  ]);
});

test("damage does not stop the page: cycles, lost parents, entries and fields of any shape", () => {
  const session = sessionOf({
    entries: [
      entry("a", "b"),
      entry("b", "a"),
      entry("lost", "nobody"),
      null,
      7,
      { id: "x" },
      { type: "label", id: "l", parentId: "lost", targetId: 5 },
    ],
    leafId: 12,
  });
  expect(branchTo(session, "a").map(({ id }) => id)).toEqual(["b", "a"]);
  expect(leafBelow(session, "a")).toBeString();
  expect(rowsOf(session).map((row) => row.entry.id)).toEqual(["lost"]);
  expect(totalsOf(session.entries).cost).toBe(0);
});

test("ten thousand entries in a row are no recursion", () => {
  const entries = Array.from({ length: 10_000 }, (_, i) =>
    entry(`e${i}`, i === 0 ? null : `e${i - 1}`),
  );
  expect(rowsOf(sessionOf({ entries, leafId: "e9999" }))).toHaveLength(10_000);
});
