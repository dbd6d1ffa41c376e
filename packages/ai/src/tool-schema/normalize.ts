/** One walk for all vendors that know only a part of JSON Schema; the options say which part. */

import { branchesOf, impliedType, intersect, unite } from "./combine.ts";
import { dereference } from "./dereference.ts";
import { commonType, isRecord, mapChildren, typesOf, unique } from "./json-schema.ts";
import { only, without, type JsonSchema } from "./json-schema.ts";
import { spilled } from "./spill.ts";
import { upgradeSchema } from "./upgrade.ts";
import { isSound } from "./well-formed.ts";

export interface NormalizeOptions {
  /** The keywords that the vendor knows. Absent: all of them. */
  readonly keywords?: ReadonlySet<string>;
  /** What other keywords meant is written into the description. */
  readonly spill?: boolean;
  /** How it is said that null is allowed: by `nullable`, by a second type, not at all, or as it came. */
  readonly nulls?: "keyword" | "type" | "drop" | "keep";
  /** Which choices become one schema: those of one type, all of them, or none. */
  readonly merge?: "alike" | "any" | "none";
  /** Every node must name its type, and a choice stands alone. */
  readonly typed?: boolean;
  /** Enums are of strings only. */
  readonly stringEnums?: boolean;
  /** What this vendor could not read is replaced by a schema without properties. */
  readonly validateAndFallback?: boolean;
}

/** What is sent in place of a schema that nobody could read. */
export const NO_PROPERTIES: JsonSchema = { type: "object", properties: {} };

/** @throws what JSON throws at values that hold themselves */
export function normalizeSchema(value: unknown, options: NormalizeOptions = {}): JsonSchema {
  const schema = walk(dereference(upgradeSchema(value)), options);
  return options.validateAndFallback && !isPlain(schema) ? NO_PROPERTIES : schema;
}

function walk(schema: JsonSchema, options: NormalizeOptions): JsonSchema {
  const { merge = "none", nulls = "keep" } = options;
  const whole = merge === "none" ? schema : withoutAllOf(schema);
  const { node, isNullable } =
    nulls === "keep" ? { node: whole, isNullable: false } : withoutNull(whole);
  const open = merge === "none" ? node : withTypedBranches(asChoice(tupleAsList(node, options)));
  const visited = mapChildren(open, (child) =>
    typeof child === "boolean" ? anything(child, options) : walk(child, options),
  );
  const merged = merge === "none" ? visited : mergeChoice(visited, merge, options);
  return shaped(withNull(merged, isNullable, nulls), options);
}

/** `true` allows everything; nobody can say `false` in fewer words than it has. */
function anything(schema: boolean, { keywords, typed }: NormalizeOptions): JsonSchema | boolean {
  if (typed) return { type: "string" };
  return keywords || schema ? {} : schema;
}

function withoutAllOf(schema: JsonSchema): JsonSchema {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  return allOf.filter(isRecord).map(withoutAllOf).reduce(intersect, rest);
}

interface Nullable {
  readonly node: JsonSchema;
  readonly isNullable: boolean;
}

/** Null is taken out of types, enums and choices before anybody looks at what is left. */
function withoutNull(schema: JsonSchema): Nullable {
  const { type, enum: values } = schema;
  let node = schema;
  if (Array.isArray(type) && type.includes("null")) {
    const types = type.filter((name) => name !== "null");
    node = { ...node, type: types.length === 1 ? types[0] : types };
  }
  if (Array.isArray(values) && values.includes(null) && values.length > 1)
    node = { ...node, enum: values.filter((value) => value !== null) };
  for (const key of ["anyOf", "oneOf"]) node = withoutNullBranch(node, key);
  return { node, isNullable: node !== schema };
}

function withoutNullBranch(schema: JsonSchema, key: string): JsonSchema {
  const branches = schema[key];
  if (!Array.isArray(branches)) return schema;
  const left = branches.filter((branch) => !isNull(branch));
  if (left.length === branches.length || left.length === 0) return schema;
  const rest = without(schema, key);
  return left.length === 1 && isRecord(left[0])
    ? withoutNullInside(intersect(rest, left[0]))
    : { ...rest, [key]: left };
}

/** The only branch that was left may allow null itself. */
function withoutNullInside(schema: JsonSchema): JsonSchema {
  return withoutNull(schema).node;
}

function isNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { type, enum: values } = schema;
  if (type === "null" || schema["const"] === null) return true;
  return Array.isArray(values) && values.every((value) => value === null);
}

function tupleAsList(schema: JsonSchema, { keywords }: NormalizeOptions): JsonSchema {
  const { prefixItems, items, ...rest } = schema;
  if (!Array.isArray(prefixItems) || keywords?.has("prefixItems") !== false) return schema;
  return { ...rest, items: { anyOf: isRecord(items) ? [...prefixItems, items] : prefixItems } };
}

/** `oneOf` and lists of types are choices, too. */
function asChoice(schema: JsonSchema): JsonSchema {
  const { oneOf, anyOf, type, ...rest } = schema;
  if (Array.isArray(type) && type.length > 1)
    return { anyOf: type.map((name: string) => ofType({ ...schema, type: name })) };
  if (!Array.isArray(oneOf)) return schema;
  const typed = type === undefined ? rest : { type, ...rest };
  if (!Array.isArray(anyOf)) return { ...typed, anyOf: oneOf };
  const pairs = anyOf
    .filter(isRecord)
    .flatMap((a) => oneOf.filter(isRecord).map((b) => intersect(a, b)));
  return { ...typed, anyOf: pairs };
}

/** A branch that names no type is of the type that stands next to the choice. */
function withTypedBranches(schema: JsonSchema): JsonSchema {
  const { anyOf, ...base } = schema;
  const type = impliedType(base);
  if (!Array.isArray(anyOf) || type === undefined) return schema;
  const isOpen = (branch: JsonSchema) => !OWN_TYPE.some((key) => key in branch);
  const typed = (branch: unknown) =>
    isRecord(branch) && isOpen(branch) ? { type, ...branch } : branch;
  return { ...schema, anyOf: anyOf.map(typed) };
}

const OWN_TYPE = ["type", "anyOf", "oneOf", "allOf", "enum", "const"];

const BELONGS: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "prefixItems"],
};

/** Only the keywords that say something about the node's one type. */
export function ofType(schema: JsonSchema): JsonSchema {
  const type = String(schema["type"]);
  const foreign = Object.keys(BELONGS).filter((owner) => owner !== type);
  const node = without(schema, ...foreign.flatMap((owner) => BELONGS[owner] ?? []));
  const { enum: values } = node;
  if (!Array.isArray(values)) return node;
  const own = values.filter((value) => commonType([value, ...sample(type)]) === type);
  return own.length > 0 ? { ...node, enum: own } : without(node, "enum");
}

/** An integer is a number, too. */
function sample(type: string): readonly unknown[] {
  return type === "number" ? [0.5] : [];
}

/** After its children: a choice of schemas of one type becomes that schema. */
function mergeChoice(
  schema: JsonSchema,
  choice: "alike" | "any",
  { typed }: NormalizeOptions,
): JsonSchema {
  const { anyOf, ...base } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const branches = anyOf.filter(isRecord).flatMap(branchesOf);
  const united = unite(unique(branches) as JsonSchema[], choice);
  if (united) return intersect(base, united);
  if (!typed) return { ...base, anyOf: branches };
  return { anyOf: branches.map((branch) => intersect(only(base, SAID_ONCE), branch)) };
}

const SAID_ONCE = new Set(["description", "title"]);

function withNull(
  schema: JsonSchema,
  isNullable: boolean,
  nulls: NormalizeOptions["nulls"],
): JsonSchema {
  if (!isNullable || nulls === "drop" || nulls === "keep") return schema;
  const { anyOf, enum: values } = schema;
  if (nulls === "keyword") {
    if (!Array.isArray(anyOf)) return { ...schema, nullable: true };
    return { ...schema, anyOf: anyOf.map((branch) => ({ ...branch, nullable: true })) };
  }
  const types = typesOf(schema);
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (types.length === 0) return schema;
  const allowed = Array.isArray(values) && { enum: unique([...values, null]) };
  return { ...schema, type: unique([...types, "null"]), ...allowed };
}

/** The last look at a node: only what the vendor knows, and all that it insists on. */
function shaped(schema: JsonSchema, options: NormalizeOptions): JsonSchema {
  const { keywords, spill, typed, stringEnums } = options;
  if (!keywords) return schema;
  const named = typed ? withType(constAsEnum(schema)) : constAsEnum(schema);
  const isSayable = !stringEnums || isStringEnum(named["enum"]);
  const known = isSayable ? keywords : new Set([...keywords].filter((key) => key !== "enum"));
  const kept = spill ? spilled(named, known) : only(named, known);
  return withKnownNames(typed ? withItems(kept) : kept);
}

function constAsEnum(schema: JsonSchema): JsonSchema {
  if (!("const" in schema)) return schema;
  const { const: value, ...rest } = schema;
  return { ...rest, enum: [value] };
}

function withType(schema: JsonSchema): JsonSchema {
  if ("type" in schema || Array.isArray(schema["anyOf"])) return schema;
  const { enum: values } = schema;
  const inferred = Array.isArray(values) ? commonType(values) : impliedType(schema);
  return { type: inferred ?? "string", ...schema };
}

function withItems(schema: JsonSchema): JsonSchema {
  if (schema["type"] !== "array" || isRecord(schema["items"])) return schema;
  return { ...schema, items: { type: "string" } };
}

function isStringEnum(values: unknown): boolean {
  if (!Array.isArray(values)) return true;
  return values.every((value) => typeof value === "string" && value !== "");
}

/** Some vendors refuse a required name that is not among the properties. */
function withKnownNames(schema: JsonSchema): JsonSchema {
  const { required, properties } = schema;
  if (!Array.isArray(required)) return schema;
  const known = required.filter((name) => isRecord(properties) && Object.hasOwn(properties, name));
  return known.length > 0 ? { ...schema, required: known } : without(schema, "required");
}

/** Nothing in it that only some readers of JSON Schema understand. */
function isPlain(schema: JsonSchema): boolean {
  return isSound(schema, (node) => {
    const isOneType = typeof node["type"] === "string" && node["type"] !== "null";
    return isOneType && !["nullable", "anyOf", "oneOf", "allOf"].some((key) => key in node);
  });
}
