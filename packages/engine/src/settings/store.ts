/** The values of all settings: defaults, then config.yml, then the environment, then flags. */

import { existsSync, readFileSync } from "node:fs";
import { messageOf, settingName, type Setting, type SettingArea, type Values } from "@omp/std";

export type SettingOrigin = "default" | "file" | "environment" | "flag";

/** A value that was not used, and why. Said to the person once; never a failed start. */
export interface SettingProblem {
  /** File and key, or the variable or flag: where to look. */
  readonly place: string;
  readonly message: string;
}

export interface SettingLayers {
  readonly areas: readonly SettingArea[];
  readonly configFile: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Full setting name to value. */
  readonly flags: Readonly<Record<string, unknown>>;
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
  const file = readConfigFile(layers.configFile, problems);
  const resolved = new Map<string, Resolved>();
  let check: Check | undefined;
  for (const area of layers.areas) {
    for (const [key, declared] of Object.entries(area.settings)) {
      const name = settingName(area, key);
      for (const candidate of candidates(name, declared, file, layers)) {
        // What a flag gives was checked by the flag; most starts need no checker at all.
        if (candidate.origin !== "flag") {
          check ??= (await import("typebox/schema")).Check;
          if (!check(declared.schema, candidate.value)) {
            problems.push({ place: candidate.place, message: wrongValue(name, declared) });
            continue;
          }
        }
        resolved.set(name, candidate);
      }
    }
  }
  return new SettingsStore(resolved, problems);
}

/** What each layer says about one setting, weakest first. */
function* candidates(
  name: string,
  declared: Setting,
  file: unknown,
  layers: SettingLayers,
): Generator<Candidate> {
  const stored = valueAt(file, name);
  if (stored !== undefined) {
    yield { value: stored, origin: "file", place: `${layers.configFile}: ${name}` };
  }
  const fromEnvironment = declared.env === undefined ? undefined : layers.environment[declared.env];
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    const value = Bun.YAML.parse(fromEnvironment);
    yield { value, origin: "environment", place: `environment variable ${declared.env}` };
  }
  const flag = layers.flags[name];
  if (flag !== undefined) yield { value: flag, origin: "flag", place: `flag for ${name}` };
}

function wrongValue(name: string, declared: Setting): string {
  const { type, enum: choices } = declared.schema as { type?: string; enum?: readonly string[] };
  const accepted = choices ? `one of ${choices.join(", ")}` : `of type ${type}`;
  return `${name} must be ${accepted}; the value is ignored`;
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
