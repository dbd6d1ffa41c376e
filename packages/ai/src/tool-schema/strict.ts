/** OpenAI's strict mode where a schema can be said in it, and the plain schema where not. */

import { ignore } from "@omp/std";
import { isRecord, nodesOf, type JsonSchema } from "./json-schema.ts";
import { enforceStrictSchema, NotStrict } from "./strict-enforce.ts";
import { sanitizeUpgraded } from "./strict-sanitize.ts";
import { objectRootOf, oneOfAsAnyOf } from "./vendors.ts";

export interface AdaptedSchema {
  readonly schema: JsonSchema;
  /** The vendor may be told so only where this is true. */
  readonly strict: boolean;
}

export function adaptSchemaForStrict(schema: unknown, strict: boolean): AdaptedSchema {
  return strict ? tryEnforceStrictSchema(schema) : { schema: objectRootOf(schema), strict: false };
}

/** What cannot be strict is sent as it is, upgraded. */
export function tryEnforceStrictSchema(schema: unknown): AdaptedSchema {
  const plain = objectRootOf(schema);
  try {
    return { schema: strictly(plain), strict: true };
  } catch (error) {
    ignore(error, "a tool that cannot be strict works all the same");
    return { schema: plain, strict: false };
  }
}

function strictly(plain: JsonSchema): JsonSchema {
  refuseLossOf(plain);
  const schema = enforceStrictSchema(sanitizeUpgraded(oneOfAsAnyOf(plain)));
  refuseBeyondLimits(schema);
  return schema;
}

/** Sanitising would take these away, and with them arguments that the tool needs. */
function refuseLossOf(plain: JsonSchema): void {
  for (const { patternProperties } of nodesOf(plain))
    if (isRecord(patternProperties)) throw new NotStrict("properties named by a pattern");
}

const MAX_PROPERTIES = 5_000;
const MAX_DEPTH = 10;
const MAX_CHARACTERS = 120_000;
const MAX_VALUES = 1_000;
const LONG_ENUM = 250;
const MAX_LONG_ENUM_CHARACTERS = 15_000;

/** The vendor's published limits. */
function refuseBeyondLimits(schema: JsonSchema): void {
  let [properties, characters, values] = [0, 0, 0];
  for (const node of nodesOf(schema)) {
    if ("allOf" in node) throw new NotStrict("several schemas at once");
    if ("prefixItems" in node) throw new NotStrict("a list with different items");
    const names = ["properties", "$defs"].flatMap((key) => Object.keys(node[key] ?? {}));
    const listed = Array.isArray(node["enum"]) ? node["enum"] : [];
    const size = listed.join("").length;
    properties += Object.keys(node["properties"] ?? {}).length;
    characters += names.join("").length + size + JSON.stringify(node["const"] ?? "").length;
    values += listed.length;
    if (listed.length > LONG_ENUM && size > MAX_LONG_ENUM_CHARACTERS)
      throw new NotStrict("an enum that is too long");
  }
  const isTooMuch =
    properties > MAX_PROPERTIES || characters > MAX_CHARACTERS || values > MAX_VALUES;
  if (isTooMuch || depthOf(schema) > MAX_DEPTH) throw new NotStrict("too large a schema");
}

/** How deep objects and lists stand in each other. */
function depthOf(schema: JsonSchema): number {
  const { properties, items, anyOf, $defs } = schema;
  const below = (map: unknown) => (isRecord(map) ? Object.values(map).filter(isRecord) : []);
  const deepest = (nodes: readonly JsonSchema[]) => Math.max(0, ...nodes.map(depthOf));
  const inner = deepest([...below(properties), ...(isRecord(items) ? [items] : [])]);
  const beside = deepest([...(Array.isArray(anyOf) ? anyOf : []), ...below($defs)]);
  const isNest = isRecord(properties) || isRecord(items);
  return Math.max(beside, inner + (isNest ? 1 : 0));
}
