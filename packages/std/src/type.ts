/**
 * Schemas with TypeBox's names and static types, made without loading TypeBox.
 *
 * What describes tools and settings is built on every start; TypeBox's machinery takes milliseconds to
 * load and is needed only to check values. The result is plain JSON Schema, which TypeBox checks too.
 */

import type { TSchema, Type as TypeBox } from "typebox";

type Options = Readonly<Record<string, unknown>>;

const optional = Symbol("optional");

function object(properties: Readonly<Record<string, TSchema>>, options?: Options): object {
  const required = Object.keys(properties).filter((key) => !(optional in properties[key]!));
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties,
    ...options,
  };
}

/** The few kinds that descriptions need. Symbols are invisible to JSON and to a schema's reader. */
export const Type = {
  Array: (items: TSchema, options?: Options) => ({ type: "array", items, ...options }),
  Boolean: (options?: Options) => ({ type: "boolean", ...options }),
  Enum: (values: readonly string[], options?: Options) => ({ enum: values, ...options }),
  Integer: (options?: Options) => ({ type: "integer", ...options }),
  Number: (options?: Options) => ({ type: "number", ...options }),
  Object: object,
  Optional: (schema: TSchema) => ({ ...schema, [optional]: true }),
  String: (options?: Options) => ({ type: "string", ...options }),
  Unsafe: (schema: TSchema) => schema,
} as unknown as Pick<
  typeof TypeBox,
  "Array" | "Boolean" | "Enum" | "Integer" | "Number" | "Object" | "Optional" | "String" | "Unsafe"
>;
