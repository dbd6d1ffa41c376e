/**
 * Whether a value is what a setting takes: the part of JSON Schema that declarations use.
 * Every start with a config.yml asks, and a general checker takes milliseconds to load.
 */

import { isFields, type Fields } from "./fields.ts";

interface Schema {
  readonly type?: "boolean" | "integer" | "number" | "string" | "array" | "object";
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export function fits(schema: object, value: unknown): boolean {
  const { type, enum: choices, anyOf, allOf } = schema as Schema;
  if (choices && !choices.includes(value)) return false;
  if (anyOf && !anyOf.some((one) => fits(one, value))) return false;
  if (allOf && !allOf.every((one) => fits(one, value))) return false;
  return type === undefined ? hasRequired(schema, value) : isOfType(type, schema, value);
}

function isOfType(type: NonNullable<Schema["type"]>, schema: Schema, value: unknown): boolean {
  switch (type) {
    case "boolean":
    case "string":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value) && isInRange(schema, value as number);
    case "number":
      return Number.isFinite(value) && isInRange(schema, value as number);
    case "array":
      return Array.isArray(value) && value.every((item) => fits(schema.items ?? {}, item));
    case "object":
      return isFields(value) && hasRequired(schema, value) && areMembersFit(schema, value);
  }
}

function isInRange({ minimum = -Infinity, maximum = Infinity }: Schema, value: number): boolean {
  return value >= minimum && value <= maximum;
}

function hasRequired({ required = [] }: Schema, value: unknown): boolean {
  return !isFields(value) || required.every((key) => Object.hasOwn(value, key));
}

function areMembersFit({ properties = {}, additionalProperties }: Schema, value: Fields): boolean {
  return Object.entries(value).every(([key, member]) => {
    if (Object.hasOwn(properties, key)) return fits(properties[key]!, member);
    if (typeof additionalProperties === "object") return fits(additionalProperties, member);
    return additionalProperties !== false;
  });
}
