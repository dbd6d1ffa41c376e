/** Objects of a schema library that were sent as if they were JSON Schema, read as what they mean. */

import { isRecord, mapEntries, type JsonSchema } from "./json-schema.ts";

/** Zod keeps its description of a type under `def`, older versions under `_def`. */
interface Definition {
  readonly [field: string]: unknown;
}

/** Anything else is given back as it is. */
export function detoxify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(detoxify);
  if (!isRecord(value)) return value;
  const definition = definitionOf(value);
  if (!definition) return mapEntries(value, detoxify);
  const schema = schemaOf(definition);
  const description = value["description"] ?? definition["description"];
  return typeof description === "string" ? { ...schema, description } : schema;
}

function definitionOf(value: JsonSchema): Definition | undefined {
  const { def, _def } = value;
  if (isRecord(_def) && typeof _def["typeName"] === "string") return _def;
  // A plain schema may describe a property that is called "def"; it has no `type` inside it that is ours.
  const isZod = isRecord(def) && typeof def["type"] === "string" && value["type"] === def["type"];
  return isZod ? def : undefined;
}

/** Both generations name their kinds alike: `ZodObject` is `object`. */
function kindOf({ typeName, type }: Definition): string {
  const name = typeof typeName === "string" ? typeName.replace(/^Zod/, "") : String(type);
  return name.toLowerCase();
}

function schemaOf(definition: Definition): JsonSchema {
  const kind = kindOf(definition);
  switch (kind) {
    case "string":
    case "boolean":
    case "null":
      return { type: kind };
    case "date":
      return { type: "string", format: "date-time" };
    case "number":
    case "int":
      return { type: isInteger(definition) ? "integer" : "number" };
    case "bigint":
      return { type: "integer" };
    case "literal":
      return enumOf(definition["values"] ?? [definition["value"]]);
    case "enum":
    case "nativeenum":
      return enumOf(valuesOf(definition["entries"] ?? definition["values"]));
    case "array":
    case "set":
      return { type: "array", items: inner(definition, "element", "valueType", "type") };
    case "tuple":
      return { type: "array", prefixItems: list(definition["items"]) };
    case "object":
      return objectOf(definition["shape"]);
    case "record":
    case "map":
      return { type: "object", additionalProperties: inner(definition, "valueType") };
    case "union":
    case "discriminatedunion":
      return { anyOf: list(definition["options"]) };
    case "intersection":
      return { allOf: [inner(definition, "left"), inner(definition, "right")] };
    case "nullable":
      return { anyOf: [inner(definition, "innerType"), { type: "null" }] };
    case "default":
    case "prefault":
      return { ...inner(definition, "innerType"), ...defaultOf(definition["defaultValue"]) };
    default:
      // Wrappers (optional, readonly, catch, effects, pipelines) mean what they wrap; the rest means anything.
      return inner(definition, "innerType", "schema", "in");
  }
}

function isInteger({ type, format, checks }: Definition): boolean {
  if (type === "int" || format === "safeint") return true;
  return Array.isArray(checks) && checks.some(isIntegerCheck);
}

function isIntegerCheck(check: unknown): boolean {
  if (!isRecord(check)) return false;
  return (
    check["kind"] === "int" || (isRecord(check["def"]) && check["def"]["format"] === "safeint")
  );
}

function objectOf(shape: unknown): JsonSchema {
  const fields = Object.entries(isRecord(shape) ? shape : {});
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, asSchema(field)])),
    ...(required.length > 0 && { required }),
  };
}

function isOptional(field: unknown): boolean {
  const definition = isRecord(field) ? definitionOf(field) : undefined;
  return definition !== undefined && /^(optional|default|prefault)$/.test(kindOf(definition));
}

function inner(definition: Definition, ...fields: readonly string[]): JsonSchema {
  const field = fields.find((name) => isRecord(definition[name]));
  return field === undefined ? {} : asSchema(definition[field]);
}

function list(values: unknown): JsonSchema[] {
  return Array.isArray(values) ? values.map(asSchema) : [];
}

function asSchema(value: unknown): JsonSchema {
  const schema = detoxify(value);
  return isRecord(schema) ? schema : {};
}

function enumOf(values: unknown): JsonSchema {
  return { enum: Array.isArray(values) ? values : [values] };
}

function valuesOf(entries: unknown): unknown {
  return isRecord(entries) ? Object.values(entries) : entries;
}

function defaultOf(value: unknown): JsonSchema {
  return value === undefined || isRecord(value) ? {} : { default: value };
}
