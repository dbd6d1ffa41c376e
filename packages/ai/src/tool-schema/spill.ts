/** What a vendor's schema cannot say is said to the model in words. */

import { isRecord, only, type JsonSchema } from "./json-schema.ts";

/** In the order they are told. References and other structure are not among them: they are nothing to read. */
const MEANINGFUL = [
  "const",
  "enum",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "contentEncoding",
  "contentMediaType",
  "default",
  "example",
  "examples",
];

const MAX_WORDS = 300;

/** Keeps the keywords that are supported; the others go, and their meaning into the description. */
export function spilled(schema: JsonSchema, supported: ReadonlySet<string>): JsonSchema {
  const kept = only(schema, supported);
  const said = MEANINGFUL.filter((key) => key in schema && !supported.has(key))
    .map((key) => `${key}: ${worded(schema[key])}`)
    .join(", ");
  return said === "" ? kept : withWords(kept, `(${said})`);
}

export function withWords(schema: JsonSchema, words: string): JsonSchema {
  const { description } = schema;
  const before = typeof description === "string" && description !== "" ? `${description} ` : "";
  return { ...schema, description: before + words };
}

export function worded(value: unknown): string {
  const isPlain = typeof value === "string" || (!isRecord(value) && !Array.isArray(value));
  const text = isPlain ? String(value) : JSON.stringify(value);
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
}
