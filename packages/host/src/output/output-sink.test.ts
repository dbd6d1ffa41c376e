/** Output of any length and shape, cut anywhere: what the model sees, and what is kept. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { countLines, sanitize } from "@omp/std";
import fc from "fast-check";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOutputSink, type OutputLimits, type OutputSinkOptions } from "./output-sink.ts";
import { spillInto, type SpillPlace } from "./spill.ts";

const encoder = new TextEncoder();
let folder: string;
let place: SpillPlace;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "omp-output-"));
  place = {
    reserve: () => Promise.resolve({ id: "7", path: join(folder, "7.test.log") }),
    keep: () => undefined,
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

const kept = () => readFileSync(join(folder, "7.test.log"), "utf8");
const withSpill = (limits: Partial<OutputLimits> = {}): OutputSinkOptions => ({
  limits,
  openSpill: spillInto(place, "test"),
});

/** The same bytes, cut anywhere. */
async function summaryOf(
  content: string | Uint8Array,
  options: OutputSinkOptions = {},
  sizes: readonly number[] = [],
) {
  const sink = createOutputSink(options);
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  let at = 0;
  for (const size of sizes) {
    await sink.push(bytes.subarray(at, at + size));
    at += size;
  }
  await sink.push(bytes.subarray(at));
  return sink.finish();
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");

describe("what the model sees", () => {
  test("STOR-21 output is cleaned, whatever is cut where", async () => {
    expect(await summaryOf("a\x1b[31mb\x1b[0m\r\né\n", withSpill(), [2, 3, 7])).toEqual({
      output: "ab\né\n",
      truncated: false,
      headLines: 0,
      cutLines: 0,
      totalBytes: 6,
      totalLines: 2,
      outputBytes: 6,
      outputLines: 2,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("STOR-23 above the limit only the end stays", async () => {
    const text = numbered(20_000);
    const summary = await summaryOf(text, {}, [70_000, 70_000]);
    expect(summary.truncated).toBe(true);
    expect(summary.outputBytes).toBeLessThanOrEqual(51_200);
    expect(summary.outputBytes).toBeGreaterThan(51_100);
    expect(text.endsWith(`\n${summary.output}`)).toBe(true);
    expect(summary.output).toStartWith("line ");
  });

  test("STOR-23 SET-068 with a head both ends stay, and a mark of what was left out", async () => {
    const text = numbered(20_000);
    const summary = await summaryOf(text, withSpill({ headBytes: 20_480, tailBytes: 20_480 }));
    const [head, tail, ...more] = summary.output.split(/\n\[\.\.\. (?:.*) left out \.\.\.\]\n/);
    expect(more).toEqual([]);
    expect(text.startsWith(head!) && text.endsWith(tail!)).toBe(true);
    const [, bytes, lines] = /\[\.\.\. (\d+) bytes \((\d+) lines\)/.exec(summary.output)!;
    const leftOut = text.length - head!.length - tail!.length;
    // The line feed before the mark may be one of the head's own.
    expect([leftOut, leftOut - 1]).toContain(Number(bytes));
    expect(Number(lines)).toBe(20_000 - countLines(head!) - countLines(tail!));
    expect(summary.headLines).toBe(countLines(head!));
  });

  test("SET-070 a limit of lines keeps the last ones", async () => {
    const summary = await summaryOf(numbered(2000), withSpill({ tailLines: 500 }));
    expect(summary).toMatchObject({ truncated: true, truncatedBy: "lines", outputLines: 500 });
    expect(summary.output).toStartWith("line 1500\n");
    expect(kept()).toBe(numbered(2000));
    expect(await summaryOf(numbered(500), { limits: { tailLines: 500 } })).toMatchObject({
      truncated: false,
    });
  });

  test("STOR-24 STOR-29 no character is split, and the counts are real", async () => {
    const unit = fc.constantFrom("a", "é", "日", "😀", "\n", "\t");
    const limits = fc.record({
      spillThreshold: fc.integer({ min: 8, max: 200 }),
      headBytes: fc.constantFrom(0, 7, 50),
      maxColumns: fc.constantFrom(0, 5, 40),
    });
    const cuts = fc.array(fc.nat(40), { maxLength: 20 });
    const property = fc.asyncProperty(
      fc.string({ unit, maxLength: 300 }),
      cuts,
      limits,
      async (text, sizes, given) => {
        const tailBytes = given.spillThreshold;
        const summary = await summaryOf(text, withSpill({ ...given, tailBytes }), sizes);
        expect(summary.totalBytes).toBe(encoder.encode(text).length);
        expect(summary.totalLines).toBe(countLines(text));
        expect(summary.outputBytes).toBe(encoder.encode(summary.output).length);
        expect(summary.outputLines).toBe(countLines(summary.output));
        expect(summary.output).not.toContain("\ufffd");
        const isCut = summary.truncated || summary.cutLines > 0;
        if (!isCut) return expect(summary.output).toBe(text);
        expect(kept()).toBe(text);
        expect(summary.outputBytes).toBeLessThanOrEqual(given.headBytes + tailBytes + 60);
      },
    );
    await fc.assert(property, { numRuns: 300, seed: 1 });
  });

  test("cutting and skipping the sanitizer changes nothing", async () => {
    const unit = fc.constantFrom(
      "a",
      " ",
      "\n",
      "\x1b",
      "[",
      "3",
      "m",
      "]",
      "\x07",
      "é",
      "\u200d",
      "\ufe0f",
      "\r",
      "😀",
    );
    const property = fc.asyncProperty(
      fc.string({ unit, maxLength: 80 }),
      fc.array(fc.nat(9), { maxLength: 20 }),
      async (text, sizes) => {
        const limits = { maxColumns: 0 };
        expect((await summaryOf(text, { limits }, sizes)).output).toBe(sanitize(text));
      },
    );
    await fc.assert(property, { numRuns: 1000, seed: 1 });
  });

  test("bytes that are not UTF-8 become replacement characters", async () => {
    const bytes = Uint8Array.of(0x61, 0x9d, 0xe6, 0x97);
    expect((await summaryOf(bytes)).output).toBe("a\ufffd\ufffd");
  });

  test("STOR-25 SET-066 a long line is cut, the artifact keeps it whole", async () => {
    const line = "x".repeat(1_000_000);
    const text = `short\n${line}\n${"é".repeat(500)}\nend\n`;
    const summary = await summaryOf(text, withSpill(), [400_000, 400_000]);
    expect(summary.output).toBe(`short\n${"x".repeat(768)}…\n${"é".repeat(384)}…\nend\n`);
    expect(summary).toMatchObject({ cutLines: 2, truncated: false, artifactId: "7" });
    expect(kept()).toBe(text);
  });

  test("the newest part can be looked at while output comes", async () => {
    const sink = createOutputSink();
    for (let count = 0; count < 50; count++) await sink.push(encoder.encode(`line ${count}\n`));
    expect(sink.newest(8)).toBe("line 49\n");
  });
});

describe("what is kept", () => {
  test("STOR-26 STOR-27 as soon as anything is cut, everything goes to the artifact", async () => {
    const text = numbered(7000);
    const summary = await summaryOf(`\x1b[31m${text}\x1b[0m`, withSpill(), [10, 30_000, 30_000]);
    expect(new Bun.CryptoHasher("sha256").update(kept()).digest("hex")).toBe(
      new Bun.CryptoHasher("sha256").update(text).digest("hex"),
    );
    expect(summary).toEqual({
      output: text.slice(-summary.outputBytes),
      truncated: true,
      truncatedBy: "bytes",
      headLines: 0,
      cutLines: 0,
      totalLines: 7000,
      totalBytes: text.length,
      outputLines: countLines(summary.output),
      outputBytes: summary.output.length,
      artifactId: "7",
    });
    expect(statSync(join(folder, "7.test.log")).mode & 0o777).toBe(0o600);
  });

  test("STOR-28 an artifact that cannot be opened costs only itself", async () => {
    const reserve = () => Promise.resolve({ id: "7", path: join(folder, "none", "7.log") });
    const openSpill = spillInto({ ...place, reserve }, "test");
    const summary = await summaryOf(numbered(20_000), { openSpill });
    expect(summary).toMatchObject({ truncated: true, totalLines: 20_000 });
    expect(summary.output).toEndWith("line 19999\n");
    expect("artifactId" in summary).toBe(false);
  });

  test("a disk that is full costs the artifact, not the output", async () => {
    // A link, so that nothing this test does can reach the device itself.
    symlinkSync("/dev/full", join(folder, "7.test.log"));
    const sink = createOutputSink(withSpill());
    for (let count = 0; count < 20; count++) await sink.push(encoder.encode(numbered(10_000)));
    const summary = await sink.finish();
    expect(summary).toMatchObject({ truncated: true, totalLines: 200_000 });
    expect("artifactId" in summary).toBe(false);
    expect(statSync("/dev/full").isCharacterDevice()).toBe(true);
  });

  test("without a file a text of bearable length is kept in memory", async () => {
    const texts: string[] = [];
    const memory: SpillPlace = {
      reserve: () => Promise.resolve(undefined),
      keep: (text) => String(texts.push(text) - 1),
    };
    const openSpill = spillInto(memory, "test");
    expect(await summaryOf(numbered(20_000), { openSpill })).toMatchObject({ artifactId: "0" });
    expect(texts).toEqual([numbered(20_000)]);
    const long = await summaryOf("x".repeat(10_000_000), { openSpill });
    expect("artifactId" in long).toBe(false);
  });

  test("two that push at once are kept in order", async () => {
    const sink = createOutputSink(withSpill({ spillThreshold: 100 }));
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index} ${"x".repeat(3000)}\n`);
    await Promise.all(lines.map((line) => sink.push(encoder.encode(line))));
    await sink.finish();
    expect(kept()).toBe(lines.join(""));
  });
});

describe("SIXEL", () => {
  const picture = '\x1bP0;1;0q"1;1;4;4#0;2;0;0;0~~~~$-\x1b\\';
  const output = async (text: string, passesSixel: boolean, sizes: readonly number[] = []) =>
    (await summaryOf(text, { passesSixel }, sizes)).output;

  test("pictures pass only when they may, and nothing else does", async () => {
    const text = `a\x1b[31m${picture}b\x1b]0;t\x07\x1bP$qm\x1b\\c`;
    expect(await output(text, false)).toBe("abc");
    expect(await output(text, true)).toBe(`a${picture}bc`);
    for (let at = 1; at < text.length; at++) {
      expect(await output(text, true, [at, 1, 1])).toBe(`a${picture}bc`);
    }
  });

  test("a picture that breaks off is closed", async () => {
    expect(await output("\x1bPq~~~\x1b[2Jx", true)).toBe("\x1bPq~~~\x1b\\x");
    expect(await output("\x1bPq~~~", true)).toBe("\x1bPq~~~\x1b\\");
  });
});
