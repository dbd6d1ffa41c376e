/** OpenAI's strict mode: what becomes strict, how, and what rather stays loose. */

import { expect, test } from "bun:test";
import { keywordsIn } from "../../test/schema-corpus.ts";
import { toolParameters } from "./index.ts";
import { adaptSchemaForStrict, enforceStrictSchema, tryEnforceStrictSchema } from "./sdk.ts";
import { sanitizeSchemaForStrictMode } from "./sdk.ts";
import type { JsonSchema } from "./json-schema.ts";

function withProperty(a: object): JsonSchema {
  return { type: "object", properties: { a } };
}

function sanitizedProperty(a: object): unknown {
  return (sanitizeSchemaForStrictMode(withProperty(a)) as { properties: { a: unknown } }).properties
    .a;
}

test("strict is a wish of the caller: unset or refused, no dialect is strict", () => {
  const tool = {
    name: "t",
    description: "d",
    parameters: withProperty({ type: "string" }),
    strict: true,
  };
  for (const dialect of ["openai", "openai-responses", "anthropic"] as const) {
    expect(toolParameters(dialect, tool, { strict: true }).strict).toBe(true);
    expect(toolParameters(dialect, tool, { strict: false }).strict).toBe(false);
    expect(toolParameters(dialect, tool).strict).toBe(false);
  }
});

const NOT_STRUCTURE = {
  format: "uri",
  pattern: "^a",
  minLength: 1,
  maxLength: 2,
  minimum: 1,
  maximum: 2,
  exclusiveMinimum: 0,
  exclusiveMaximum: 3,
  multipleOf: 1,
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  contains: {},
  minContains: 1,
  maxContains: 2,
  examples: ["x"],
  default: "x",
  ...Object.fromEntries(["if", "then", "else"].map((keyword) => [keyword, {}])),
  not: {},
  unevaluatedItems: false,
  unevaluatedProperties: false,
  patternProperties: { "^x": {} },
  propertyNames: {},
  dependentRequired: { a: ["b"] },
  dependentSchemas: { a: {} },
  contentEncoding: "base64",
  contentMediaType: "text/plain",
  contentSchema: {},
  minProperties: 1,
  maxProperties: 2,
  $dynamicRef: "#x",
  $dynamicAnchor: "x",
  $anchor: "y",
  $comment: "z",
  deprecated: true,
  readOnly: true,
  writeOnly: true,
  "x-vendor": 1,
};

test("SN-21 nothing but structure is left, at any depth", () => {
  const leaf = { type: "string", ...NOT_STRUCTURE };
  const list = { type: "array", items: leaf, prefixItems: [leaf], ...NOT_STRUCTURE };
  const inner = { type: "object", properties: { list, leaf }, ...NOT_STRUCTURE };
  const schema = {
    ...withProperty({ anyOf: [inner, { $ref: "#/$defs/d" }] }),
    ...NOT_STRUCTURE,
    $defs: { d: inner },
  };
  const left = keywordsIn(sanitizeSchemaForStrictMode(schema));
  expect(Object.keys(NOT_STRUCTURE).filter((keyword) => left.has(keyword))).toEqual([]);
  expect(left).toContain("prefixItems");
  expect(left).toContain("$ref");
});

test("SN-22 a default is told in the description, once, where there is one", () => {
  const text = { type: "string", default: 5 };
  expect(sanitizedProperty({ ...text, description: "d" })).toEqual({
    type: "string",
    description: "d (default: 5)",
  });
  const told = { type: "string", description: "d (default: five)" };
  expect(sanitizedProperty({ ...told, default: 5 })).toEqual(told);
  expect(sanitizedProperty(text)).toEqual({ type: "string" });
});

test("SN-23 objects are closed, all is required, what was optional may be null", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "string" },
      b: { type: "object", properties: { c: { type: "number", description: "C" } } },
      n: { type: ["string", "null"] },
    },
    required: ["a"],
  };
  expect(tryEnforceStrictSchema(schema)).toEqual({
    strict: true,
    schema: {
      type: "object",
      properties: {
        a: { type: "string" },
        b: {
          anyOf: [
            {
              type: "object",
              properties: {
                c: { anyOf: [{ type: "number", description: "C" }, { type: "null" }] },
              },
              required: ["c"],
              additionalProperties: false,
            },
            { type: "null" },
          ],
        },
        n: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
      required: ["a", "b", "n"],
      additionalProperties: false,
    },
  });
});

test("SN-24 what stands in a tuple is closed, too", () => {
  const entry = { type: "object", properties: { b: { type: "string" } }, required: ["b"] };
  const tuple = withProperty({ type: "array", prefixItems: [entry] });
  const enforced = JSON.stringify(enforceStrictSchema(sanitizeSchemaForStrictMode(tuple)));
  expect(enforced).toContain(JSON.stringify({ ...entry, additionalProperties: false }));
});

test("SN-25 a reference with words of its own is inlined, and its own words win", () => {
  const $defs = { path: { type: "string", description: "Any path" }, used: { type: "number" } };
  const schema = {
    type: "object",
    properties: { a: { $ref: "#/$defs/path", description: "Mine" }, b: { $ref: "#/$defs/used" } },
    $defs,
  };
  expect(sanitizeSchemaForStrictMode(schema)).toEqual({
    type: "object",
    properties: { a: { type: "string", description: "Mine" }, b: { $ref: "#/$defs/used" } },
    $defs: { used: { type: "number" } },
  });
});

test("SN-26 one schema in allOf is merged, and wins; several are left, and not strict", () => {
  const one = { allOf: [{ type: "string", title: "T" }], description: "d", title: "U" };
  expect(sanitizedProperty(one)).toEqual({ description: "d", title: "T", type: "string" });
  const two = withProperty({ allOf: [{ type: "string" }, { description: "d" }] });
  const { schema, strict } = tryEnforceStrictSchema(two);
  expect(strict).toBe(false);
  expect(schema).toEqual(two);
  expect(keywordsIn(sanitizeSchemaForStrictMode(two))).toContain("allOf");
});

test("SN-27 SN-28 a list of types is a choice, each with its own keywords, the description said once", () => {
  const both = {
    type: ["object", "array"],
    description: "d",
    properties: { b: { type: "string" } },
    required: ["b"],
    items: { type: "number" },
  };
  expect(sanitizedProperty(both)).toEqual({
    anyOf: [
      { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
      { type: "array", items: { type: "number" } },
    ],
    description: "d",
  });
  expect(
    sanitizedProperty({ type: ["string", "null"], description: "d", enum: ["x", null] }),
  ).toEqual({
    anyOf: [
      { type: "string", enum: ["x"] },
      { type: "null", enum: [null] },
    ],
    description: "d",
  });
});

test("SN-29 values without a type get theirs", () => {
  expect(sanitizedProperty({ enum: ["a"] })).toEqual({ type: "string", enum: ["a"] });
  expect(sanitizedProperty({ enum: [1, 2] })).toEqual({ type: "integer", enum: [1, 2] });
  expect(sanitizedProperty({ const: true })).toEqual({ type: "boolean", const: true });
  expect(sanitizedProperty({ enum: [1, 2.5] })).toEqual({ type: "number", enum: [1, 2.5] });
});

test.each([
  { enum: [1, "two", null] },
  { enum: [{ a: 1 }] },
  { enum: [[1]] },
  { const: { a: 1 } },
  { const: [1, 2, 3] },
])("SN-30 %j cannot be strict, and is sent as it is", (a) => {
  expect(adaptSchemaForStrict(withProperty(a), true)).toEqual({
    schema: withProperty(a),
    strict: false,
  });
});

test.each([
  [{ type: "object", additionalProperties: { type: "string" } }, "a map"],
  [{ type: "object" }, "an object with any properties"],
  [{ type: "object", properties: {}, patternProperties: { "^x": {} } }, "names by pattern"],
  [{}, "any value"],
  [{ type: "array" }, "a list of anything"],
])("SN-31 %j would lose what it says (%s): it is sent loose", (a) => {
  expect(tryEnforceStrictSchema(withProperty(a))).toEqual({
    schema: withProperty(a),
    strict: false,
  });
});

test("SN-31 a schema that cannot even be written does not cost the request", () => {
  const self: Record<string, unknown> = { type: "object" };
  self["properties"] = { self };
  let deep: object = { type: "string" };
  for (let i = 0; i < 50_000; i++) deep = { type: "array", items: deep };
  const throwing = Object.defineProperty({ type: "object" }, "properties", {
    enumerable: true,
    get: () => {
      throw new Error("no");
    },
  });
  for (const parameters of [self, withProperty(deep), throwing]) {
    const tool = { name: "t", description: "d", parameters };
    for (const dialect of ["openai", "google", "anthropic", "bedrock"] as const) {
      const sent = toolParameters(dialect, tool, { strict: true });
      expect(sent.strict).toBe(false);
      expect(sent.parameters).toMatchObject({ type: "object" });
    }
  }
});

test("SN-31 the vendor's limits are kept to", () => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: "string" }]));
  const values = (count: number) => Array.from({ length: count }, (_, i) => `v${i}`);
  const nested = (depth: number): object =>
    depth === 0 ? { type: "string" } : withProperty(nested(depth - 1));
  const isStrict = (schema: object) => tryEnforceStrictSchema(schema).strict;
  expect(isStrict({ type: "object", properties: names(5_000) })).toBe(true);
  expect(isStrict({ type: "object", properties: names(5_001) })).toBe(false);
  expect(isStrict(withProperty({ enum: values(1_000) }))).toBe(true);
  expect(isStrict(withProperty({ enum: values(1_001) }))).toBe(false);
  expect(isStrict(nested(10))).toBe(true);
  expect(isStrict(nested(11))).toBe(false);
});

test("SN-32 recursive and repeated references end, twice the same", () => {
  const node = {
    type: "object",
    properties: {
      value: { type: "string" },
      left: { $ref: "#/$defs/node", description: "Left" },
      right: { $ref: "#/$defs/node" },
    },
    required: ["value"],
  };
  const schema = { ...withProperty({ $ref: "#/$defs/node" }), $defs: { node } };
  const { strict, schema: first } = tryEnforceStrictSchema(schema);
  expect(strict).toBe(true);
  expect(JSON.stringify(tryEnforceStrictSchema(structuredClone(schema)).schema)).toBe(
    JSON.stringify(first),
  );
  expect(first).toMatchObject({
    $defs: {
      node: { properties: { right: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } } },
    },
  });
});
