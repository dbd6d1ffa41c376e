/** The files of settings, the weakest first: what each says, and what is wrong with it. */

import { nearest, type Setting, type SettingArea } from "@omp/std";
import { acceptedWords } from "./accepted.ts";
import type { ConfigFile } from "./config-file.ts";
import { duplicateKeys } from "./duplicate-keys.ts";
import { fits } from "./fits.ts";
import {
  catalogueOf,
  placeIn,
  saidIn,
  type Catalogue,
  type Layer,
  type Said,
  type SettingOrigin,
} from "./layer.ts";
import { migrate } from "./migrations/migrate.ts";

/** Something in a file, a variable or a flag that is not used, and why. */
export interface SettingProblem {
  readonly kind: "unreadable" | "untrusted" | "wrong" | "forbidden" | "unknown" | "twice";
  /** File and line, or the variable: where to look. */
  readonly place: string;
  readonly message: string;
  readonly origin: SettingOrigin;
}

/** A layer with what counts of it. */
export interface HeardLayer {
  readonly layer: Layer;
  readonly values: ReadonlyMap<string, unknown>;
  /** Values of the wrong kind, or that this file may not set. */
  readonly refused: ReadonlyMap<string, unknown>;
}

export interface Stack {
  readonly heard: readonly HeardLayer[];
  readonly problems: readonly SettingProblem[];
}

export interface StackOptions {
  /** The areas that are asked for. */
  readonly areas: readonly SettingArea[];
  /** The others: loaded when a file has a key that is in none of these. Without it such keys are not judged. */
  readonly loadAll?: (() => Promise<readonly SettingArea[]>) | undefined;
  /** Beginnings of names that only the command line changes. */
  readonly unchanged?: readonly string[] | undefined;
}

export async function stackOf(layers: readonly Layer[], options: StackOptions): Promise<Stack> {
  if (layers.length === 0) return { heard: [], problems: [] };
  let catalogue = catalogueOf(options.areas);
  let said = layers.map(({ migrated }) => saidIn(migrated.values, catalogue));
  const { loadAll } = options;
  if (loadAll && said.some(({ unknown }) => unknown.length > 0)) {
    catalogue = catalogueOf([...(await loadAll()), ...options.areas]);
    said = layers.map(({ migrated }) => saidIn(migrated.values, catalogue));
  }
  const problems: SettingProblem[] = [];
  const heard = layers.map((layer, at) => {
    if (loadAll) problems.push(...oddities(layer, said[at]!, catalogue));
    return hear(layer, said[at]!, catalogue, options, problems);
  });
  return { heard, problems };
}

interface LayerWishes {
  readonly isForeign?: boolean;
  readonly mayHold?: Layer["mayHold"];
}

export function layerOf(
  origin: Layer["origin"],
  { path, text, values }: Extract<ConfigFile, { kind: "ok" }>,
  { isForeign = false, mayHold = () => true }: LayerWishes = {},
): Layer {
  return { origin, path, text, raw: values, migrated: migrate(values), isForeign, mayHold };
}

export function wrongValue(name: string, { schema }: Setting): string {
  return `${name} must be ${acceptedWords(schema)}`;
}

function hear(
  layer: Layer,
  said: Said,
  { settings }: Catalogue,
  { unchanged = [] }: StackOptions,
  problems: SettingProblem[],
): HeardLayer {
  const values = new Map<string, unknown>();
  const refused = new Map<string, unknown>();
  const { origin, isForeign } = layer;
  for (const [name, value] of said.values) {
    if (origin !== "overlay" && unchanged.some((start) => name.startsWith(start))) continue;
    const declared = settings.get(name)!;
    const isFit = fits(declared.schema, value);
    if (isFit && layer.mayHold(name, value)) {
      values.set(name, value);
      continue;
    }
    refused.set(name, value);
    if (isForeign) continue;
    problems.push({
      kind: isFit ? "forbidden" : "wrong",
      place: placeIn(layer, name),
      message: isFit ? `${name} needs your consent: omp trust` : wrongValue(name, declared),
      origin,
    });
  }
  return { layer, values, refused };
}

/** Keys that nobody knows, and keys that are there twice. */
function oddities(layer: Layer, { unknown }: Said, catalogue: Catalogue): SettingProblem[] {
  const { origin, path, text, isForeign } = layer;
  if (isForeign) return [];
  const strangers = unknown.map((name) => ({
    kind: "unknown" as const,
    place: placeIn(layer, name),
    message: unknownMessage(name, catalogue),
    origin,
  }));
  const twice = path.endsWith(".json") ? [] : duplicateKeys(text);
  return [
    ...strangers,
    ...twice.map(({ key, line, firstLine }) => {
      return {
        kind: "twice" as const,
        place: `${path}:${line}`,
        message: `${key} is there twice (also in line ${firstLine}); the last one counts`,
        origin,
      };
    }),
  ];
}

function unknownMessage(name: string, { settings, prefixes }: Catalogue): string {
  if (prefixes.has(name)) return `${name} must be a mapping of settings`;
  const guess = nearest(name, [...settings.keys()]);
  const hint = guess === undefined ? "" : ` Did you mean ${guess}?`;
  return `there is no setting ${name}.${hint}`;
}
