/** Reading requirement rows and the claims of tests. */

import { expect, test } from "bun:test";
import { missing, readClaims, readRows, summary } from "./spec.ts";

const rows = readRows(
  "bash.md",
  `# Bash
| id | requirement | source | level |
|----|-------------|--------|-------|
| BASH-01 | runs a command | docs | M |
| \`BASH-02\` | has a | b | timeout | docs | S |
| BASH-R03a | colours | docs | N? |
| not-a-row | x | M |`,
);

test("a row has an id, a text and a level; what is neither S nor N is M", () => {
  expect(rows.map(({ id, level, text }) => [id, level, text])).toEqual([
    ["BASH-01", "M", "runs a command"],
    ["BASH-02", "S", "has a"],
    ["BASH-R03a", "N", "colours"],
  ]);
});

// The word and the rest stand apart, or this file would claim these ids itself.
test.each([
  ["test", `("AA-01 AA-02 text", () => {})`, ["AA-01", "AA-02"]],
  ["it", ".concurrent(`AA-01: text`, f)", ["AA-01"]],
  ["test", `.each([1, 2])(\n  "AA-01, AA-02b %d", f)`, ["AA-01", "AA-02b"]],
  ["describe", `('AA-X01', f)`, ["AA-X01"]],
  ["  ids", `: ["AA-01", "AA-02"],`, ["AA-01", "AA-02"]],
  ["  id", `: "AA-01",`, ["AA-01"]],
  ["test", `("text about AA-01", f)`, []],
  ["contest", `("AA-01", f)`, []],
])("%s%s claims %p", (word, rest, ids) => {
  expect(readClaims(word + rest)).toEqual(ids);
});

test("the summary counts per file and level, and names ids that no row has", () => {
  const claims = { claimed: new Set(["BASH-02", "NO-99"]), waiting: new Set(["BASH-01"]) };
  expect(summary(rows, claims).map((line) => line.replace(/ +/g, " "))).toEqual([
    "bash.md M 0/1 S 1/1 N 0/1 M waiting 1",
    "ids that no row has: NO-99",
    "all M 0/1 S 1/1 N 0/1 M waiting 1",
  ]);
});

test("missing rows are M, neither claimed nor waiting, found by file or by id", () => {
  const none = { claimed: new Set<string>(), waiting: new Set<string>() };
  expect(missing(rows, none, "bash").map((row) => row.id)).toEqual(["BASH-01"]);
  expect(missing(rows, none, "BASH").map((row) => row.id)).toEqual(["BASH-01"]);
  expect(missing(rows, none, "BAS")).toEqual([]);
  expect(missing(rows, { ...none, waiting: new Set(["BASH-01"]) }, "bash")).toEqual([]);
});
