/** A schema that counts as plain must be one that the whole rewriting would not change. */

import fc from "fast-check";
import { expect, test } from "bun:test";
import { anthropicStrict, plainStrict } from "./anthropic-strict.ts";
import { plainSchema } from "./plain.ts";
import { normalizeSchemaForAnthropic } from "./vendors.ts";

const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const text = fc.record({ description: fc.string(), minLength: fc.nat(9) }, { requiredKeys: [] });
const leaf = fc.oneof(
  text.map((more) => ({ type: "string", ...more })),
  fc.constantFrom("number", "integer", "boolean").map((type) => ({ type })),
);
const { node } = fc.letrec<{ node: object }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie("node").map((items) => ({ type: "array", items })),
    tie("node").map((additionalProperties) => ({ type: "object", additionalProperties })),
    fc.dictionary(name, tie("node"), { maxKeys: 4, minKeys: 1 }).map((properties) => ({
      type: "object",
      properties,
      required: Object.keys(properties).slice(1),
    })),
  ),
}));
const root = fc
  .dictionary(name, node, { maxKeys: 5, minKeys: 1 })
  .map((properties) => ({ type: "object", required: Object.keys(properties), properties }));

test("a plain schema comes out of the rewriting as it went in; one with maps cannot be strict", () => {
  fc.assert(
    fc.property(root, (schema) => {
      const plain = plainSchema(schema);
      expect(plain).toBeDefined();
      expect(normalizeSchemaForAnthropic(schema)).toEqual(schema);
      if (plain?.hasMaps) expect(() => anthropicStrict(schema)).toThrow();
      else expect(plainStrict(schema)).toEqual(anthropicStrict(schema));
    }),
    { numRuns: 300, seed: 1 },
  );
});

test.each([
  { type: "array", items: { type: "string" } },
  { type: "object", properties: { a: { $ref: "#/$defs/x" } } },
  { type: "object", properties: { a: { type: ["string", "null"] } } },
  { type: "object", properties: { a: { anyOf: [{ type: "string" }] } } },
  { type: "object", properties: { "a b": { type: "string" } } },
  { type: "object", properties: { a: { type: "string", enum: ["x"] } } },
  { type: "object", properties: { a: { type: "string", description: 5 } } },
  { type: "object", properties: { a: { type: "string" } }, required: [5] },
  { properties: { a: { type: "string" } } },
  "text",
])("%j is not plain", (schema) => expect(plainSchema(schema)).toBeUndefined());
