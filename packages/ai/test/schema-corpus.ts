/** Schemas as tools and servers really declare them, and some that nobody should, for the tests of the dialects. */

import Ajv2020 from "ajv/dist/2020.js";
import fc from "fast-check";
import { nodesOf, type JsonSchema } from "../src/tool-schema/json-schema.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false });

export function isValidSchema(schema: object): boolean {
  return ajv.validateSchema(schema) === true;
}

/** Checks a value as the tool itself would. */
export function accepts(schema: object, value: unknown): boolean {
  return new Ajv2020({ strict: false, validateFormats: false }).validate(schema, value);
}

export function keywordsIn(schema: object): Set<string> {
  return new Set([...nodesOf(schema as JsonSchema)].flatMap((node) => Object.keys(node)));
}

/** One of each kind of oddity that has been seen in the wild. */
export const ODDITIES: readonly object[] = [
  {},
  { type: "object" },
  { type: "string" },
  { properties: { a: true, b: false, c: null, d: "text" } },
  { type: ["object", "null"], properties: { a: { type: "any" } }, required: "a" },
  { type: "object", properties: { a: { type: "STRING", required: true } } },
  { $ref: "#/definitions/Input", definitions: { Input: { type: "object", properties: {} } } },
  { type: "object", properties: { next: { $ref: "#" }, lost: { $ref: "#/nowhere" } } },
  { type: "object", properties: { a: { $ref: "https://example.invalid/schema.json" } } },
  { oneOf: [{ type: "object", properties: { a: { const: 1 } } }, { type: "null" }] },
  { type: "object", properties: { a: { enum: [1, "two", null] }, b: { enum: [] } } },
  { type: "object", properties: { a: { items: [{ type: "string" }, { type: "number" }] } } },
  { type: "object", properties: { __proto__x: {}, "weird name!": { type: "string" } } },
  JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as object,
  { type: "object", patternProperties: { "^(": { type: "string" } } },
  { type: "object", properties: { a: { type: "array" }, b: { pattern: "(" } }, enum: "x" },
  { any_of: [{ type: "object" }], all_of: [{ properties: { a: {} } }] },
];

/** Any tree of keywords, right and wrong ones, with references among them. */
export function anySchema(): fc.Arbitrary<object> {
  const { node } = fc.letrec<{ node: object }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      fc.oneof(...LEAVES),
      fc.record(
        {
          type: fc.constantFrom("object", "array", ["object", "null"], ["array", "string"]),
          properties: fc.dictionary(fc.constantFrom("a", "b", "d e"), tie("node"), { maxKeys: 2 }),
          required: fc.subarray(["a", "b", "zz"]),
          items: tie("node"),
          additionalProperties: fc.oneof(fc.boolean(), tie("node")),
          anyOf: fc.array(tie("node"), { maxLength: 2 }),
          oneOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }),
          allOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }),
          prefixItems: fc.array(tie("node"), { maxLength: 2 }),
          not: tie("node"),
          description: fc.constantFrom("words", "words (default: 1)", 7),
          default: fc.jsonValue({ maxDepth: 1 }),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  return fc
    .record({ root: node, one: node, two: node })
    .map(({ root, one, two }) => ({ ...root, $defs: { one, two } }));
}

const LEAVES: readonly fc.Arbitrary<object>[] = [
  fc.record(
    {
      type: fc.constantFrom("string", "number", "integer", "boolean", "null", "any", 7, [
        "string",
        "null",
      ]),
      description: fc.string(),
      pattern: fc.constantFrom("^a+$", "("),
      minimum: fc.integer(),
      nullable: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null))) }),
  fc.record({ const: fc.jsonValue({ maxDepth: 1 }) }),
  fc
    .constantFrom("#", "#/$defs/one", "#/$defs/two", "#/properties/a", "#/gone", "other.json")
    .chain(($ref) => fc.constantFrom<object>({ $ref }, { $ref, description: "own" })),
  fc.constant({ any_of: [{ type: "string" }, { type: "null" }] }),
];
