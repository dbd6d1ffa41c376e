/** Which word was meant. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { editDistance, nearest } from "./nearest.ts";

describe("nearest", () => {
  test.each([
    ["modle", "model"],
    ["thinkng", "thinking"],
    ["xyzzy", undefined],
  ])("%s is meant to be %s", (word, meant) => {
    expect(nearest(word, ["medal", "model", "thinking"])).toBe(meant);
  });

  test("distance counts swaps as one edit and is symmetric", () => {
    expect(editDistance("ab", "ba")).toBe(1);
    expect(editDistance("", "abc")).toBe(3);
    const word = fc.string({ maxLength: 8 });
    fc.assert(fc.property(word, word, (a, b) => editDistance(a, b) === editDistance(b, a)));
  });
});
