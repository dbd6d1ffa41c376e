import { manualClock } from "@omp/testkit";
import { expect, test } from "bun:test";
import { createTiming, noTiming } from "./timing.ts";

test("spans inside of others are indented, in the order of their beginning", async () => {
  const clock = manualClock();
  const marks: string[] = [];
  const timing = createTiming({ clock, mark: (text) => void marks.push(text) });
  const passing = (ms: number) => async () => clock.advance(ms);
  await timing.span("outer", async () => {
    await timing.span("first", passing(2));
    await timing.span("second", passing(3.5));
  });
  const failing = timing.span("failing", () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(timing.tree()).toBe("outer 5.5 ms\n  first 2.0 ms\n  second 3.5 ms\nfailing 0.0 ms\n");
  expect(marks).toEqual([
    "outer:start",
    "first:start",
    "first:done",
    "second:start",
    "second:done",
    "outer:done",
    "failing:start",
    "failing:done",
  ]);
});

test("nothing is measured where nobody asks", async () => {
  expect(await noTiming.span("x", async () => 7)).toBe(7);
  expect(noTiming.tree()).toBe("");
});
