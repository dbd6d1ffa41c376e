import { expect, test } from "bun:test";
import { routeTyped } from "./typed.ts";

const cases: [string, ReturnType<typeof routeTyped>["kind"], string, boolean][] = [
  ["fix the bug", "prompt", "fix the bug", false],
  ["!ls -la", "bash", "ls -la", false],
  ["! ls", "bash", "ls", false],
  ["!!env", "bash", "env", true],
  ["!", "prompt", "!", false],
  ["!!", "prompt", "!!", false],
  ["$print(1)", "python", "print(1)", false],
  ["$ 1 + 1", "python", "1 + 1", false],
  ["$_x = 1", "python", "_x = 1", false],
  ["$$5 * 5", "python", "5 * 5", true],
  ["$5 is too much", "prompt", "$5 is too much", false],
  ["$HOME is empty", "prompt", "$HOME is empty", false],
  ["$PATH", "prompt", "$PATH", false],
  ["${x} fails", "prompt", "${x} fails", false],
  ["$(date) is wrong", "prompt", "$(date) is wrong", false],
  ["$N = 3", "prompt", "$N = 3", false],
  ["wow! really", "prompt", "wow! really", false],
];

test.each(cases)("%j is a %s", (typed, kind, text, isExcluded) => {
  expect(routeTyped(typed)).toEqual({ kind, text, isExcluded });
});
