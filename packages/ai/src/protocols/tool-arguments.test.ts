/** Arguments at every stage of their growth. */

import { expect, test } from "bun:test";
import { ToolArguments } from "./tool-arguments.ts";

function grown(text: string, piece = 1): ToolArguments {
  const json = new ToolArguments();
  for (let at = 0; at < text.length; at += piece) json.append(text.slice(at, at + piece));
  return json;
}

test.each([
  ["", {}],
  ["{", {}],
  ['{"pa', {}],
  ['{"path":', {}],
  ['{"path":"a\\', { path: "a" }],
  ['{"path":"a\\u00', { path: "a" }],
  ['{"a":tr', { a: true }],
  ['{"a":[1,{"b":"c', { a: [1, { b: "c" }] }],
  ['{"a":1}', { a: 1 }],
  ["[1,2", {}],
  ['"text', {}],
])("%j can be read as %j", (text, value) => {
  expect(grown(text).value).toEqual(value);
});

test("what could be read stays readable when the text breaks", () => {
  expect(grown('{"a":1,"b":"x"').value).toEqual({ a: 1, b: "x" });
  expect(grown('{"a":1}garbage').value).toEqual({ a: 1 });
});

/** Characters that were parsed: each new value has cost the length of the text it was read from. */
function workOf(text: string, piece: number): { work: number; json: ToolArguments } {
  const json = new ToolArguments();
  let work = 0;
  let seen = json.value;
  for (let at = 0; at < text.length; at += piece) {
    json.append(text.slice(at, at + piece));
    if (json.value !== seen) work += Math.min(at + piece, text.length);
    seen = json.value;
  }
  return { work, json };
}

test("the work for arguments in small pieces grows with their length, not with its square", () => {
  const textOf = (lines: number) => `{"content":"${"line of text\\n".repeat(lines)}"}`;
  const text = textOf(80_000);
  for (const piece of [16, 64, 1_000]) {
    const { work, json } = workOf(text, piece);
    expect(work).toBeLessThan(7 * text.length);
    expect(json.finish().arguments).toEqual({ content: "line of text\n".repeat(80_000) });
  }
  const half = workOf(textOf(40_000), 64).work;
  expect(workOf(text, 64).work).toBeLessThan(3 * half);
});
