/** The settings as a person sees and changes them: `omp config`, later the settings screen. */

import { nearest, settingName, UserError, type Setting, type SettingArea } from "@omp/std";
import { acceptedWords } from "./accepted.ts";
import { changeConfig } from "./config-change.ts";
import { resetInText, setInText } from "./config-text.ts";
import { isFields } from "./fields.ts";
import { migrate } from "./migrations/migrate.ts";
import { effective, type Candidate } from "./resolve.ts";
import {
  loadSettings,
  type SettingLayers,
  type SettingOrigin,
  type SettingProblem,
  type SettingsStore,
} from "./store.ts";
import { typed } from "./typed.ts";
import type { TSchema } from "typebox";

export interface SettingRow {
  readonly name: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly origin: SettingOrigin;
  readonly accepted: string;
  readonly label: string;
  readonly help: string;
  readonly isSecret: boolean;
  /** What it is for is not built yet. */
  readonly isPlanned: boolean;
}

/** One layer's word about a setting. */
export interface SettingSource {
  readonly origin: SettingOrigin;
  /** File and line, variable or command line. */
  readonly place: string;
  readonly value: unknown;
  /** It decides; its map is part of the value; a stronger one hides it; it has no say. */
  readonly standing: "wins" | "merged" | "shadowed" | "refused";
}

/** Why a setting has its value. */
export interface Explanation extends SettingRow {
  /** Who says something about it, the strongest first. */
  readonly sources: readonly SettingSource[];
}

export interface SettingsEditor {
  /** The file that changes go to. */
  readonly path: string;
  readonly problems: readonly SettingProblem[];
  readonly rows: readonly SettingRow[];
  /** @throws UserError `Unknown setting: <name>` */
  row(name: string): SettingRow;
  /** @throws UserError as `row` */
  why(name: string): Explanation;
  /** Takes the value as a person types it. @throws UserError with the accepted values */
  set(name: string, text: string): Promise<unknown>;
  /** Back to the default. */
  reset(name: string): Promise<unknown>;
}

interface Declared {
  readonly area: SettingArea;
  readonly setting: Setting;
  /** Of a map: the name that leads to one of its values. */
  readonly member?: { readonly of: string; readonly key: string };
}

export async function openSettingsEditor(layers: SettingLayers): Promise<SettingsEditor> {
  const store = await loadSettings(layers);
  const declared = declaredIn(layers.areas);
  const path = layers.configFile;
  const find = (name: string): Declared => {
    const found = declared.get(name) ?? memberOf(declared, name);
    if (found) return found;
    const guess = nearest(name, [...declared.keys()]);
    const hint = guess === undefined ? "" : `. Did you mean ${guess}?`;
    throw new UserError("bad-input", `Unknown setting: ${name}${hint}`);
  };
  const why = (name: string) => explain(name, find(name), store);
  const row = (name: string): SettingRow => {
    const { sources: _sources, ...rest } = why(name);
    return rest;
  };
  return {
    path,
    problems: store.problems,
    get rows() {
      return [...declared.keys()].map(row);
    },
    row,
    why,
    async set(name, text) {
      const { schema } = find(name).setting;
      const value = typed(text, schema);
      if (value === undefined) {
        const accepted = acceptedWords(schema);
        throw new UserError("bad-input", `${name} must be ${accepted}, not "${text}"`);
      }
      await changeConfig(path, (before) => setInText(before, name, value));
      return value;
    },
    async reset(name) {
      const { default: fallback } = find(name).setting;
      await changeConfig(path, (before) => withoutOldName(resetInText(before, name), name));
      return fallback;
    },
  };
}

function declaredIn(areas: readonly SettingArea[]): ReadonlyMap<string, Declared> {
  return new Map(
    areas.flatMap((area) =>
      Object.entries(area.settings).map(([key, setting]): [string, Declared] => [
        settingName(area, key),
        { area, setting },
      ]),
    ),
  );
}

/** `modelRoles.smol` is one value of the map `modelRoles`. */
function memberOf(declared: ReadonlyMap<string, Declared>, name: string): Declared | undefined {
  const dot = name.lastIndexOf(".");
  const [of, key] = [name.slice(0, dot), name.slice(dot + 1)];
  const map = declared.get(of);
  if (dot < 0 || key === "" || !map || !isFields(map.setting.default)) return undefined;
  const { additionalProperties: schema = {} } = map.setting.schema as {
    readonly additionalProperties?: TSchema;
  };
  return {
    area: map.area,
    setting: { ...map.setting, schema, default: null },
    member: { of, key },
  };
}

/** A setting that an old one stands for is reset with it. */
function withoutOldName(text: string, name: string): string {
  const values: unknown = Bun.YAML.parse(text);
  const old = isFields(values) ? migrate(values).moved.get(name) : undefined;
  return old === undefined ? text : resetInText(text, old);
}

function candidatesOf(
  name: string,
  { setting, member }: Declared,
  store: SettingsStore,
): readonly Candidate[] {
  if (!member) return store.candidates(name, setting);
  return store.candidates(member.of, { ...setting, schema: { type: "object" } }).flatMap((one) => {
    if (!isFields(one.value) || !Object.hasOwn(one.value, member.key)) return [];
    return [{ ...one, value: one.value[member.key] }];
  });
}

function explain(name: string, declared: Declared, store: SettingsStore): Explanation {
  const { area, setting } = declared;
  const candidates = candidatesOf(name, declared, store);
  const { value, origin, used } = effective(setting, candidates);
  const sources = candidates.toReversed().map((candidate): SettingSource => {
    const standing = candidate.isRefused
      ? "refused"
      : candidate === used.at(-1)
        ? "wins"
        : used.includes(candidate)
          ? "merged"
          : "shadowed";
    return {
      origin: candidate.origin,
      place: candidate.place(),
      value: candidate.value,
      standing,
    };
  });
  const { schema, default: fallback, label, help, isSecret = false } = setting;
  const accepted = acceptedWords(schema);
  const { isPlanned = false } = area;
  return {
    name,
    value,
    default: fallback,
    origin,
    accepted,
    label,
    help,
    isSecret,
    isPlanned,
    sources,
  };
}
