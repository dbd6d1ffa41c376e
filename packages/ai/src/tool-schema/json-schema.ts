/** JSON Schema as data: which keywords hold schemas, and how a tree of them is walked without a trace. */

/** A schema as it comes from outside: any value under any key. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `true` allows everything, `false` nothing. */
export function isSchema(value: unknown): value is JsonSchema | boolean {
  return typeof value === "boolean" || isRecord(value);
}

/** Keywords that hold one schema. */
export const SINGLE: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentSchema",
]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const MAPS = new Set(["properties", "$defs", "patternProperties", "dependentSchemas"]);

const HOLDERS = new Set([...SINGLE, ...LISTS, ...MAPS]);

export const COMBINERS = ["anyOf", "oneOf", "allOf"] as const;

/** The same node with each schema inside it replaced. The order of keys stays. */
export function mapChildren(
  schema: JsonSchema,
  change: (child: JsonSchema | boolean) => unknown,
): JsonSchema {
  // Most nodes are leaves.
  if (!Object.keys(schema).some((key) => HOLDERS.has(key))) return schema;
  const changed = (value: unknown) => (isSchema(value) ? change(value) : value);
  return mapEntries(schema, (value, key) => {
    if (SINGLE.has(key)) return changed(value);
    if (LISTS.has(key) && Array.isArray(value)) return value.map(changed);
    if (MAPS.has(key) && isRecord(value)) return mapEntries(value, changed);
    return value;
  });
}

/** Every node of the tree below and with this one, parents first. */
export function* nodesOf(schema: JsonSchema): Generator<JsonSchema, void, void> {
  const waiting: JsonSchema[] = [schema];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    const children: JsonSchema[] = [];
    mapChildren(node, (child) => (isRecord(child) ? children.push(child) : 0));
    waiting.push(...children.reverse());
  }
}

/** Names come from outside: one of them may be `__proto__`. */
export function mapEntries(
  record: JsonSchema,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, change(value, key)]),
  );
}

export function without(schema: JsonSchema, ...keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

export function only(schema: JsonSchema, keys: ReadonlySet<string>): JsonSchema {
  if (Object.keys(schema).every((key) => keys.has(key))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keys.has(key)));
}

/** Equal values have equal words, whatever the order of their keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export function unique(values: readonly unknown[]): unknown[] {
  if (values.length < 2) return [...values];
  const seen = new Map(values.map((value) => [canonical(value), value]));
  return [...seen.values()];
}

/** The types a node names; empty where it names none. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : [];
}

/** The JSON type of a value, in the words of JSON Schema. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** One type for all of these values, or none. */
export function commonType(values: readonly unknown[]): string | undefined {
  const types = new Set(values.map(typeOf));
  if (types.has("number")) types.delete("integer");
  const [type] = types;
  return types.size === 1 ? type : undefined;
}
