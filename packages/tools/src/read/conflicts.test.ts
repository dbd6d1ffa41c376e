/** Conflicts of a merge as things with a number. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createConflicts } from "../index.ts";
import { createWorkbench, type Workbench } from "../../test/workbench.ts";
import { conflictRegions } from "../shared/conflict-regions.ts";
import { read } from "./tool.ts";

let bench: Workbench;
beforeEach(() => {
  bench = createWorkbench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const block = (name: string, base = "") =>
  `<<<<<<< HEAD\n${name} ours\n${base}=======\n${name} theirs\n>>>>>>> branch\n`;

test("READ-13 :conflicts lists each conflict with a number and its lines", async () => {
  const path = bench.file("f", `top\n${block("a")}middle\n${block("b", "||||||| base\nb base\n")}`);
  const { text, details } = await bench.call(read, { path: "f:conflicts" });
  expect(text.split("\n").slice(0, 3)).toEqual([
    "2 unresolved conflicts in f",
    "#1 L2-L6  HEAD | branch",
    "#2 L8-L14  HEAD | branch, with base",
  ]);
  expect(details).toMatchObject({ conflictCount: 2, resolvedPath: path });
  writeFileSync(path, "resolved");
  const after = await bench.call(read, { path: "f:conflicts" });
  expect(after).toMatchObject({
    text: "No unresolved conflicts in f",
    details: { conflictCount: 0 },
  });
});

test("a conflict keeps its number while it is there, and no number comes twice", () => {
  const conflicts = createConflicts();
  const ids = (text: string, path = "/f") => conflicts.register(path, text).map(({ id }) => id);
  expect(ids(block("a") + block("b"))).toEqual([1, 2]);
  expect(ids(`new line\n${block("b")}`)).toEqual([2]);
  expect(conflicts.find(1)).toBeUndefined();
  expect(ids(block("a") + block("b"))).toEqual([3, 2]);
  expect(ids(block("a"), "/g")).toEqual([4]);
  expect(conflicts.all().map(({ id }) => id)).toEqual([2, 3, 4]);
});

test("sides are exact, also with CRLF and without a last line end; what is no whole conflict is text", () => {
  const [found] = conflictRegions("<<<<<<<\r\na\r\n|||||||\r\nb\r\n=======\r\nc\r\n>>>>>>>");
  expect(found).toMatchObject({ ours: "a\r\n", base: "b\r\n", theirs: "c\r\n", endLine: 7 });
  for (const text of [
    "<<<<<<< a\nx\n",
    "=======\n",
    "<<<<<<< a\n>>>>>>> b\n",
    "<<<<<<<<< a\n=======\n>>>>>>> b\n",
  ]) {
    expect(conflictRegions(text)).toEqual([]);
  }
  expect(conflictRegions(`<<<<<<< torn\n${block("a")}`)).toMatchObject([{ startLine: 2 }]);
});
