/** Tool arguments are an object: every vendor refuses anything else at the root. */

import { intersect, unite } from "./combine.ts";
import { COMBINERS, isRecord, without, type JsonSchema } from "./json-schema.ts";
import { resolvePointer, withLiveRefs } from "./pointer.ts";

/** A root that refers, chooses or combines becomes the one object it means. Takes an upgraded schema. */
export function objectRoot(root: JsonSchema): JsonSchema {
  let left = MAX_PARTS;
  const isSpent = () => (left -= 1) < 0;
  const flat = flatten({ root, isSpent }, root, new Set());
  const object = flat["type"] === "object" || flat["type"] === undefined ? flat : {};
  const { $defs } = root;
  const made = { type: "object", properties: {}, ...object, ...(isRecord($defs) && { $defs }) };
  // What was merged away can no longer be pointed at.
  return COMBINERS.some((key) => key in root) ? withLiveRefs(made) : made;
}

/** Choices of choices of references would grow without end. */
const MAX_PARTS = 100;

interface Walk {
  readonly root: JsonSchema;
  readonly isSpent: () => boolean;
}

function flatten(walk: Walk, schema: JsonSchema, active: ReadonlySet<string>): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref === "string") {
    const rest = without(schema, "$ref");
    const target = active.has($ref) ? undefined : resolvePointer(walk.root, $ref);
    return flatten(walk, { ...target, ...rest }, new Set([...active, $ref]));
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
    Array.isArray(list) && !walk.isSpent()
      ? list.filter(isRecord).map((part) => flatten(walk, part, active))
      : [];
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
