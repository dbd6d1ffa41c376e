/** What the sanitizer lets through, and that cutting its input changes nothing. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createSanitizer, sanitize, sanitizeLine } from "./sanitize.ts";

describe("sanitize", () => {
  test.each([
    ["colours", "\x1b[1;31mred\x1b[0m", "red"],
    ["private modes", "a\x1b[?1049hb\x1b[?25lc", "abc"],
    ["CSI with intermediates", "a\x1b[2 qb", "ab"],
    ["OSC ended by BEL", "a\x1b]0;title\x07b", "ab"],
    ["OSC ended by ST", "a\x1b]52;c;aGk=\x1b\\b", "ab"],
    ["OSC ended by C1 ST", "a\x1b]8;;http://x\x9cb", "ab"],
    ["DCS", "a\x1bP$qm\x1b\\b", "ab"],
    ["APC", "a\x1b_Gf=100;AAAA\x1b\\b", "ab"],
    ["PM and SOS", "a\x1b^x\x1b\\b\x1bXy\x1b\\c", "abc"],
    ["SS2 and SS3", "a\x1bNxb\x1bOPc", "abc"],
    ["two-byte", "a\x1bcb\x1b7c\x1b=d", "abcd"],
    ["designator", "a\x1b(Bb\x1b#8c", "abc"],
    ["C1 CSI", "a\x9b31mb", "ab"],
    ["C1 OSC", "a\x9d0;t\x07b", "ab"],
    ["C1 alone", "a\x84b\x85c", "abc"],
    ["ESC at the end", "a\x1b", "a"],
    ["ESC ESC CSI", "a\x1b\x1b[31mb", "ab"],
    ["CSI broken by a letter outside ASCII", "a\x1b[31é", "aé"],
    ["OSC cancelled by CAN", "a\x1b]0;x\x18b", "ab"],
    ["C0 and DEL", "a\x00\x07\x08\x0b\x0c\x7fb", "ab"],
    ["tab and line feed stay", "a\tb\nc", "a\tb\nc"],
    ["CRLF", "a\r\nb", "a\nb"],
    ["a lone CR cannot overwrite", "rm -rf /\rls", "rm -rf /ls"],
    ["bidi", "a\u202eb\u2066c\u200ed\u061ce", "abcde"],
    ["tags", "a\u{e0041}\u{e007f}b", "ab"],
    ["zero width", "\ufeffa\u200bb\u2060c\u2064d\ufeff", "abcd"],
    ["joiners stay in an emoji", "👩‍👩‍👧 ❤️‍🔥", "👩‍👩‍👧 ❤️‍🔥"],
    ["ZWNJ stays in Persian", "می‌خواهم", "می‌خواهم"],
    ["joiners go between ASCII letters", "a\u200db\u200cc", "abc"],
    ["a run of joiners becomes one", "क\u200d\u200d\u200cष", "क\u200dष"],
    ["a joiner that joins nothing goes", "é\u200d", "é"],
    ["keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3"],
    ["a selector after a letter goes", "a\ufe0fb", "ab"],
    ["hidden bytes in a run of selectors", "😀\u{e0101}\u{e0102}\u{e0103}", "😀\u{e0101}"],
    ["lone surrogates", "a\ud83db\ude00", "a\ufffdb\ufffd"],
  ])("%s", (_, input, output) => expect(sanitize(input)).toBe(output));

  test("clean text is returned as it is", () => {
    const text = "plain 日本語 😀 text\n";
    expect(sanitize(text)).toBe(text);
  });

  test("an unterminated string ends with its line", () => {
    expect(sanitize("a\x1b]0;never ended\nnext line")).toBe("a\nnext line");
  });

  test("an unterminated string on one line ends after 8192 characters", () => {
    expect(sanitize(`a\x1b]${"x".repeat(8191)}b`)).toBe("ab");
  });

  test("a line stays one line", () => {
    expect(sanitizeLine("a\nb\tc\r\nd\u2028e\x1b[2J")).toBe("a b c d e");
  });
});

/** Text made of what is dangerous, so that sequences and their splits are met often. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."\x1b[]PX^_NO\\()#m;?0 1aé\n\r\t\x07\x18\x1a\x00\x7f\x9b\x9c\x9d\x90\x8f",
        ..."\u200b\u200c\u200d\u202e\ufe0f\ufeff",
        "\u{e0041}",
        "\u{e0101}",
        "😀",
        "\ud83d",
        "\ude00",
        "x".repeat(5000),
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("properties", () => {
  test("pieces give the same as the whole", () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(60), { maxLength: 8 }), (text, sizes) => {
        const sanitizer = createSanitizer();
        let out = "";
        let at = 0;
        for (const size of sizes) {
          out += sanitizer.push(text.slice(at, at + size));
          at += size;
        }
        out += sanitizer.push(text.slice(at)) + sanitizer.end();
        expect(out).toBe(sanitize(text));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  test("unit by unit gives the same as the whole", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const sanitizer = createSanitizer();
        let out = "";
        for (let at = 0; at < text.length; at++) out += sanitizer.push(text[at]!);
        expect(out + sanitizer.end()).toBe(sanitize(text));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test("nothing dangerous comes out, and clean text stays as it is", () => {
    const dangerous =
      /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\u{e0000}-\u{e007f}]/u;
    fc.assert(
      fc.property(hostile, (text) => {
        const out = sanitize(text);
        expect(out).not.toMatch(dangerous);
        expect(sanitize(out)).toBe(out);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});
