/** Long output in bounded space. */

import { describe, expect, test } from "bun:test";
import { countLines } from "@omp/std";
import fc from "fast-check";
import { createOutputWindow } from "./output-window.ts";

const encoder = new TextEncoder();

/** The same bytes, cut anywhere. */
function windowOf(text: string, sizes: readonly number[], maxBytes: number) {
  const window = createOutputWindow({ maxBytes });
  const bytes = encoder.encode(text);
  let at = 0;
  for (const size of sizes) {
    window.push(bytes.subarray(at, at + size));
    at += size;
  }
  window.push(bytes.subarray(at));
  return window.finish();
}

describe("output window", () => {
  test("short output is complete and clean", () => {
    expect(windowOf("a\x1b[31mb\x1b[0m\r\né\n", [2, 3, 7], 100)).toEqual({
      text: "ab\né\n",
      isTruncated: false,
      totalBytes: 6,
      totalLines: 2,
      outputBytes: 6,
      outputLines: 2,
    });
  });

  test("STOR-23 above the limit head and tail stay, with a mark of what was left out", () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `${index}`.padStart(4, "0")).join(
      "\n",
    );
    const summary = windowOf(text, [70_000, 70_000], 51_200);
    expect(summary.isTruncated).toBe(true);
    expect(summary.outputBytes).toBeLessThan(51_200 + 100);
    expect(summary.text.startsWith("0000\n0001\n")).toBe(true);
    expect(summary.text.endsWith("39998\n39999")).toBe(true);
    expect(summary.text).toMatch(/\n\[\.\.\. \d+ bytes \(\d+ lines\) left out \.\.\.\]\n/);
  });

  test("STOR-24 STOR-29 no character is split, and the counts are real", () => {
    const unit = fc.constantFrom("a", "é", "日", "😀", "\n");
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 300 }),
        fc.array(fc.nat(40), { maxLength: 20 }),
        fc.integer({ min: 8, max: 200 }),
        (text, sizes, maxBytes) => {
          const summary = windowOf(text, sizes, maxBytes);
          expect(summary.totalBytes).toBe(encoder.encode(text).length);
          expect(summary.totalLines).toBe(countLines(text));
          expect(summary.outputBytes).toBe(encoder.encode(summary.text).length);
          expect(summary.outputLines).toBe(countLines(summary.text));
          expect(summary.text).not.toContain("\ufffd");
          expect(summary.isTruncated).toBe(summary.totalBytes > maxBytes);
          if (!summary.isTruncated) return expect(summary.text).toBe(text);
          const [head, tail] = summary.text.split(/\n?\[\.\.\. .* left out \.\.\.\]\n/);
          expect(text.startsWith(head!)).toBe(true);
          expect(text.endsWith(tail!)).toBe(true);
          const kept = encoder.encode(head! + tail!).length;
          expect(kept).toBeLessThanOrEqual(maxBytes);
          expect(kept).toBeGreaterThan(maxBytes - 8);
        },
      ),
    );
  });

  test("bytes that are not UTF-8 become replacement characters", () => {
    const window = createOutputWindow();
    window.push(Uint8Array.of(0x61, 0x9d, 0xe6, 0x97));
    expect(window.finish().text).toBe("a\ufffd\ufffd");
  });

  test("the newest part can be looked at while output comes", () => {
    const window = createOutputWindow({ maxBytes: 40 });
    for (let count = 0; count < 50; count++) window.push(encoder.encode(`line ${count}\n`));
    expect(window.newest(8)).toBe("line 49\n");
  });
});
