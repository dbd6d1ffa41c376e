/** The values of all settings: defaults, then config.yml, files of `--config`, the environment, flags. */

import { existsSync, readFileSync } from "node:fs";
import {
  messageOf,
  settingName,
  UserError,
  type Setting,
  type SettingArea,
  type Values,
} from "@omp/std";
import { acceptedWords } from "./accepted.ts";
import type { Overlay } from "./overlay.ts";

export type SettingOrigin = "default" | "file" | "overlay" | "environment" | "flag";

/** A value that was not used, and why. Said to the person once; never a failed start. */
export interface SettingProblem {
  /** File and key, or the variable or flag: where to look. */
  readonly place: string;
  readonly message: string;
}

export interface SettingLayers {
  readonly areas: readonly SettingArea[];
  readonly configFile: string;
  /** Files of `--config`, the later ones the stronger. */
  readonly overlays?: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Full setting name to value. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Beginnings of names: only the command line changes these, not the person's own file or environment. */
  readonly unchanged?: readonly string[] | undefined;
}

interface Resolved {
  readonly value: unknown;
  readonly origin: SettingOrigin;
}

type Candidate = Resolved & { readonly place: string };
type Check = (schema: object, value: unknown) => boolean;

export class SettingsStore {
  /** Only what differs from the defaults is kept; most people set little. */
  readonly #resolved: ReadonlyMap<string, Resolved>;

  constructor(
    resolved: ReadonlyMap<string, Resolved>,
    readonly problems: readonly SettingProblem[],
  ) {
    this.#resolved = resolved;
  }

  /** The values of one area, as its room receives them. */
  values<Area extends SettingArea>(area: Area): Values<Area> {
    const entries = Object.entries(area.settings).map(([key, declared]) => {
      const resolved = this.#resolved.get(settingName(area, key));
      return [key, resolved ? resolved.value : declared.default];
    });
    return Object.fromEntries(entries) as Values<Area>;
  }

  origin(area: SettingArea, key: string): SettingOrigin {
    return this.#resolved.get(settingName(area, key))?.origin ?? "default";
  }
}

export async function loadSettings(layers: SettingLayers): Promise<SettingsStore> {
  const problems: SettingProblem[] = [];
  const said = {
    file: readConfigFile(layers.configFile, problems),
    overlays: await readOverlays(layers.overlays ?? []),
  };
  const resolved = new Map<string, Resolved>();
  let check: Check | undefined;
  for (const area of layers.areas) {
    for (const [key, declared] of Object.entries(area.settings)) {
      const name = settingName(area, key);
      for (const candidate of candidates(name, declared, said, layers)) {
        // What a flag gives was checked by the flag; most starts need no checker at all.
        if (candidate.origin !== "flag") {
          check ??= (await import("typebox/schema")).Check;
          if (!check(declared.schema, candidate.value)) {
            refuse(candidate, wrongValue(name, declared), problems);
            continue;
          }
        }
        resolved.set(name, merged(resolved.get(name), candidate));
      }
    }
  }
  return new SettingsStore(resolved, problems);
}

/** A map of one file goes over that of another key by key; anything else replaces what was there. */
function merged(below: Resolved | undefined, { value, origin }: Candidate): Resolved {
  const isMerged = origin === "overlay" && isRecord(below?.value) && isRecord(value);
  return { value: isMerged ? { ...(below!.value as object), ...value } : value, origin };
}

function refuse({ origin, place }: Candidate, message: string, problems: SettingProblem[]): void {
  if (origin === "overlay") throw new UserError("bad-config", `--config: ${place}: ${message}`);
  problems.push({ place, message: `${message}; the value is ignored` });
}

async function readOverlays(paths: readonly string[]): Promise<readonly Overlay[]> {
  if (paths.length === 0) return [];
  const { readOverlay } = await import("./overlay.ts");
  return paths.map(readOverlay);
}

/** What each layer says about one setting, weakest first. */
function* candidates(
  name: string,
  declared: Setting,
  { file, overlays }: { readonly file: unknown; readonly overlays: readonly Overlay[] },
  layers: SettingLayers,
): Generator<Candidate> {
  const isOwn = !layers.unchanged?.some((beginning) => name.startsWith(beginning));
  const stored = isOwn ? valueAt(file, name) : undefined;
  if (stored !== undefined) {
    yield { value: stored, origin: "file", place: `${layers.configFile}: ${name}` };
  }
  for (const overlay of overlays) {
    const value = valueAt(overlay.values, name);
    if (value !== undefined) yield { value, origin: "overlay", place: overlay.placeOf(name) };
  }
  const fromEnvironment = isOwn && declared.env ? layers.environment[declared.env] : undefined;
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    const value = Bun.YAML.parse(fromEnvironment);
    yield { value, origin: "environment", place: `environment variable ${declared.env}` };
  }
  const flag = layers.flags[name];
  if (flag !== undefined) yield { value: flag, origin: "flag", place: `flag for ${name}` };
}

function wrongValue(name: string, declared: Setting): string {
  return `${name} must be ${acceptedWords(declared.schema)}`;
}

/** `retry.enabled` is `retry: { enabled: ... }`, or the dotted key itself. */
function valueAt(file: unknown, name: string): unknown {
  if (!isRecord(file)) return undefined;
  if (name in file) return file[name];
  let value: unknown = file;
  for (const part of name.split(".")) {
    if (!isRecord(value)) return undefined;
    value = value[part];
  }
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads at once: every start waits for it, and a small file is there sooner than a thread. */
function readConfigFile(path: string, problems: SettingProblem[]): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return Bun.YAML.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const reason = messageOf(error);
    problems.push({ place: path, message: `cannot be read (${reason}); defaults are in force` });
    return undefined;
  }
}
