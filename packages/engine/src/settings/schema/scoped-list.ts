/** A list whose entries hold everywhere, or only in some folders. */

import { Type } from "@omp/std";

/** An entry for some folders: `path`, `paths`, `pathPrefix` or `pathPrefixes`, and what it lists. */
export type ScopedEntry = Readonly<Record<string, string | readonly string[]>>;
export type ScopedList = readonly (string | ScopedEntry)[];

const PATH_KEYS = ["path", "paths", "pathPrefix", "pathPrefixes"] as const;

/** `name` is what such an entry calls its values; `values` will do as well. */
export function scopedList(name: "models" | "providers") {
  const text = { type: "string" };
  const oneOrMore = { anyOf: [text, { type: "array", items: text }] };
  const known = [...PATH_KEYS, name, "values"];
  const entry = {
    type: "object",
    properties: Object.fromEntries(known.map((key) => [key, oneOrMore])),
    additionalProperties: false,
    allOf: [
      { anyOf: PATH_KEYS.map((key) => ({ required: [key] })) },
      { anyOf: [{ required: [name] }, { required: ["values"] }] },
    ],
  };
  return Type.Unsafe<ScopedList>({ type: "array", items: { anyOf: [text, entry] } });
}

/** The values that hold in this folder, in the order they are written. */
export function valuesIn(folder: string, list: ScopedList, home: string): readonly string[] {
  return list.flatMap((entry) => {
    if (typeof entry === "string") return [entry];
    const paths = PATH_KEYS.flatMap((key) => entry[key] ?? []);
    const isHere = paths.some((path) => isWithin(folder, expandHome(path, home)));
    if (!isHere) return [];
    return [entry["models"], entry["providers"], entry["values"]].flatMap((values) => values ?? []);
  });
}

function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

function isWithin(folder: string, path: string): boolean {
  const root = path.replace(/\/+$/, "");
  return folder === root || folder.startsWith(`${root}/`);
}
