import { expect, test } from "bun:test";
import { coerce } from "./coerce.ts";

const schema = {
  type: "object",
  required: ["must"],
  properties: {
    must: { type: "string" },
    count: { type: "integer" },
    on: { type: "boolean" },
    list: { type: "array", items: { type: "number" } },
    inner: { type: "object", properties: { n: { type: "number" } } },
  },
};

test.each([
  [
    { must: "x", count: "3" },
    { must: "x", count: 3 },
  ],
  [
    { must: "x", on: "false" },
    { must: "x", on: false },
  ],
  [{ must: 7 }, { must: "7" }],
  [
    { must: "x", list: ["1", 2] },
    { must: "x", list: [1, 2] },
  ],
  [
    { must: "x", inner: { n: "1.5" } },
    { must: "x", inner: { n: 1.5 } },
  ],
  [{ must: "x", count: null }, { must: "x" }],
  // What can mean two things stays as it is, for the check to complain about.
  [{ must: null }, { must: null }],
  [
    { must: "x", count: "three" },
    { must: "x", count: "three" },
  ],
  [
    { must: "x", count: "" },
    { must: "x", count: "" },
  ],
  [
    { must: "x", on: "yes" },
    { must: "x", on: "yes" },
  ],
  [
    { must: "x", list: "1" },
    { must: "x", list: "1" },
  ],
  [
    { must: "x", other: "1" },
    { must: "x", other: "1" },
  ],
  ["text", "text"],
])("%j becomes %j", (given, expected) => expect(coerce(schema, given)).toEqual(expected));
