/** The kinds of settings, in one line each: what most declarations need. */

import { setting, stringMap, Type } from "@omp/std";

interface More {
  readonly env?: string;
  readonly fallbackEnv?: string;
}

interface Range extends More {
  readonly minimum?: number;
  readonly maximum?: number;
}

export function toggle(fallback: boolean, label: string, help: string, more: More = {}) {
  return setting(Type.Boolean(), fallback, { label, help, ...more });
}

export function choice<const Values extends readonly string[]>(
  values: Values,
  fallback: Values[number],
  label: string,
  help: string,
  more: More = {},
) {
  const schema = Type.Unsafe<Values[number]>(Type.Enum([...values]));
  return setting(schema, fallback, { label, help, ...more });
}

/** An integer, not below zero unless told. */
export function count(
  fallback: number,
  label: string,
  help: string,
  { minimum = 0, maximum, ...more }: Range = {},
) {
  const range = { minimum, ...(maximum === undefined ? {} : { maximum }) };
  return setting(Type.Integer(range), fallback, { label, help, ...more });
}

/** A number with a fraction. */
export function amount(
  fallback: number,
  label: string,
  help: string,
  { minimum, maximum, ...more }: Range = {},
) {
  const range = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
  return setting(Type.Number(range), fallback, { label, help, ...more });
}

/** A text; the empty one means "not set" unless the help says otherwise. */
export function text(fallback: string, label: string, help: string, more: More = {}) {
  return setting(Type.String(), fallback, { label, help, ...more });
}

export function secret(label: string, help: string, more: More = {}) {
  return setting(Type.String(), "", { label, help, isSecret: true, ...more });
}

export function texts(fallback: readonly string[], label: string, help: string) {
  return setting(Type.Array(Type.String()), [...fallback], { label, help });
}

/** Names to texts. */
export function names(label: string, help: string) {
  return setting(stringMap(), {}, { label, help });
}

/** Maps and lists whose members the room that uses them checks. */
export function record(label: string, help: string) {
  const schema = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: "object" });
  return setting(schema, {}, { label, help });
}

export function records(label: string, help: string) {
  const schema = Type.Unsafe<readonly Readonly<Record<string, unknown>>[]>({
    type: "array",
    items: { type: "object" },
  });
  return setting(schema, [], { label, help });
}
