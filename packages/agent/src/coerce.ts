/** Repairs what a model sent where only one thing can be meant. Pure, driven by plain JSON Schema. */

interface JsonSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** `"3"` for a number is 3, `"true"` for a boolean is true, null for an optional field is no field. */
export function coerce(schema: JsonSchema, value: unknown): unknown {
  switch (schema.type) {
    case "number":
    case "integer":
      return typeof value === "string" && isNumeral(value) ? Number(value) : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    case "array":
      return Array.isArray(value) && schema.items
        ? value.map((item) => coerce(schema.items!, item))
        : value;
    case "object":
      return isRecord(value) ? coerceFields(schema, value) : value;
    default:
      return value;
  }
}

function coerceFields(schema: JsonSchema, fields: Readonly<Record<string, unknown>>): unknown {
  const given = Object.entries(fields).filter(
    ([key, value]) => value !== null || schema.required?.includes(key),
  );
  return Object.fromEntries(
    given.map(([key, value]) => {
      const property = schema.properties?.[key];
      return [key, property ? coerce(property, value) : value];
    }),
  );
}

function isNumeral(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
