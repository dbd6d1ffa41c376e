/** Checks a value from a file against a rule, and keeps of it what the rule knows. */

import { nearest } from "@omp/std";
import type { KeyPath } from "../yaml-place.ts";

export type Rule =
  | {
      accepts(value: unknown): boolean;
      readonly wanted: string;
      /** May be a secret: a wrong value is not repeated. */
      readonly isPrivate?: true;
    }
  | { readonly list: Rule }
  | { readonly map: Rule }
  | { readonly fields: Readonly<Record<string, Rule>>; readonly required?: readonly string[] };

export interface Complaint {
  readonly path: KeyPath;
  readonly message: string;
  /** A key that nobody knows is left out; anything else spoils the whole value. */
  readonly isFatal: boolean;
}

type Report = (path: KeyPath, message: string, isFatal?: boolean) => void;

/** @returns the value without unknown keys; with a fatal complaint it is not to be used */
export function checkedValue(
  value: unknown,
  rule: Rule,
  path: KeyPath,
): { readonly value: unknown; readonly complaints: readonly Complaint[] } {
  const complaints: Complaint[] = [];
  const report: Report = (at, message, isFatal = true) =>
    complaints.push({ path: at, message, isFatal });
  return { value: visit(value, rule, path, report), complaints };
}

function visit(value: unknown, rule: Rule, path: KeyPath, report: Report): unknown {
  if ("accepts" in rule) {
    const found = rule.isPrivate ? "" : `, not ${shown(value)}`;
    if (!rule.accepts(value)) report(path, `must be ${rule.wanted}${found}`);
    return value;
  }
  if ("list" in rule) {
    if (Array.isArray(value))
      return value.map((item, index) => visit(item, rule.list, [...path, index], report));
    report(path, `must be a list, not ${shown(value)}`);
    return value;
  }
  if (!isRecord(value)) {
    report(path, `must be a map of keys to values, not ${shown(value)}`);
    return value;
  }
  return "map" in rule
    ? mapped(value, (item, key) => visit(item, rule.map, [...path, key], report))
    : visitFields(value, rule, path, report);
}

function visitFields(
  value: Readonly<Record<string, unknown>>,
  rule: Extract<Rule, { fields: unknown }>,
  path: KeyPath,
  report: Report,
): unknown {
  const known = Object.keys(rule.fields);
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(rule.fields, key)) continue;
    const guess = nearest(key, known);
    const hint = guess === undefined ? `Known: ${known.join(", ")}.` : `Did you mean ${guess}?`;
    report([...path, key], `is not known and is ignored. ${hint}`, false);
  }
  for (const key of rule.required ?? []) {
    if (!Object.hasOwn(value, key)) report(path, `needs ${key}`);
  }
  const used = known.filter((key) => Object.hasOwn(value, key) && value[key] !== null);
  return Object.fromEntries(
    used.map((key) => [key, visit(value[key], rule.fields[key]!, [...path, key], report)]),
  );
}

function mapped(
  value: Readonly<Record<string, unknown>>,
  change: (item: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  const text = JSON.stringify(value);
  return text.length <= 24 ? text : "this text";
}
