/** Tool arguments are an object: every vendor refuses anything else at the root. */

import { intersect, unite } from "./combine.ts";
import { COMBINERS, isRecord, without, type JsonSchema } from "./json-schema.ts";
import { resolvePointer } from "./pointer.ts";

/** A root that refers, chooses or combines becomes the one object it means. Takes an upgraded schema. */
export function objectRoot(root: JsonSchema): JsonSchema {
  const flat = flatten(root, root, new Set());
  const object = flat["type"] === "object" || flat["type"] === undefined ? flat : {};
  const { $defs } = root;
  return { type: "object", properties: {}, ...object, ...(isRecord($defs) && { $defs }) };
}

function flatten(root: JsonSchema, schema: JsonSchema, active: ReadonlySet<string>): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref === "string") {
    const rest = without(schema, "$ref");
    const target = active.has($ref) ? undefined : resolvePointer(root, $ref);
    return flatten(root, { ...target, ...rest }, new Set([...active, $ref]));
  }
  const { anyOf, oneOf, allOf } = schema;
  const base = without(
    asOneType(schema),
    ...COMBINERS,
    "not",
    "enum",
    "const",
    "if",
    "then",
    "else",
  );
  const parts = (list: unknown) =>
    Array.isArray(list) ? list.filter(isRecord).map((part) => flatten(root, part, active)) : [];
  const chosen = [anyOf, oneOf].map((list) =>
    unite(parts(list).filter(isObject).map(named), "alike"),
  );
  return [...parts(allOf), ...chosen.filter((part) => part !== undefined)].reduce(intersect, base);
}

/** A root that may also be null or a list is an object, where it may be one. */
function asOneType(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  return Array.isArray(type) && type.includes("object") ? { ...schema, type: "object" } : schema;
}

function isObject({ type }: JsonSchema): boolean {
  return type === "object" || type === undefined;
}

function named(schema: JsonSchema): JsonSchema {
  return { ...schema, type: "object" };
}
