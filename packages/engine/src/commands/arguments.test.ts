import { expect, test } from "bun:test";
import { splitArguments } from "./arguments.ts";

test("SLASH-22 blanks split, quotes keep blanks and go, backslashes stay, an open quote runs to the end", () => {
  expect(splitArguments(String.raw`a "b c" 'd e' x\y`)).toEqual(["a", "b c", "d e", "x\\y"]);
  expect(splitArguments('f "open end')).toEqual(["f", "open end"]);
  expect(splitArguments("f 'it is")).toEqual(["f", "it is"]);
  expect(splitArguments("  a\t b\n c  ")).toEqual(["a", "b", "c"]);
  expect(splitArguments('"" x')).toEqual(["", "x"]);
  expect(splitArguments(`pre"a b"post`)).toEqual(["prea bpost"]);
  expect(splitArguments("   ")).toEqual([]);
});

test("SLASH-38 a backslash before a double quote inside double quotes stands for the quote", () => {
  expect(splitArguments(String.raw`"a \"b\" c"`)).toEqual(['a "b" c']);
  expect(splitArguments(String.raw`C:\dir "C:\dir x"`)).toEqual(["C:\\dir", "C:\\dir x"]);
  expect(splitArguments(String.raw`'a \' b`)).toEqual(["a \\", "b"]);
});
