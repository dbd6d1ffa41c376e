/** Any schema as JSON Schema 2020-12: older drafts upgraded, other spellings respelled, broken keywords dropped. */

import { detoxify } from "./detoxify.ts";
import { isRecord, isSchema, mapChildren, mapEntries, typesOf, unique } from "./json-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import { withLiveRefs } from "./pointer.ts";
import { isKeyword, isWellFormed } from "./well-formed.ts";

/** @throws what JSON throws at values that hold themselves */
export function upgradeSchema(value: unknown): JsonSchema {
  const text = JSON.stringify(value) ?? "{}";
  const copy: unknown = JSON.parse(text);
  // Looking for a word is cheaper than walking a tree, and few trees have any of these.
  const plain = /"_?def":/.test(text) ? detoxify(copy) : copy;
  const root = upgraded(isRecord(plain) ? plain : {});
  return text.includes('ref"') ? withLiveRefs(root) : root;
}

type Draft = Record<string, unknown>;

function upgraded(schema: JsonSchema): JsonSchema {
  const node = isOrdinary(schema) ? schema : repaired(schema);
  return mapChildren(node, (child) => (typeof child === "boolean" ? child : upgraded(child)));
}

/** Keywords that mean the same in every draft. Most nodes have no others. */
const ORDINARY = new Set([
  ...["type", "title", "description", "required", "items", "const", "default"],
  ...["additionalProperties", "pattern", "format", "minimum", "maximum"],
  ...["minLength", "maxLength", "minItems", "maxItems"],
]);

function isOrdinary(schema: JsonSchema): boolean {
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    const isKnown = key === "properties" ? hasPlainProperties(value) : ORDINARY.has(key);
    const isPlain = typeof value !== "object" || !Array.isArray(value) || key === "required";
    if (!isKnown || !isPlain || !isWellFormed(key, value)) return false;
  }
  return true;
}

/** Draft 3 said in a property that it is required. */
function hasPlainProperties(properties: unknown): boolean {
  if (!isRecord(properties)) return false;
  return Object.values(properties).every((property) => !isRequiredInside(property));
}

function isRequiredInside(property: unknown): boolean {
  return isRecord(property) && property["required"] === true;
}

function repaired(schema: JsonSchema): JsonSchema {
  const draft = respelled(schema);
  for (const step of STEPS) step(draft);
  const sound = Object.entries(draft).filter(([key, value]) => isWellFormed(key, value));
  return Object.fromEntries(sound);
}

/** `any_of` is `anyOf`; where both are given, the first one counts. */
function respelled(schema: JsonSchema): Draft {
  const draft: Draft = { ...schema };
  for (const key of Object.keys(schema)) {
    if (!key.includes("_")) continue;
    const name = key.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    if (name === key || !isKeyword(name)) continue;
    draft[name] = draft[key];
    delete draft[key];
  }
  return draft;
}

/** In order: what a step makes, a later one may repair. */
const STEPS: readonly ((draft: Draft) => void)[] = [
  dropNames,
  renameDefinitions,
  splitItems,
  splitDependencies,
  moveExclusiveLimits,
  liftRequired,
  repairType,
  repairLists,
  spellOutNullable,
];

/** They say nothing to a model, and only local references are followed. */
function dropNames(draft: Draft): void {
  for (const key of ["$schema", "$id", "$comment", "$vocabulary"]) delete draft[key];
}

function renameDefinitions(draft: Draft): void {
  const { definitions, $defs } = draft;
  if (!isRecord(definitions)) return;
  draft["$defs"] = { ...definitions, ...(isRecord($defs) && $defs) };
  delete draft["definitions"];
}

function splitItems(draft: Draft): void {
  const { items, additionalItems } = draft;
  delete draft["additionalItems"];
  if (!Array.isArray(items)) return;
  draft["prefixItems"] ??= items;
  delete draft["items"];
  if (isSchema(additionalItems)) draft["items"] = additionalItems;
}

function splitDependencies(draft: Draft): void {
  const { dependencies } = draft;
  delete draft["dependencies"];
  if (!isRecord(dependencies)) return;
  for (const [name, value] of Object.entries(dependencies)) {
    const keyword = Array.isArray(value) ? "dependentRequired" : "dependentSchemas";
    const others = isRecord(draft[keyword]) ? draft[keyword] : {};
    draft[keyword] = { ...others, [name]: value };
  }
}

function moveExclusiveLimits(draft: Draft): void {
  for (const limit of ["minimum", "maximum"]) {
    const exclusive = `exclusive${limit[0]!.toUpperCase()}${limit.slice(1)}`;
    if (draft[exclusive] !== true) continue;
    draft[exclusive] = draft[limit];
    delete draft[limit];
  }
}

function liftRequired(draft: Draft): void {
  const { properties, required } = draft;
  if (!isRecord(properties)) return;
  const own = Array.isArray(required) ? required : [];
  const lifted = Object.keys(properties).filter((name) => isRequiredInside(properties[name]));
  if (lifted.length > 0) draft["required"] = [...own, ...lifted];
}

function repairType(draft: Draft): void {
  if (draft["type"] === undefined) return;
  const names = typesOf(draft).map((name) => name.toLowerCase());
  const known = unique(names.filter((name) => isWellFormed("type", name)));
  draft["type"] = known.length === 1 ? known[0] : known;
}

function repairLists(draft: Draft): void {
  const { required, properties, enum: values } = draft;
  if (Array.isArray(required))
    draft["required"] = unique(required.filter((name) => typeof name === "string"));
  if (Array.isArray(values)) draft["enum"] = unique(values);
  if (isRecord(properties))
    draft["properties"] = mapEntries(properties, (value) => (isSchema(value) ? value : {}));
  for (const key of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
    const branches = draft[key];
    if (Array.isArray(branches)) draft[key] = branches.filter(isSchema);
  }
}

/** OpenAPI's way to say that null is allowed. */
function spellOutNullable(draft: Draft): void {
  const { nullable, type, enum: values } = draft;
  if (typeof nullable !== "boolean") return;
  delete draft["nullable"];
  if (!nullable || type === undefined) return;
  draft["type"] = unique([...typesOf(draft), "null"]);
  if (Array.isArray(values)) draft["enum"] = unique([...values, null]);
}
