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
