/** Local references replaced by what they point at, for vendors that know none. */

import { isRecord, mapChildren, only, without, type JsonSchema } from "./json-schema.ts";
import { resolvePointer } from "./pointer.ts";

/** Definitions that name each other twice over would grow without end: beyond this, references stay shallow. */
const MAX_NODES = 2_000;

/** A reference to what it stands in ends there, with no more than the type said. */
export function dereference(root: JsonSchema): JsonSchema {
  let left = MAX_NODES;
  const visit = (node: JsonSchema, active: readonly string[]): JsonSchema => {
    left -= 1;
    const { $ref } = node;
    const own = without(node, "$ref", "$defs");
    const target = typeof $ref === "string" ? resolvePointer(root, $ref) : undefined;
    if (typeof $ref !== "string" || !target)
      return mapChildren(own, (child) => (isRecord(child) ? visit(child, active) : child));
    if (active.includes($ref) || left <= 0) return visit({ ...shallow(target), ...own }, active);
    return visit({ ...target, ...own }, [...active, $ref]);
  };
  return visit(root, ["#"]);
}

const SHALLOW = new Set(["type", "title", "description"]);

function shallow(target: JsonSchema): JsonSchema {
  return only(target, SHALLOW);
}
