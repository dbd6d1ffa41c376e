/** References inside one document. Nothing is ever fetched. */

import { isRecord, mapChildren, without, type JsonSchema } from "./json-schema.ts";

/** What `#/...` points at, where that is a schema. */
export function resolvePointer(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (ref === "#" || ref === "#/") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    const name = decoded(part);
    const isThere = typeof at === "object" && at !== null && Object.hasOwn(at, name);
    if (!isThere) return undefined;
    at = (at as JsonSchema)[name];
  }
  return isRecord(at) ? at : undefined;
}

/** A reference that leads nowhere allows everything; what is said next to it still holds. */
export function withLiveRefs(root: JsonSchema): JsonSchema {
  const visit = (schema: JsonSchema): JsonSchema => {
    const { $ref } = schema;
    const node = typeof $ref === "string" ? withLiveRef(root, schema, $ref) : schema;
    return mapChildren(node, (child) => (isRecord(child) ? visit(child) : child));
  };
  return visit(root);
}

/** What older drafts called otherwise has moved. */
function withLiveRef(root: JsonSchema, schema: JsonSchema, $ref: string): JsonSchema {
  const moved = $ref
    .replaceAll("/definitions/", "/$defs/")
    .replace(/\/items\/(\d+)/g, "/prefixItems/$1");
  const live = [$ref, moved].find((ref) => resolvePointer(root, ref));
  return live === undefined ? without(schema, "$ref") : { ...schema, $ref: live };
}

function decoded(part: string): string {
  const text = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
