/** Anthropic's strict tools: closed objects, and constraints in words instead of keywords. */

import { dereference } from "./dereference.ts";
import { isRecord, mapChildren, type JsonSchema } from "./json-schema.ts";
import { spilled } from "./spill.ts";
import { NotStrict } from "./strict-enforce.ts";
import { normalizeSchemaForAnthropic, oneOfAsAnyOf } from "./vendors.ts";

/** Optional properties stay optional. @throws NotStrict */
export function anthropicStrict(value: unknown): JsonSchema {
  // Its grammar has no recursion: what refers to itself ends as an object with any properties.
  return strictNode(oneOfAsAnyOf(dereference(normalizeSchemaForAnthropic(value))));
}

/** The same for a plain schema, in which there is nothing to upgrade, to follow or to merge. */
export function plainStrict(schema: object): JsonSchema {
  return strictNode({ type: "object", properties: {}, ...schema });
}

const KNOWN = new Set([
  "type",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "anyOf",
  "allOf",
  "default",
]);
const FORMATS = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid",
]);
const KNOWN_WITH_FORMAT = new Set([...KNOWN, "format"]);

function strictNode(schema: JsonSchema): JsonSchema {
  const { format, enum: values } = schema;
  if ("prefixItems" in schema) throw new NotStrict("a list with different items");
  if (Array.isArray(values) && values.some((value) => typeof value === "object" && value !== null))
    throw new NotStrict("an enum of objects");
  const known = FORMATS.has(String(format)) ? KNOWN_WITH_FORMAT : KNOWN;
  const node = mapChildren(spilled(schema, known), (child) =>
    isRecord(child) ? strictNode(child) : child,
  );
  return closed(node);
}

function closed(node: JsonSchema): JsonSchema {
  const { type, properties, additionalProperties } = node;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (!isObject && !isRecord(properties)) return node;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || !isRecord(properties)) throw new NotStrict("an object with any properties");
  return { ...node, additionalProperties: false };
}
