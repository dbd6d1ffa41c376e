/** Mappings of settings, as files hold them. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Maps go over each other key by key, at every depth; anything else replaces what was there. */
export function merged(below: unknown, above: unknown): unknown {
  if (!isFields(below) || !isFields(above)) return above;
  const entries = Object.entries(below).filter(([key]) => !Object.hasOwn(above, key));
  const over = Object.entries(above).map(([key, value]): [string, unknown] => [
    key,
    Object.hasOwn(below, key) ? merged(below[key], value) : value,
  ]);
  return Object.fromEntries([...entries, ...over]);
}

/** A setting by its full name, as one key or as nested ones. */
export function valueAt(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  const [key = "", ...rest] = name.split(".");
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return rest.length > 0 && isFields(inner) ? valueAt(inner, rest.join(".")) : undefined;
}

/** Both spellings go. */
export function withoutValue(fields: Fields, name: string): Fields {
  const { [name]: _old, ...others } = fields;
  const [key = "", ...rest] = name.split(".");
  const inner = Object.hasOwn(others, key) ? others[key] : undefined;
  if (rest.length === 0 || !isFields(inner)) return others;
  return { ...others, [key]: withoutValue(inner, rest.join(".")) };
}

export function withValue(fields: Fields, name: string, value: unknown): Fields {
  const [key = "", ...rest] = name.split(".");
  if (rest.length === 0) return { ...fields, [key]: value };
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return { ...fields, [key]: withValue(isFields(inner) ? inner : {}, rest.join("."), value) };
}
