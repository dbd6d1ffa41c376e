/** What each vendor's servers read, as options of the one walk. */

import { mapChildren, isRecord, only, type JsonSchema } from "./json-schema.ts";
import { NO_PROPERTIES, normalizeSchema, type NormalizeOptions } from "./normalize.ts";
import { withLiveRefs } from "./pointer.ts";
import { objectRoot } from "./root.ts";
import { upgradeSchema } from "./upgrade.ts";

const CORE = ["type", "title", "description", "properties", "required", "items", "enum"] as const;

/** Google's own subset: no references, no constraints beyond shape. */
const GOOGLE: NormalizeOptions = {
  keywords: new Set([...CORE, "anyOf", "nullable"]),
  spill: true,
  nulls: "keyword",
  merge: "alike",
  typed: true,
  stringEnums: true,
};

/** Claude behind Google's door: both must be able to read it. */
const CCA: NormalizeOptions = {
  keywords: new Set(CORE),
  spill: true,
  nulls: "drop",
  merge: "any",
  typed: true,
  stringEnums: true,
  validateAndFallback: true,
};

const OLLAMA: NormalizeOptions = {
  keywords: new Set([...CORE, "anyOf"]),
  spill: true,
  nulls: "type",
  merge: "alike",
};

export function normalizeSchemaForGoogle(value: unknown): JsonSchema {
  return normalizeSchema(objectRootOf(value), GOOGLE);
}

export function normalizeSchemaForCCA(value: unknown): JsonSchema {
  return normalizeSchema(objectRootOf(value), CCA);
}

export function normalizeSchemaForOllama(value: unknown): JsonSchema {
  return normalizeSchema(objectRootOf(value), OLLAMA);
}

/** Whatever a server declares becomes sound JSON Schema of an object, without references. */
export function normalizeSchemaForMCP(value: unknown): JsonSchema {
  return isRecord(value) ? normalizeSchema(objectRootOf(value)) : NO_PROPERTIES;
}

/** Every `oneOf` as `anyOf`: the Responses API knows only this one. */
export function normalizeSchemaForOpenAIResponses(schema: unknown): JsonSchema {
  return oneOfAsAnyOf(upgradeSchema(schema));
}

export function oneOfAsAnyOf(schema: JsonSchema): JsonSchema {
  const node = mapChildren(schema, (child) => (isRecord(child) ? oneOfAsAnyOf(child) : child));
  const { oneOf, anyOf, allOf, ...rest } = node;
  if (!Array.isArray(oneOf)) return node;
  // In the place where it stood: the bytes of a request depend on the order of keys.
  if (!Array.isArray(anyOf)) return renamed(node, "oneOf", "anyOf");
  const others = Array.isArray(allOf) ? allOf : [];
  return { ...rest, allOf: [...others, { anyOf }, { anyOf: oneOf }] };
}

function renamed(schema: JsonSchema, from: string, to: string): JsonSchema {
  const entries = Object.entries(schema);
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}

/** Structure and constraints that the vendor documents for its tools. */
const ANTHROPIC = new Set([
  ...CORE,
  "$ref",
  "$defs",
  "additionalProperties",
  "const",
  "default",
  "examples",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "prefixItems",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
]);

export function normalizeSchemaForAnthropic(value: unknown): JsonSchema {
  return withLiveRefs(anthropicNode(objectRootOf(value)));
}

/** Other keywords, and property names with other letters, make the vendor refuse the request. */
function anthropicNode(schema: JsonSchema): JsonSchema {
  return legalNames(
    mapChildren(only(schema, ANTHROPIC), (child) =>
      isRecord(child) ? anthropicNode(child) : child,
    ),
  );
}

const LEGAL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

function legalNames(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema;
  if (!isRecord(properties) || Object.keys(properties).every((name) => LEGAL_NAME.test(name)))
    return schema;
  const legal = Object.entries(properties).filter(([name]) => LEGAL_NAME.test(name));
  return {
    ...schema,
    properties: Object.fromEntries(legal),
    ...(Array.isArray(required) && { required: required.filter((name) => LEGAL_NAME.test(name)) }),
  };
}

/** Some of the models behind it read only these keywords at the root. */
const BEDROCK_ROOT = new Set(["type", "properties", "required"]);

export function normalizeSchemaForBedrock(value: unknown): JsonSchema {
  const inlined = normalizeSchema(objectRootOf(value));
  return only(anthropicNode(inlined), BEDROCK_ROOT);
}

export function objectRootOf(value: unknown): JsonSchema {
  return objectRoot(upgradeSchema(value));
}
