/** One vendor after the other: what its servers can read, and nothing else. */

import { expect, test } from "bun:test";
import { accepts, isValidSchema, keywordsIn, ODDITIES } from "../../test/schema-corpus.ts";
import { toolParameters, type SchemaDialect } from "./index.ts";
import * as sdk from "./sdk.ts";

const { normalizeSchema, normalizeSchemaForCCA, normalizeSchemaForGoogle } = sdk;
const { normalizeSchemaForMCP, normalizeSchemaForOpenAIResponses } = sdk;

function property(schema: object, name = "a"): Record<string, unknown> {
  const { properties } = schema as { properties: Record<string, Record<string, unknown>> };
  return properties[name] ?? {};
}

function withProperty(a: object): object {
  return { type: "object", properties: { a } };
}

function parameters(dialect: SchemaDialect, schema: object): object {
  return toolParameters(dialect, { name: "t", description: "d", parameters: schema }).parameters;
}

const NODE = {
  type: "object",
  properties: { name: { $ref: "#/$defs/name" }, next: { $ref: "#/$defs/node" } },
};
const recursive = {
  type: "object",
  properties: { a: { $ref: "#/$defs/node" }, b: { $ref: "#/$defs/name" }, c: { $ref: "#" } },
  $defs: { node: NODE, name: { type: "string", description: "A name" } },
};

test("SN-02 the Responses family gets every oneOf as anyOf, strict or not", () => {
  const schema = withProperty({ oneOf: [{ type: "string" }, { items: { oneOf: [{}, {}] } }] });
  const loose = parameters("openai-responses", schema);
  expect(keywordsIn(loose).has("oneOf")).toBe(false);
  expect(property(loose)).toEqual({ anyOf: [{ type: "string" }, { items: { anyOf: [{}, {}] } }] });
  const choice = withProperty({ oneOf: [{ type: "string" }, { type: "number" }] });
  const tool = { name: "t", description: "d", parameters: choice };
  const strict = toolParameters("openai-responses", tool, { strict: true });
  expect(strict.strict).toBe(true);
  expect(keywordsIn(strict.parameters).has("oneOf")).toBe(false);
  const both = normalizeSchemaForOpenAIResponses(withProperty({ anyOf: [{}], oneOf: [{}] }));
  expect(property(both)).toEqual({ allOf: [{ anyOf: [{}] }, { anyOf: [{}] }] });
});

test("Google gets no references, no second types, and constraints in words", () => {
  const a = {
    type: ["string", "null"],
    description: "Where",
    pattern: "^/",
    $ref: "#/$defs/x",
    default: "/",
  };
  const google = normalizeSchemaForGoogle({
    ...withProperty(a),
    additionalProperties: false,
    $defs: { x: {} },
  });
  expect(google).toEqual({
    type: "object",
    properties: {
      a: { type: "string", description: "Where (pattern: ^/, default: /)", nullable: true },
    },
  });
});

test("Google refuses enums of other than words, lists without items, unknown required names", () => {
  const schema = {
    type: "object",
    properties: {
      a: { enum: [1, 2] },
      b: { type: "array" },
      c: { type: "string", enum: ["", "x"] },
      d: {},
      e: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    },
    required: ["a", "gone"],
  };
  expect(normalizeSchemaForGoogle(schema)).toEqual({
    type: "object",
    properties: {
      a: { type: "integer", description: "(enum: [1,2])" },
      b: { type: "array", items: { type: "string" } },
      c: { type: "string", description: '(enum: ["","x"])' },
      d: { type: "string" },
      e: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    },
    required: ["a"],
  });
});

test("a choice that stays one stands alone for Google, its words with each branch", () => {
  const choice = {
    description: "d",
    anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }],
  };
  expect(property(normalizeSchemaForGoogle(withProperty(choice)))).toEqual({
    anyOf: [
      { type: "string", description: "d", nullable: true },
      { type: "number", description: "d", nullable: true },
    ],
  });
});

test("SN-06 native Anthropic gets its own list of keywords and names, and no choice at the root", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    anyOf: [
      { type: "object", properties: { a: { type: "string", "x-ui": 1, deprecated: true } } },
      { type: "object", properties: { b: { type: "number", minimum: 1 }, "no way": {} } },
    ],
    markdownDescription: "m",
    unevaluatedProperties: false,
  };
  expect(parameters("anthropic", schema)).toEqual({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "number", minimum: 1 } },
  });
});

test("strict tools of Anthropic are closed, their constraints are words, maps stay loose", () => {
  const schema = withProperty({ type: "integer", minimum: 1, description: "Line" });
  const tool = { name: "t", description: "d", parameters: schema };
  expect(toolParameters("anthropic", tool, { strict: true })).toEqual({
    strict: true,
    parameters: {
      type: "object",
      properties: { a: { type: "integer", description: "Line (minimum: 1)" } },
      additionalProperties: false,
    },
  });
  const map = withProperty({ type: "object", additionalProperties: { type: "string" } });
  const loose = toolParameters("anthropic", { ...tool, parameters: map }, { strict: true });
  expect(loose).toEqual({ strict: false, parameters: map });
});

test("Bedrock gets three keywords at the root, and no references", () => {
  expect(parameters("bedrock", { ...recursive, description: "d" })).toMatchObject({
    type: "object",
    properties: { b: { type: "string", description: "A name" } },
  });
  expect(Object.keys(parameters("bedrock", recursive))).toEqual(["type", "properties"]);
});

test("Ollama gets null as a second type", () => {
  const schema = withProperty({ anyOf: [{ type: "string" }, { const: null }] });
  expect(property(parameters("ollama", schema))).toEqual({ type: ["string", "null"] });
});

test("the names that extensions know can be called", () => {
  const schema = withProperty({ type: "string" });
  const rewriters = [
    normalizeSchema,
    normalizeSchemaForGoogle,
    normalizeSchemaForCCA,
    normalizeSchemaForMCP,
    normalizeSchemaForOpenAIResponses,
    sdk.sanitizeSchemaForOpenAIResponses,
    sdk.sanitizeSchemaForStrictMode,
    sdk.enforceStrictSchema,
  ];
  for (const rewriter of rewriters) expect(property(rewriter({ ...schema }))).toBeObject();
  expect(sdk.tryEnforceStrictSchema(schema).strict).toBe(true);
  expect(sdk.adaptSchemaForStrict(schema, false)).toEqual({ schema, strict: false } as never);
});

test("SN-09 a schema library's object that was sent as a schema becomes one", () => {
  const text = { def: { type: "string" }, type: "string" };
  const flag = { def: { type: "boolean" }, type: "boolean" };
  const whole = {
    def: { type: "number", check: "number_format", format: "safeint" },
    type: "number",
  };
  const object = (shape: object) => ({ def: { type: "object", shape }, type: "object" });
  const wrapped = (type: string, more: object) => ({ def: { type, ...more }, type });
  const sent = object({
    a: text,
    b: wrapped("optional", { innerType: wrapped("number", { checks: [whole] }) }),
    c: { ...wrapped("enum", { entries: { x: "x", y: "y" } }), options: ["x", "y"] },
    d: wrapped("nullable", { innerType: wrapped("array", { element: flag }) }),
    e: wrapped("union", {
      options: [text, { ...wrapped("literal", { values: [3] }), values: {} }],
    }),
    f: wrapped("record", { keyType: text, valueType: wrapped("number", { checks: [] }) }),
    g: wrapped("default", { innerType: text, defaultValue: "q" }),
    h: wrapped("tuple", { items: [text, object({ i: text })], rest: null }),
  });
  const schema = normalizeSchema(sent);
  expect(schema).toEqual({
    type: "object",
    properties: {
      a: { type: "string" },
      b: { type: "integer" },
      c: { enum: ["x", "y"] },
      d: { anyOf: [{ type: "array", items: { type: "boolean" } }, { type: "null" }] },
      e: { anyOf: [{ type: "string" }, { enum: [3] }] },
      f: { type: "object", additionalProperties: { type: "number" } },
      g: { type: "string", default: "q" },
      h: {
        type: "array",
        prefixItems: [
          { type: "string" },
          { type: "object", properties: { i: { type: "string" } }, required: ["i"] },
        ],
      },
    },
    required: ["a", "c", "d", "e", "f", "h"],
  });
  const value = { a: "", c: "x", d: null, e: 3, f: {}, h: ["", { i: "" }] };
  expect(accepts(schema, value)).toBe(true);
  expect(accepts(schema, { ...value, c: "z" })).toBe(false);
});

test("SN-09 an older library's object, too", () => {
  const text = { _def: { typeName: "ZodString" } };
  const optional = { _def: { typeName: "ZodOptional", innerType: text } };
  const sent = {
    _def: { typeName: "ZodObject", shape: { a: text, b: optional }, description: "d" },
  };
  expect(normalizeSchema(sent)).toEqual({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    required: ["a"],
    description: "d",
  });
});

test("SN-10 older drafts are upgraded to 2020-12", () => {
  const old = {
    $schema: "http://json-schema.org/draft-04/schema#",
    type: "object",
    properties: {
      a: { type: "array", items: [{ type: "string" }], additionalItems: { type: "number" } },
      b: { minimum: 1, exclusiveMinimum: true },
      c: { $ref: "#/definitions/C" },
      d: { type: "string", nullable: true, required: true },
    },
    dependencies: { a: ["b"], c: { required: ["d"] } },
    definitions: { C: { type: "boolean" } },
  };
  expect(parameters("plain", old)).toEqual({
    type: "object",
    properties: {
      a: { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      b: { exclusiveMinimum: 1 },
      c: { $ref: "#/$defs/C" },
      d: { type: ["string", "null"] },
    },
    dependentRequired: { a: ["b"] },
    dependentSchemas: { c: { required: ["d"] } },
    required: ["d"],
    $defs: { C: { type: "boolean" } },
  });
});

test("SN-11 references are resolved, shared parts inlined, recursion ends", () => {
  const schema = normalizeSchema(recursive);
  expect(JSON.stringify(schema)).not.toContain("$ref");
  expect(property(schema, "b")).toEqual({ type: "string", description: "A name" });
  expect(property(schema)).toEqual({
    type: "object",
    properties: { name: { type: "string", description: "A name" }, next: { type: "object" } },
  });
  expect(property(schema, "c")).toEqual({ type: "object" });
});

test("SN-11 definitions that double at each step do not grow without end", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => {
      const next = { $ref: `#/$defs/d${i + 1}` };
      return [`d${i}`, { type: "object", properties: { l: next, r: next } }];
    }),
  );
  const schema = normalizeSchema({ ...withProperty({ $ref: "#/$defs/d0" }), $defs });
  expect(JSON.stringify(schema).length).toBeLessThan(2_000_000);
  expect(JSON.stringify(schema)).not.toContain("$ref");
});

test("SN-12 snake_case keywords are respelled, and win; properties keep their names", () => {
  const a = { any_of: [{ type: "string" }], anyOf: [{ type: "number" }] };
  const schema = { type: "object", properties: { a, any_of: { max_items: 3 } } };
  expect(normalizeSchema(schema)).toEqual({
    type: "object",
    properties: { a: { anyOf: [{ type: "string" }] }, any_of: { maxItems: 3 } },
  });
});

test("SN-13 SN-16 null becomes the mark of the target", () => {
  const ways = [
    { type: ["string", "null"] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { oneOf: [{ const: null }, { type: "string" }] },
    { type: "string", nullable: true },
  ];
  for (const way of ways) {
    const schema = withProperty(way);
    expect(property(normalizeSchemaForGoogle(schema))).toEqual({ type: "string", nullable: true });
    expect(property(normalizeSchemaForCCA(schema))).toEqual({ type: "string" });
  }
  const nested = { anyOf: [{ type: "object", properties: { b: ways[0] } }, { type: "null" }] };
  expect(property(normalizeSchemaForGoogle(withProperty(nested)))).toEqual({
    type: "object",
    properties: { b: { type: "string", nullable: true } },
    nullable: true,
  });
});

test("SN-14 SN-15 meaning goes into the description, structure does not", () => {
  const a = {
    type: "object",
    description: "Some",
    properties: {
      b: { type: "string", pattern: "^a", format: "uri", maxLength: 9, examples: ["x"] },
    },
    $ref: "#/$defs/x",
    $defs: { y: {} },
    additionalProperties: { type: "string" },
    minProperties: 1,
  };
  const schema = normalizeSchemaForGoogle({ ...withProperty(a), $defs: { x: {} } });
  expect(property(schema)["description"]).toBe("Some (minProperties: 1)");
  expect(property(property(schema), "b")["description"]).toBe(
    '(pattern: ^a, format: uri, maxLength: 9, examples: ["x"])',
  );
  expect(JSON.stringify(schema)).not.toMatch(/\$ref|\$defs|additionalProperties/);
});

const objects = [
  {
    type: "object",
    properties: { kind: { const: "x" }, b: { type: "string" } },
    required: ["kind", "b"],
  },
  {
    type: "object",
    properties: { kind: { const: "y" }, c: { type: "number" } },
    required: ["kind"],
  },
];

test("SN-17 branches of one type become one schema, nested ones too; mixed ones only for CCA", () => {
  const merged = {
    type: "object",
    properties: {
      kind: { type: "string", enum: ["x", "y"] },
      b: { type: "string" },
      c: { type: "number" },
    },
    required: ["kind"],
  };
  const nested = { anyOf: [{ oneOf: [{ anyOf: objects }] }, { allOf: [objects[0]] }] };
  for (const choice of [{ anyOf: objects }, { oneOf: objects }, nested]) {
    expect(property(normalizeSchemaForGoogle(withProperty(choice)))).toEqual(merged);
    expect(property(normalizeSchemaForCCA(withProperty(choice)))).toEqual(merged);
  }
  const letters = { anyOf: [{ const: "a" }, { enum: ["b", "c"] }] };
  const united = { type: "string", enum: ["a", "b", "c"] };
  expect(property(normalizeSchemaForGoogle(withProperty(letters)))).toEqual(united);

  const mixed = withProperty({
    anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
  });
  expect(property(normalizeSchemaForGoogle(mixed))).toHaveProperty("anyOf");
  expect(property(normalizeSchemaForCCA(mixed))).toEqual({
    type: "array",
    items: { type: "string" },
  });
});

test("a choice of what is required keeps the properties next to it", () => {
  const properties = { id: { type: "string" }, name: { type: "string" } };
  const schema = {
    type: "object",
    properties,
    anyOf: [{ required: ["id"] }, { required: ["name"] }],
  };
  const plain = { type: "object", properties };
  expect(normalizeSchemaForGoogle(schema)).toEqual(plain);
  expect(parameters("openai", schema)).toEqual(plain);
  expect(property(normalizeSchemaForGoogle(withProperty(schema)))).toEqual(plain);
});

test("SN-18 what CCA could not read is replaced, that tool alone", () => {
  const hopeless = withProperty({ type: "null" });
  const good = withProperty({ type: "string" });
  const [first, second, third] = [good, hopeless, good].map(normalizeSchemaForCCA);
  expect(first).toEqual(good as never);
  expect(second).toEqual({ type: "object", properties: {} });
  expect(third).toEqual(good as never);
});

test("MCP schemas come out sound, without references, as objects", () => {
  for (const oddity of [...ODDITIES, recursive, null, [], "text", 7]) {
    const schema = normalizeSchemaForMCP(oddity);
    expect(isValidSchema(schema)).toBe(true);
    expect(schema).toMatchObject({ type: "object", properties: {} });
    expect(JSON.stringify(schema)).not.toContain("$ref");
  }
});

test("SN-34 enums of common libraries pass as they are", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { a: { type: "string", enum: ["x", "y"] } },
    required: ["a"],
    additionalProperties: false,
  };
  expect(property(parameters("google", schema))).toEqual({ type: "string", enum: ["x", "y"] });
  expect(property(parameters("anthropic", schema))).toEqual({ type: "string", enum: ["x", "y"] });
});
