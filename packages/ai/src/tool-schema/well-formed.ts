/** What JSON Schema 2020-12 asks of the value of each keyword. */

import { isRecord, isSchema, nodesOf, SINGLE, typesOf, type JsonSchema } from "./json-schema.ts";

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isFlag: Check = (value) => typeof value === "boolean";
const isList: Check = (value) => Array.isArray(value);
const isSchemas: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap: Check = (value) => isRecord(value) && Object.values(value).every(isSchema);
const isNames: Check = (value) => Array.isArray(value) && value.every(isText) && distinct(value);
const isType: Check = (value) => {
  if (typeof value === "string") return TYPES.has(value);
  const names = typesOf({ type: value });
  const isWhole = !Array.isArray(value) || (value.length > 0 && value.length === names.length);
  return isWhole && names.length > 0 && names.every((name) => TYPES.has(name)) && distinct(names);
};
const isPattern: Check = (value) => {
  if (typeof value !== "string") return false;
  try {
    return Boolean(new RegExp(value, "u"));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};
const isPatternMap: Check = (value) =>
  isSchemaMap(value) && Object.keys(value as JsonSchema).every(isPattern);

/** Keywords that are not listed may hold anything. */
const CHECKS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries([...SINGLE].map((keyword) => [keyword, isSchema])),
  $schema: isText,
  $id: (value) => typeof value === "string" && /^[^#]*$/.test(value),
  $anchor: (value) => typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
  $dynamicAnchor: (value) => typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
  $ref: isText,
  $dynamicRef: isText,
  $comment: isText,
  $vocabulary: isRecord,
  $defs: isSchemaMap,
  type: isType,
  enum: (value) => Array.isArray(value) && value.length > 0,
  title: isText,
  description: isText,
  examples: isList,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  properties: isSchemaMap,
  patternProperties: isPatternMap,
  required: isNames,
  dependentRequired: (value) => isRecord(value) && Object.values(value).every(isNames),
  dependentSchemas: isSchemaMap,
  minProperties: isCount,
  maxProperties: isCount,
  prefixItems: isSchemas,
  minContains: isCount,
  maxContains: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  anyOf: isSchemas,
  oneOf: isSchemas,
  allOf: isSchemas,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  pattern: isPattern,
  format: isText,
  contentEncoding: isText,
  contentMediaType: isText,
};

/** Whether the value can stand under this keyword. Schemas inside it are not looked into. */
export function isWellFormed(keyword: string, value: unknown): boolean {
  return Object.hasOwn(CHECKS, keyword) ? CHECKS[keyword]!(value) : value !== undefined;
}

/** Whether every node of the tree is well formed, and passes `also`. */
export function isSound(schema: JsonSchema, also: (node: JsonSchema) => boolean): boolean {
  for (const node of nodesOf(schema)) {
    const isWell = Object.entries(node).every(([key, value]) => isWellFormed(key, value));
    if (!isWell || !also(node)) return false;
  }
  return true;
}

export function isKeyword(name: string): boolean {
  return Object.hasOwn(CHECKS, name) || OPENAPI.has(name);
}

const OPENAPI = new Set(["propertyOrdering", "nullable", "example", "default"]);

function distinct(names: readonly unknown[]): boolean {
  return new Set(names).size === names.length;
}
