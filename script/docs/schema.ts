/** JSON Schema in a few words, for the tables of the references. */

/** The parts of a schema that the words are made from; everything else is left to validation. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** `"a" or "b"`, `integer from 0`, `list of string`. */
export function wordsFor(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.anyOf) return schema.anyOf.map(wordsFor).join(" or ");
  if (schema.type === "array")
    return `list of ${schema.items ? wordsFor(schema.items) : "anything"}`;
  if (schema.type === "object") return objectWords(schema);
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["anything"]);
  return types.join(" or ") + rangeWords(schema);
}

/** The fields of an object schema, in their order. */
export function fieldsOf(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: wordsFor(field),
    isRequired: schema.required?.includes(name) ?? false,
    description: field.description ?? "",
  }));
}

function objectWords(schema: Schema): string {
  const values =
    Object.values(schema.patternProperties ?? {})[0] ??
    (typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined);
  if (values) return `map of ${wordsFor(values)}`;
  const fields = fieldsOf(schema).map(({ name, isRequired }) => (isRequired ? name : `${name}?`));
  return fields.length > 0 ? `{ ${fields.join(", ")} }` : "object";
}

function rangeWords({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum}`;
  return maximum === undefined ? "" : ` up to ${maximum}`;
}
