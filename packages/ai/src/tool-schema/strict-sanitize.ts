/** OpenAI's strict mode, first half: everything but structure goes, and structure is said the vendor's way. */

import {
  commonType,
  isRecord,
  mapChildren,
  only,
  without,
  type JsonSchema,
} from "./json-schema.ts";
import { ofType } from "./normalize.ts";
import { resolvePointer } from "./pointer.ts";
import { withWords, worded } from "./spill.ts";
import { NotStrict } from "./strict-enforce.ts";
import { upgradeSchema } from "./upgrade.ts";
import { oneOfAsAnyOf } from "./vendors.ts";

/** @throws NotStrict for what grows without end, and what JSON throws at values that hold themselves */
export function sanitizeSchemaForStrictMode(value: unknown): JsonSchema {
  return sanitizeUpgraded(oneOfAsAnyOf(upgradeSchema(value)));
}

/** More than strict mode takes. */
const MAX_NODES = 12_000;

/** `root` has been upgraded, and has no `oneOf`. */
export function sanitizeUpgraded(root: JsonSchema): JsonSchema {
  let left = MAX_NODES;
  const spend = () => {
    left -= 1;
    if (left < 0) throw new NotStrict("too large a schema");
  };
  return withUsedDefinitions(sanitized({ root, spend }, root, []));
}

interface Walk {
  readonly root: JsonSchema;
  /** Called for each node: references that are inlined again and again must end. */
  readonly spend: () => void;
}

const STRUCTURE = new Set([
  "type",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "prefixItems",
  "enum",
  "const",
  "anyOf",
  "allOf",
  "$ref",
  "$defs",
]);

function sanitized(walk: Walk, schema: JsonSchema, active: readonly string[]): JsonSchema {
  walk.spend();
  const { $ref, allOf } = schema;
  if (typeof $ref === "string") {
    const inlined = withoutRef(walk.root, schema, $ref, active);
    return inlined ? sanitized(walk, inlined, [...active, $ref]) : { $ref };
  }
  if (Array.isArray(allOf) && allOf.length === 1 && isRecord(allOf[0]))
    return sanitized(walk, { ...without(schema, "allOf"), ...allOf[0] }, active);
  const node = splitTypes(withInferredType(only(withDefaultInWords(schema), STRUCTURE)));
  return mapChildren(node, (child) => (isRecord(child) ? sanitized(walk, child, active) : child));
}

/** Undefined where the reference can stay: alone, and at something the vendor lets it point at. */
function withoutRef(
  root: JsonSchema,
  schema: JsonSchema,
  ref: string,
  active: readonly string[],
): JsonSchema | undefined {
  const siblings = without(schema, "$ref");
  const isAlone = Object.keys(siblings).length === 0;
  const isLegal = /^#(\/\$defs\/[^/]+)?$/.test(ref);
  // Inlined once more, what stands in itself would have no end.
  if (active.includes(ref) || (isAlone && isLegal)) return undefined;
  return { ...resolvePointer(root, ref), ...siblings };
}

function withDefaultInWords(schema: JsonSchema): JsonSchema {
  const { default: value, description } = schema;
  if (value === undefined || typeof description !== "string" || description === "") return schema;
  if (description.includes("(default:")) return schema;
  return withWords(schema, `(default: ${worded(value)})`);
}

function withInferredType(schema: JsonSchema): JsonSchema {
  if ("type" in schema) return schema;
  const { enum: values } = schema;
  const given = "const" in schema ? [schema["const"]] : values;
  const type = Array.isArray(given) ? commonType(given) : undefined;
  const isPrimitive = type !== undefined && type !== "object" && type !== "array";
  return isPrimitive ? { type, ...schema } : schema;
}

const SHARED = new Set(["title", "description", "$defs"]);

/** `type: [A, B]` is a choice of an A and a B; what is said of both is said once. */
function splitTypes(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (!Array.isArray(type) || "anyOf" in schema) return schema;
  const own = without(schema, ...SHARED);
  const anyOf = type.map((name: string) => ofType({ ...own, type: name }));
  return { anyOf, ...only(schema, SHARED) };
}

/** A definition that was inlined everywhere would be paid for with every request. */
function withUsedDefinitions(root: JsonSchema): JsonSchema {
  const { $defs } = root;
  if (!isRecord($defs)) return root;
  const used = new Set<string>();
  const note = (node: JsonSchema): void => {
    const { $ref } = node;
    const name = typeof $ref === "string" ? /^#\/\$defs\/(.+)$/.exec($ref)?.[1] : undefined;
    const target = name === undefined ? undefined : resolvePointer(root, `#/$defs/${name}`);
    if (name !== undefined && !used.has(name)) {
      used.add(name);
      if (target) note(target);
    }
    mapChildren(without(node, "$defs"), (child) => (isRecord(child) ? note(child) : undefined));
  };
  note(root);
  const kept = Object.entries($defs).filter(([name]) => used.has(encoded(name)) || used.has(name));
  return { ...without(root, "$defs"), ...(kept.length > 0 && { $defs: Object.fromEntries(kept) }) };
}

function encoded(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
