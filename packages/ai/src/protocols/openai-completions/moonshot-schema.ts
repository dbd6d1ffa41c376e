/** Moonshot's dialect of JSON Schema: every schema has a type, and beside `anyOf` stands none. */

type Schema = Readonly<Record<string, unknown>>;

/** Kept by the schema it was made from: tools are sent on every turn, and must not change between them. */
export const moonshotSchema = remembered((schema: object) => rewritten(schema as Schema));

function rewritten(schema: Schema): Schema {
  const { anyOf, oneOf, allOf, type, ...rest } = schema;
  const whole = listOf(allOf).reduce<Schema>((joined, part) => ({ ...part, ...joined }), rest);
  const inner = { ...whole, ...childrenOf(whole) };
  const options = Array.isArray(type)
    ? type.map((name) => ({ type: name }) as Schema)
    : listOf(anyOf ?? oneOf);
  if (options.length === 0) return { ...inner, type: type ?? typeOf(inner) };
  const isObject = type === "object" || "properties" in inner;
  return isObject ? objectOf(inner, options) : { ...inner, anyOf: typed(options, type) };
}

/** Arguments must be one object: what its options have is joined. */
function objectOf(schema: Schema, options: readonly Schema[]): Schema {
  const properties = options.map((option) => mapOf(option["properties"], rewritten));
  return {
    ...schema,
    type: "object",
    properties: Object.assign({}, ...properties, schema["properties"]),
  };
}

function typed(options: readonly Schema[], type: unknown): Schema[] {
  const outer = typeof type === "string" ? { type } : {};
  return options.map((option) => rewritten({ ...outer, ...option }));
}

function childrenOf(schema: Schema): Schema {
  const children: Record<string, unknown> = {};
  for (const key of ["properties", "$defs"]) {
    if (isSchema(schema[key])) children[key] = mapOf(schema[key], rewritten);
  }
  for (const key of ["items", "additionalProperties"]) {
    if (isSchema(schema[key])) children[key] = rewritten(schema[key]);
  }
  return children;
}

function typeOf(schema: Schema): string | undefined {
  if ("$ref" in schema) return undefined;
  if ("properties" in schema) return "object";
  if ("items" in schema) return "array";
  const values = [schema["const"], ...listOfAny(schema["enum"])];
  const example = values.find((value) => value !== undefined);
  return example === undefined ? "string" : nameOf(example);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function mapOf(map: unknown, change: (schema: Schema) => Schema): Schema {
  if (!isSchema(map)) return {};
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [name, isSchema(value) ? change(value) : value]),
  );
}

function listOf(value: unknown): readonly Schema[] {
  return listOfAny(value).filter(isSchema);
}

function listOfAny(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function remembered(make: (source: object) => object): (source: object) => object {
  const made = new WeakMap<object, object>();
  return (source) => {
    const known = made.get(source) ?? make(source);
    made.set(source, known);
    return known;
  };
}
