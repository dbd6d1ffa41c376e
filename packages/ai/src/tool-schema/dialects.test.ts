/** What holds for every schema in every dialect, tried on thousands. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { anySchema, isValidSchema, ODDITIES } from "../../test/schema-corpus.ts";
import { nodesOf, type JsonSchema } from "./json-schema.ts";
import { resolvePointer } from "./pointer.ts";
import { toolParameters, type SchemaDialect } from "./index.ts";
import * as sdk from "./sdk.ts";

const DIALECTS: readonly SchemaDialect[] = [
  "openai",
  "openai-responses",
  "google",
  "anthropic",
  "ollama",
  "bedrock",
  "plain",
];

function written(dialect: SchemaDialect, schema: object, strict = false) {
  const tool = { name: "t", description: "d", parameters: schema };
  return toolParameters(dialect, tool, { strict });
}

function every(check: (schema: object) => void, numRuns = 60): void {
  for (const oddity of ODDITIES) check(oddity);
  fc.assert(fc.property(anySchema(), check), { numRuns, seed: 7, endOnFailure: true });
}

/** `nullable` is Google's own word, which 2020-12 lets pass. */
test.each([...DIALECTS])(
  "%s: always an object, valid 2020-12, and no reference leads nowhere",
  (dialect) => {
    every((schema) => {
      const { parameters } = written(dialect, schema, true);
      const { type, properties } = parameters as JsonSchema;
      expect(type).toBe("object");
      expect(properties).toBeObject();
      if (!isValidSchema(parameters)) throw new Error(JSON.stringify(parameters));
      for (const { $ref } of nodesOf(parameters as JsonSchema))
        if ($ref !== undefined)
          expect(resolvePointer(parameters as JsonSchema, String($ref))).toBeObject();
    });
  },
);

test("strict is claimed only for what keeps the vendor's published rules", () => {
  let strict = 0;
  every((schema) => {
    for (const dialect of ["openai", "openai-responses"] as const) {
      const made = written(dialect, schema, true);
      if (!made.strict) continue;
      strict += 1;
      for (const node of nodesOf(made.parameters as JsonSchema)) checkStrictNode(node);
    }
  });
  expect(strict).toBeGreaterThan(20);
});

const ALLOWED = new Set([
  ...["type", "title", "description", "properties", "required", "additionalProperties"],
  ...["items", "enum", "const", "anyOf", "$ref", "$defs"],
]);

function checkStrictNode(node: JsonSchema): void {
  expect(Object.keys(node).filter((key) => !ALLOWED.has(key))).toEqual([]);
  if ("$ref" in node) return expect(Object.keys(node)).toEqual(["$ref"]);
  expect("type" in node || "anyOf" in node).toBe(true);
  if (node["type"] === "array") expect(node["items"]).toBeObject();
  if (node["type"] !== "object") return;
  expect(node["additionalProperties"]).toBe(false);
  expect(node["required"]).toEqual(Object.keys(node["properties"] as object));
}

test("Google and CCA see only what they know", () => {
  const google = new Set(["type", "title", "description", "properties", "required", "items"]);
  for (const key of ["enum", "anyOf", "nullable"]) google.add(key);
  every((schema) => {
    for (const node of nodesOf(sdk.normalizeSchemaForGoogle(schema))) {
      expect(Object.keys(node).filter((key) => !google.has(key))).toEqual([]);
      if ("anyOf" in node) expect(Object.keys(node)).toEqual(["anyOf"]);
      else expect(node["type"]).toBeString();
    }
    for (const node of nodesOf(sdk.normalizeSchemaForCCA(schema))) {
      expect(node["type"]).toBeString();
      for (const key of ["nullable", "anyOf", "oneOf", "allOf"])
        expect(node).not.toHaveProperty(key);
    }
  });
});

test("SN-19 the same schema gives the same bytes, here and in another process", async () => {
  const samples = [...ODDITIES, ...fc.sample(anySchema(), { numRuns: 20, seed: 3 })];
  const bytes = (schemas: readonly object[]) =>
    JSON.stringify(
      schemas.flatMap((schema) => DIALECTS.map((dialect) => written(dialect, schema, true))),
    );
  const here = bytes(samples);
  expect(bytes(JSON.parse(JSON.stringify(samples)) as object[])).toBe(here);
  const program = `
    import { toolParameters } from ${JSON.stringify(`${import.meta.dir}/index.ts`)};
    const { schemas, dialects } = await Bun.stdin.json();
    const made = schemas.flatMap((parameters) => dialects.map((dialect) =>
      toolParameters(dialect, { name: "t", description: "d", parameters }, { strict: true })));
    process.stdout.write(JSON.stringify(made));`;
  const child = Bun.spawn([process.execPath, "-e", program], {
    stdin: Buffer.from(JSON.stringify({ schemas: samples, dialects: DIALECTS })),
    stdout: "pipe",
  });
  expect(await child.stdout.text()).toBe(here);
});

test("SN-19 later turns get what the first one made", () => {
  const parameters = { type: "object", properties: { a: { type: "string" } } };
  const first = toolParameters("google", { name: "t", description: "d", parameters });
  expect(toolParameters("google", { name: "t", description: "d", parameters })).toBe(first);
  expect(toolParameters("openai", { name: "t", description: "d", parameters })).not.toBe(first);
});

test("SN-20 nobody's schema is changed", () => {
  every((schema) => {
    const before = structuredClone(schema);
    for (const dialect of DIALECTS)
      for (const strict of [true, false]) written(dialect, schema, strict);
    sdk.normalizeSchemaForCCA(schema);
    sdk.normalizeSchemaForMCP(schema);
    expect(schema).toEqual(before);
  }, 20);
});

test("a clean schema stays as it is for servers that take any", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string", pattern: "^a" }, b: { oneOf: [{ type: "string" }] } },
    required: ["a"],
    additionalProperties: false,
  };
  expect(JSON.stringify(written("plain", schema).parameters)).toBe(JSON.stringify(schema));
  expect(JSON.stringify(written("openai", schema).parameters)).toBe(JSON.stringify(schema));
});
