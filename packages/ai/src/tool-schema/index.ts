/** The arguments of a tool as each vendor's dialect of JSON Schema can say them. */

import { ignore } from "@omp/std";
import type { ToolSchema } from "../schema/model.ts";
import { anthropicStrict, plainStrict } from "./anthropic-strict.ts";
import { NO_PROPERTIES } from "./normalize.ts";
import { plainSchema } from "./plain.ts";
import { tryEnforceStrictSchema } from "./strict.ts";
import {
  normalizeSchemaForAnthropic,
  normalizeSchemaForBedrock,
  normalizeSchemaForGoogle,
  normalizeSchemaForOllama,
  objectRootOf,
  oneOfAsAnyOf,
} from "./vendors.ts";

/** Named after wires; `plain` is for servers that take any JSON Schema. */
export type SchemaDialect =
  "openai" | "openai-responses" | "google" | "anthropic" | "ollama" | "bedrock" | "plain";

export interface ToolParameters {
  readonly parameters: object;
  /** Whether the vendor may be told to hold the model to the schema. */
  readonly strict: boolean;
}

/**
 * Strict is a wish; the result says whether it could be granted. One set of parameters is rewritten
 * once for a dialect: later turns send the same bytes and pay nothing.
 */
export const toolParameters = rewrittenOnce();

function rewrittenOnce() {
  // By the parameters, not the tool: the same ones are often wrapped anew for each request.
  const known = new WeakMap<object, Map<string, ToolParameters>>();
  return (
    dialect: SchemaDialect,
    { parameters }: ToolSchema,
    { strict = false }: { readonly strict?: boolean } = {},
  ): ToolParameters => {
    const key = `${dialect} ${strict}`;
    const all = known.get(parameters) ?? new Map<string, ToolParameters>();
    const made = all.get(key) ?? rewrite(dialect, parameters, strict);
    known.set(parameters, all.set(key, made));
    return made;
  };
}

function rewrite(dialect: SchemaDialect, schema: object, strict: boolean): ToolParameters {
  try {
    return rewritten(dialect, schema, strict);
  } catch (error) {
    ignore(error, "one tool nobody can read must not cost the request");
    return { parameters: NO_PROPERTIES, strict: false };
  }
}

function rewritten(dialect: SchemaDialect, schema: object, strict: boolean): ToolParameters {
  switch (dialect) {
    case "openai":
      return strict ? openaiStrict(schema) : loose(objectRootOf(schema));
    case "openai-responses": {
      const parameters = strict ? openaiStrict(schema) : loose(objectRootOf(schema));
      return { ...parameters, parameters: oneOfAsAnyOf({ ...parameters.parameters }) };
    }
    case "anthropic": {
      // Nothing to rewrite, and a map cannot be strict: the first request of every start is spared the walks.
      const plain = plainSchema(schema);
      if (plain) return strict && !plain.hasMaps ? held(schema, plainStrict, same) : loose(schema);
      const normalize = normalizeSchemaForAnthropic;
      return strict ? held(schema, anthropicStrict, normalize) : loose(normalize(schema));
    }
    case "google":
      return loose(normalizeSchemaForGoogle(schema));
    case "ollama":
      return loose(normalizeSchemaForOllama(schema));
    case "bedrock":
      return loose(normalizeSchemaForBedrock(schema));
    case "plain":
      return loose(objectRootOf(schema));
  }
}

function loose(parameters: object): ToolParameters {
  return { parameters, strict: false };
}

function openaiStrict(schema: object): ToolParameters {
  const adapted = tryEnforceStrictSchema(schema);
  return { parameters: adapted.schema, strict: adapted.strict };
}

/** Strict where that is possible. */
function held(
  schema: object,
  strict: (schema: object) => object,
  otherwise: (schema: object) => object,
): ToolParameters {
  try {
    return { parameters: strict(schema), strict: true };
  } catch (error) {
    ignore(error, "a tool that cannot be strict works all the same");
    return loose(otherwise(schema));
  }
}

function same(schema: object): object {
  return schema;
}
