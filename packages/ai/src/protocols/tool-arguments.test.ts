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

test("a megabyte in small pieces is parsed a few times, not thousands of times", () => {
  const content = "line of text\\n".repeat(80_000);
  const json = new ToolArguments();
  const values = new Set<unknown>();
  const text = `{"content":"${content}"}`;
  for (let at = 0; at < text.length; at += 64) {
    json.append(text.slice(at, at + 64));
    values.add(json.value);
  }
  expect(values.size).toBeLessThan(100);
  expect(json.finish().arguments).toEqual({ content: "line of text\n".repeat(80_000) });
});
