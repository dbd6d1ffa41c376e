/** One source of settings: a file, by the settings that it holds. */

import { settingName, type Setting, type SettingArea } from "@omp/std";
import { lineOfSetting } from "./config-file.ts";
import { isFields, merged, type Fields } from "./fields.ts";
import type { Migrated } from "./migrations/migrate.ts";

/** Where a value comes from, the weakest first. */
export type SettingOrigin =
  "default" | "file" | "project" | "overlay" | "environment" | "flag" | "override";

/** A file of settings, parsed, with its old keys under their new names. */
export interface Layer {
  readonly origin: "file" | "project" | "overlay";
  readonly path: string;
  readonly text: string;
  readonly raw: Fields;
  readonly migrated: Migrated;
  /** A file of another tool: what we do not know there is not our business. */
  readonly isForeign: boolean;
  /** Whether this file may set it to this value. */
  mayHold(name: string, value: unknown): boolean;
}

/** What is declared, by full name, and the beginnings of those names. */
export interface Catalogue {
  readonly settings: ReadonlyMap<string, Setting>;
  readonly prefixes: ReadonlySet<string>;
}

export function catalogueOf(areas: readonly SettingArea[]): Catalogue {
  const settings = new Map<string, Setting>();
  const prefixes = new Set<string>();
  for (const area of areas) {
    for (const [key, declared] of Object.entries(area.settings)) {
      const name = settingName(area, key);
      settings.set(name, declared);
      for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
        prefixes.add(name.slice(0, dot));
      }
    }
  }
  return { settings, prefixes };
}

/** What a layer says, by full name. */
export interface Said {
  readonly values: ReadonlyMap<string, unknown>;
  readonly unknown: readonly string[];
}

/** `retry.enabled` is `retry: { enabled: ... }`, or the dotted key itself, which wins. A key without a value says nothing. */
export function saidIn(fields: Fields, { settings, prefixes }: Catalogue): Said {
  const values = new Map<string, unknown>();
  const depths = new Map<string, number>();
  const strangers = new Map<string, unknown>();
  const visit = (inside: Fields, start: string, depth: number) => {
    for (const [key, value] of Object.entries(inside)) {
      if (value === null || value === undefined) continue;
      const name = start + key;
      if (settings.has(name)) {
        if (depth > (depths.get(name) ?? Infinity)) continue;
        values.set(name, value);
        depths.set(name, depth);
      } else if (prefixes.has(name) && isFields(value)) visit(value, `${name}.`, depth + 1);
      else strangers.set(name, value);
    }
  };
  visit(fields, "", 0);
  for (const [name, value] of strangers) {
    const map = mapOf(name, settings);
    if (map === undefined) continue;
    values.set(map, merged(values.get(map), { [name.slice(map.length + 1)]: value }));
    strangers.delete(name);
  }
  return { values, unknown: [...strangers.keys()] };
}

/** `modelRoles.smol` as one key is a value of the map `modelRoles`. */
function mapOf(name: string, settings: Catalogue["settings"]): string | undefined {
  const map = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  return isFields(settings.get(map)?.default) ? map : undefined;
}

/** The file, and the line of a setting in it. */
export function placeIn({ path, text, raw, migrated }: Layer, name: string): string {
  return `${path}:${lineOfSetting(text, raw, migrated.moved.get(name) ?? name)}`;
}
