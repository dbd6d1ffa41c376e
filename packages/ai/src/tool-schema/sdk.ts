/** The rewriters under the names that extensions know. */

export { enforceStrictSchema } from "./strict-enforce.ts";
export { sanitizeSchemaForStrictMode } from "./strict-sanitize.ts";
export { adaptSchemaForStrict, tryEnforceStrictSchema, type AdaptedSchema } from "./strict.ts";
export { normalizeSchema, type NormalizeOptions } from "./normalize.ts";
export {
  normalizeSchemaForCCA,
  normalizeSchemaForGoogle,
  normalizeSchemaForMCP,
  normalizeSchemaForOpenAIResponses,
  normalizeSchemaForOpenAIResponses as sanitizeSchemaForOpenAIResponses,
} from "./vendors.ts";
