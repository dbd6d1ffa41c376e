/** OpenAI's strict mode, second half: closed objects whose properties are all required. */

import { isRecord, mapChildren, mapEntries, typesOf, type JsonSchema } from "./json-schema.ts";

/** The schema says something that strict mode has no words for. */
export class NotStrict extends Error {
  override readonly name = "NotStrict";
}

/** Takes a sanitised schema. @throws NotStrict */
export function enforceStrictSchema(schema: JsonSchema): JsonSchema {
  return enforced(schema);
}

function enforced(schema: unknown): JsonSchema {
  if (!isRecord(schema)) throw new NotStrict("a schema that allows everything");
  requireType(schema);
  const node = closed(schema);
  return mapChildren(node, enforcedChild);
}

/** `additionalProperties: false` is the one schema that is a word. */
function enforcedChild(child: JsonSchema | boolean): JsonSchema | false {
  return child === false ? false : enforced(child);
}

function requireType(schema: JsonSchema): void {
  const types = typesOf(schema);
  if (Array.isArray(schema["type"])) throw new NotStrict("several types next to a choice");
  const hasShape = ["$ref", "anyOf", "allOf"].some((key) => key in schema);
  if (types.length === 0 && !hasShape) throw new NotStrict("a value of any type");
  if (types[0] === "array" && !("items" in schema) && !("prefixItems" in schema))
    throw new NotStrict("a list of anything");
}

/** Formerly optional properties may be null: the model must name them all. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, required, additionalProperties } = schema;
  if (schema["type"] !== "object" && !isRecord(properties)) return schema;
  if (!isRecord(properties)) throw new NotStrict("an object with any properties");
  if (additionalProperties !== undefined && additionalProperties !== false)
    throw new NotStrict("an object with further properties");
  const given = new Set(Array.isArray(required) ? required : []);
  return {
    ...schema,
    properties: mapEntries(properties, (property, name) =>
      given.has(name) || allowsNull(property) ? property : orNull(property),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function orNull(property: unknown): JsonSchema {
  return { anyOf: [property, { type: "null" }] };
}

function allowsNull(property: unknown): boolean {
  if (!isRecord(property)) return false;
  const { anyOf } = property;
  return property["type"] === "null" || (Array.isArray(anyOf) && anyOf.some(allowsNull));
}
