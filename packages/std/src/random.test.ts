/** Sequences that can be repeated. */

import { describe, expect, test } from "bun:test";
import { seededRandom, systemRandom } from "./random.ts";

describe("random", () => {
  test("the same seed gives the same sequence, another seed another", () => {
    const sequence = (seed: number) => [...seededRandom(seed).bytes(16)];
    expect(sequence(7)).toEqual(sequence(7));
    expect(sequence(7)).not.toEqual(sequence(8));
  });

  test("numbers are in [0, 1)", () => {
    for (const random of [systemRandom, seededRandom(1)]) {
      for (let count = 0; count < 1000; count++) {
        const number = random.next();
        expect(number >= 0 && number < 1).toBe(true);
      }
    }
  });
});
