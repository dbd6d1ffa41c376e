/** The rewriters under the names that extensions know. */

export { enforceStrictSchema } from "./strict-enforce.ts";
export { sanitizeSchemaForStrictMode } from "./strict-sanitize.ts";
export { adaptSchemaForStrict, tryEnforceStrictSchema } from "./strict.ts";
export { normalizeSchema } from "./normalize.ts";
export {
  normalizeSchemaForCCA,
  normalizeSchemaForGoogle,
  normalizeSchemaForMCP,
  normalizeSchemaForOpenAIResponses,
  normalizeSchemaForOpenAIResponses as sanitizeSchemaForOpenAIResponses,
} from "./vendors.ts";
