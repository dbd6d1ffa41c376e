/** Schemas so plain that every server reads them as they are: most tools have one. */

const SHAPES = new Set(["string", "number", "integer", "boolean", "array", "object"]);
const LIMITS = new Set(["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"]);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What is said of a schema that passed: whether it has maps, whose names nobody knows beforehand. */
export interface PlainSchema {
  readonly hasMaps: boolean;
}

/** Undefined for a schema that some server would stumble over. */
export function plainSchema(schema: unknown): PlainSchema | undefined {
  const seen = { hasMaps: false };
  return isObject(schema) && schema["type"] === "object" && isPlain(schema, seen)
    ? seen
    : undefined;
}

function isPlain(schema: unknown, seen: { hasMaps: boolean }): boolean {
  if (!isObject(schema) || !SHAPES.has(schema["type"] as string)) return false;
  for (const key in schema) if (!isPlainKeyword(key, schema[key], schema, seen)) return false;
  return true;
}

function isPlainKeyword(
  key: string,
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  seen: { hasMaps: boolean },
): boolean {
  switch (key) {
    case "type":
      return true;
    case "description":
      return typeof value === "string";
    case "items":
      return isPlain(value, seen);
    case "properties":
      return (
        isObject(value) &&
        Object.entries(value).every(
          ([name, property]) => NAME.test(name) && isPlain(property, seen),
        )
      );
    case "required":
      return isNames(value) && isObject(schema["properties"]);
    case "additionalProperties":
      seen.hasMaps = true;
      return isPlain(value, seen);
    default:
      return LIMITS.has(key) && typeof value === "number";
  }
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
