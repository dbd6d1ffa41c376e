/** References inside one document. Nothing is ever fetched. */

import { isRecord, type JsonSchema } from "./json-schema.ts";

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

function decoded(part: string): string {
  const text = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
