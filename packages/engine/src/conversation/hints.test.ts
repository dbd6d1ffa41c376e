import { expect, test } from "bun:test";
import { Hints } from "./hints.ts";

test("a reminder is taken once; a forced tool stays until its request is answered", () => {
  const hints = new Hints();
  hints.remind("first");
  hints.force({ name: "todo" }, "call todo");
  expect(hints.takeReminders()).toEqual(["first", "call todo"]);
  expect(hints.takeReminders()).toEqual([]);
  expect([hints.sendChoice(), hints.sendChoice()]).toEqual([{ name: "todo" }, { name: "todo" }]);
  hints.answered();
  expect(hints.sendChoice()).toBeUndefined();
});

test("what was forced while an answer was on its way is for the next request", () => {
  const hints = new Hints();
  hints.sendChoice();
  hints.force("required", "call something");
  hints.answered();
  expect(hints.sendChoice()).toBe("required");
});

test("nothing is left after a change of session", () => {
  const hints = new Hints();
  hints.force("none", "no tools");
  hints.clear();
  expect([hints.takeReminders(), hints.sendChoice()]).toEqual([[], undefined]);
});
