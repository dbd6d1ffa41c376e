/** The quick look against a slow one. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { measure } from "./measure.ts";

test("every byte counts, wherever it stands in its word", () => {
  const byte = fc.oneof(fc.constantFrom(0x0a, 0x09, 0x20, 0x7e), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 40 }),
      fc.nat(7),
      fc.nat(100),
      (values, offset, column) => {
        const bytes = new Uint8Array([...Array.from({ length: offset }, () => 7), ...values]);
        const lines = values
          .map((value) => (value === 0x0a ? "\n" : "x"))
          .join("")
          .split("\n");
        const lengths = lines.map((line, index) => line.length + (index === 0 ? column : 0));
        const { longestLine, ...rest } = measure(bytes.subarray(offset), column);
        expect(rest).toEqual({
          isPlain: values.every(
            (value) => value === 0x0a || value === 0x09 || (value >= 0x20 && value < 0x7f),
          ),
          lineFeeds: lines.length - 1,
          column: lengths.at(-1)!,
        });
        // The shortest of lines may be passed over.
        const longest = Math.max(...lengths);
        expect(longest < 4 ? Math.min(longestLine, 3) <= 3 : longestLine).toBe(
          longest < 4 ? true : longest,
        );
      },
    ),
    { numRuns: 3000, seed: 1 },
  );
});
