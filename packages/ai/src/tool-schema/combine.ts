/** Several schemas as one: either of them (`unite`) or all of them at once (`intersect`). */

import { canonical, isRecord, typesOf, unique, type JsonSchema } from "./json-schema.ts";

export type Choice = "alike" | "any";

/**
 * One schema for what any of these allow. Branches must be of one type, or there is none; with `any`
 * a branch that says most stands for all.
 */
export function unite(branches: readonly JsonSchema[], choice: Choice): JsonSchema | undefined {
  const [first] = branches;
  if (!first) return undefined;
  if (unique(branches).length === 1) return first;
  const type = sharedType(branches);
  if (type === undefined) return choice === "any" ? richest(branches) : undefined;
  const words = { ...common(branches), ...sharedWords(branches), type };
  const isNullable = branches.some((branch) => branch["nullable"] === true);
  return {
    ...words,
    ...(isNullable && { nullable: true }),
    ...(type === "object" && unitedObject(branches, choice)),
    ...(type === "array" && unitedItems(branches, choice)),
    ...unitedValues(branches),
  };
}

/** One schema for what both allow; where they contradict each other the second one counts. */
export function intersect(a: JsonSchema, b: JsonSchema): JsonSchema {
  if ("anyOf" in a || "anyOf" in b) return intersectChoices(a, b);
  const both: Record<string, unknown> = { ...a, ...b };
  if (isRecord(a["properties"]) && isRecord(b["properties"]))
    both["properties"] = mergedProperties(a["properties"], b["properties"]);
  if (Array.isArray(a["required"]) && Array.isArray(b["required"]))
    both["required"] = unique([...a["required"], ...b["required"]]);
  if (isRecord(a["items"]) && isRecord(b["items"]))
    both["items"] = intersect(a["items"], b["items"]);
  if (Array.isArray(a["enum"]) && Array.isArray(b["enum"])) {
    const allowed = new Set(b["enum"].map(canonical));
    const shared = a["enum"].filter((value) => allowed.has(canonical(value)));
    if (shared.length > 0) both["enum"] = shared;
  }
  const types = typesOf(b).filter((type) => typesOf(a).includes(type));
  if (types.length > 0) both["type"] = types.length === 1 ? types[0] : types;
  if (typeof a["description"] === "string") both["description"] = a["description"];
  return both;
}

const MAX_PAIRS = 32;

/** Each branch on one side with each on the other: a choice must not stand next to what it is a choice of. */
function intersectChoices(a: JsonSchema, b: JsonSchema): JsonSchema {
  const [left, right] = [a, b].map(({ anyOf, ...rest }) =>
    Array.isArray(anyOf) ? anyOf.filter(isRecord).map((branch) => intersect(rest, branch)) : [rest],
  );
  const pairs = (left ?? []).flatMap((one) => (right ?? []).map((other) => intersect(one, other)));
  return { anyOf: (unique(pairs) as JsonSchema[]).flatMap(branchesOf).slice(0, MAX_PAIRS) };
}

function mergedProperties(a: JsonSchema, b: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...a };
  for (const [name, property] of Object.entries(b)) {
    const other = Object.hasOwn(a, name) ? a[name] : undefined;
    merged[name] = isRecord(other) && isRecord(property) ? intersect(other, property) : property;
  }
  return merged;
}

/** A branch that lists properties is an object, also where it does not say so. */
function sharedType(branches: readonly JsonSchema[]): string | undefined {
  const types = new Set(branches.map(impliedType));
  if (types.has("number")) types.delete("integer");
  const [type] = types;
  return types.size === 1 ? type : undefined;
}

export function impliedType(schema: JsonSchema): string | undefined {
  const types = typesOf(schema);
  if (types.length > 0) return types.length === 1 ? types[0] : undefined;
  if (isRecord(schema["properties"])) return "object";
  return isRecord(schema["items"]) ? "array" : undefined;
}

const RANK = ["object", "array", "string", "number", "integer", "boolean"];

function richest(branches: readonly JsonSchema[]): JsonSchema | undefined {
  const rank = (branch: JsonSchema) => {
    const at = RANK.indexOf(impliedType(branch) ?? "");
    return at === -1 ? RANK.length : at;
  };
  const best = Math.min(...branches.map(rank));
  return unite(
    branches.filter((branch) => rank(branch) === best),
    "alike",
  );
}

/** What every branch says in the same words. */
function common(branches: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = branches;
  const isShared = (key: string, value: unknown) =>
    others.every((other) => key in other && canonical(other[key]) === canonical(value));
  return Object.fromEntries(Object.entries(first).filter(([key, value]) => isShared(key, value)));
}

function sharedWords(branches: readonly JsonSchema[]): JsonSchema {
  const words = branches.map(({ description }) => description);
  const description = unique(words.filter((text) => typeof text === "string" && text !== ""));
  return description.length > 0 ? { description: description.join("; ") } : {};
}

function unitedObject(branches: readonly JsonSchema[], choice: Choice): JsonSchema {
  const byName = new Map<string, JsonSchema[]>();
  for (const { properties } of branches) {
    for (const [name, property] of Object.entries(isRecord(properties) ? properties : {}))
      byName.set(name, [...(byName.get(name) ?? []), isRecord(property) ? property : {}]);
  }
  const required = branches.map((branch) => namesIn(branch["required"]));
  const always = (required[0] ?? []).filter((name) =>
    required.every((list) => list.includes(name)),
  );
  const isClosed = branches.every((branch) => branch["additionalProperties"] === false);
  return {
    properties: Object.fromEntries([...byName].map(([name, all]) => [name, either(all, choice)])),
    ...(always.length > 0 && { required: always }),
    ...(isClosed && { additionalProperties: false }),
  };
}

function unitedItems(branches: readonly JsonSchema[], choice: Choice): JsonSchema {
  const items = branches.map((branch) => branch["items"]).filter(isRecord);
  return items.length === branches.length ? { items: either(items, choice) } : {};
}

function unitedValues(branches: readonly JsonSchema[]): JsonSchema {
  const lists = branches.map((branch) => ("const" in branch ? [branch["const"]] : branch["enum"]));
  return lists.every(Array.isArray) ? { enum: unique(lists.flat()) } : {};
}

/** One schema where that can be, else a choice of them. */
function either(schemas: readonly JsonSchema[], choice: Choice): JsonSchema {
  const distinct = unique(schemas) as JsonSchema[];
  return unite(distinct, choice) ?? { anyOf: distinct.flatMap(branchesOf) };
}

/** A choice inside a choice is one choice. */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, ...rest } = schema;
  return Array.isArray(anyOf) && Object.keys(rest).length === 0 ? anyOf : [schema];
}

function namesIn(required: unknown): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}
