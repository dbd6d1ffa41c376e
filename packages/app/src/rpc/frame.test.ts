/** Lines and frames: what a client may send, and what is said of what it may not. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { readFrame } from "./frame.ts";
import { linesOf } from "./lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function* chunks(...parts: readonly (string | Uint8Array)[]) {
  for (const part of parts) yield typeof part === "string" ? bytes(part) : part;
}

async function linesIn(maxBytes: number, ...parts: readonly (string | Uint8Array)[]) {
  const found: (string | undefined)[] = [];
  for await (const line of linesOf(chunks(...parts), maxBytes)) {
    found.push(line && new TextDecoder().decode(line));
  }
  return found;
}

test("RPC-04 only a line feed ends a line, wherever the chunks are cut", async () => {
  const text = "a\u2028b\u2029c\u0085d\r\n\nsecond\nlast";
  const wanted = ["a\u2028b\u2029c\u0085d\r", "", "second", "last"];
  expect(await linesIn(100, text)).toEqual(wanted);
  const all = bytes(text);
  const single = Array.from({ length: all.length }, (_, index) => all.subarray(index, index + 1));
  expect(await linesIn(100, ...single)).toEqual(wanted);
});

test("a line that is too long is skipped to its end, whatever its length", async () => {
  const megabyte = "x".repeat(1024 * 1024);
  const parts = Array.from({ length: 100 }, () => megabyte);
  expect(await linesIn(1000, "before\n", ...parts, "tail\nafter\n")).toEqual([
    "before",
    undefined,
    "after",
  ]);
  expect(await linesIn(3, "abc\nabcd\nab")).toEqual(["abc", undefined, "ab"]);
});

const deep = (levels: number) => `{"type":"x","v":${"[".repeat(levels)}${"]".repeat(levels)}}`;

test.each([
  ["half an object", "{", /^The line is not JSON/],
  ["a list", "[1]", /one JSON object/],
  ["null", "null", /one JSON object/],
  ["a word", '"prompt"', /one JSON object/],
  ["no type", "{}", /"type" must name a command/],
  ["a number as type", '{"type":7}', /"type" must name a command/],
  ["an object as id", '{"type":"x","id":{}}', /"id" must be a string/],
  ["a boolean as id", '{"type":"x","id":true}', /"id" must be a string/],
  ["a million levels", deep(1_000_000), /nested deeper than 256/],
  ["a million brackets that stay open", "[".repeat(1_000_000), /nested deeper than 256/],
])("%s is refused", (_, line, problem) => {
  expect(readFrame(bytes(line))).toEqual({ problem: expect.stringMatching(problem) });
});

test("bytes that are not UTF-8, and lines that are too long, are refused", () => {
  expect(readFrame(new Uint8Array([0x7b, 0xff, 0x7d]))).toEqual({
    problem: "The line is not valid UTF-8",
  });
  expect(readFrame(undefined)).toEqual({
    problem: "The line is longer than the limit of 67108864 bytes",
  });
});

test("brackets inside of strings are not depth, and escapes do not end a string", () => {
  const text = `${"[".repeat(1000)}\\" ${"{".repeat(1000)}\\\\`;
  const frame = readFrame(bytes(`{"type":"x","message":"${text}","after":[[1]]}`));
  expect(frame).toMatchObject({ type: "x", fields: { after: [[1]] } });
  expect(readFrame(bytes(deep(200)))).toMatchObject({ type: "x" });
});

test("blank lines are nothing; carriage returns, null and numbers as id are taken", () => {
  expect([readFrame(bytes("")), readFrame(bytes(" \r"))]).toEqual([undefined, undefined]);
  expect(readFrame(bytes('{"type":"abort","id":null}\r'))).toMatchObject({ id: undefined });
  expect(readFrame(bytes('{"type":"abort","id":7}'))).toMatchObject({ type: "abort", id: 7 });
  expect(readFrame(bytes('{"id":"a"}'))).toEqual({
    problem: '"type" must name a command',
    id: "a",
  });
});

test("no bytes and no JSON make it throw", () => {
  const isSound = (line: Uint8Array) => {
    const frame = readFrame(line);
    return frame === undefined || "problem" in frame || typeof frame.type === "string";
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), isSound));
  fc.assert(fc.property(fc.json(), (json) => isSound(bytes(json))));
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, cut) =>
      isSound(bytes(`{"type":"x","v":${json}`.slice(0, cut))),
    ),
  );
});
