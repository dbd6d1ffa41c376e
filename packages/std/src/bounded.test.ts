/** Limits of bytes on text of any script. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { boundedText, countLines, headOf, tailOf } from "./bounded.ts";

describe("boundedText", () => {
  test("short text stays as it is", () => {
    const text = "é\nb";
    const whole = boundedText(text, { maxBytes: 4, keep: "head" });
    expect(whole).toEqual({ text, isCut: false, totalBytes: 4, totalLines: 2 });
  });

  test.each([
    ["head", "one\ntwo\n[... 10 bytes (2 lines) left out ...]"],
    ["tail", "[... 10 bytes (3 lines) left out ...]\ne\nfour"],
    ["both", "one\n[... 10 bytes (2 lines) left out ...]\nfour"],
  ] as const)("keeps the %s", (keep, text) => {
    const cut = boundedText("one\ntwo\nthree\nfour", { maxBytes: keep === "tail" ? 6 : 8, keep });
    const leftOut = keep === "tail" ? text.replace("10 bytes", "12 bytes") : text;
    expect(cut).toEqual({ text: leftOut, isCut: true, totalBytes: 18, totalLines: 4 });
  });

  test("head and tail are the longest that fit, whole characters only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, maxBytes) => {
        const [head, tail] = [headOf(text, maxBytes), tailOf(text, maxBytes)];
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        for (const part of [head, tail]) {
          expect(part.isWellFormed()).toBe(true);
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxBytes);
          const isLongest = part === text || Buffer.byteLength(part) > maxBytes - 4;
          expect(isLongest).toBe(true);
        }
      }),
    );
  });

  test("lines are counted as an editor does", () => {
    expect(["", "a", "a\n", "a\nb", "\n\n"].map(countLines)).toEqual([0, 1, 1, 2, 2]);
  });
});
