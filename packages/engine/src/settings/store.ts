/** The values of all settings: defaults, config.yml, files of the project and of `--config`, the environment, flags. */

import {
  messageOf,
  settingName,
  UserError,
  type Setting,
  type SettingArea,
  type Values,
} from "@omp/std";
import fs from "node:fs";
import { readConfigFile } from "./config-file.ts";
import { withoutValue, withValue } from "./fields.ts";
import { fits } from "./fits.ts";
import { catalogueOf, type Layer, type SettingOrigin } from "./layer.ts";
import { candidatesFor, resolve, type Candidate, type Given } from "./resolve.ts";
import type { ConfigSaver } from "./saver.ts";
import { layerOf, stackOf, wrongValue, type SettingProblem, type Stack } from "./stack.ts";

export type { SettingOrigin } from "./layer.ts";
export type { SettingProblem } from "./stack.ts";

export interface SettingLayers {
  readonly areas: readonly SettingArea[];
  /** All areas there are, for keys that are in none of `areas`; without it such keys are not judged. */
  readonly loadAll?: (() => Promise<readonly SettingArea[]>) | undefined;
  readonly configFile: string;
  /** Files of the project, the weakest first: only what may count. */
  readonly projectLayers?: readonly Layer[];
  /** Files of `--config`, the later ones the stronger. */
  readonly overlays?: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Full setting name to value. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Beginnings of names: only the command line changes these, not the person's own file or environment. */
  readonly unchanged?: readonly string[] | undefined;
  /** Hears of changes that could not be saved, and of a file that was broken while omp ran. */
  readonly warn?: (problem: SettingProblem) => void;
}

/** @throws UserError for a file of `--config` that is missing, broken or has a wrong value */
export async function loadSettings(layers: SettingLayers): Promise<SettingsStore> {
  const store = new SettingsStore(layers, await readOverlays(layers.overlays ?? []));
  await store.refresh();
  const fatal = store.problems.find(({ kind, origin }) => kind === "wrong" && origin === "overlay");
  if (fatal) throw new UserError("bad-config", `--config: ${fatal.place}: ${fatal.message}`);
  return store;
}

async function readOverlays(paths: readonly string[]): Promise<readonly Layer[]> {
  if (paths.length === 0) return [];
  const { readOverlay } = await import("./overlay.ts");
  return paths.map(readOverlay);
}

interface Watcher {
  readonly area: SettingArea;
  known: object;
  tell(values: object): void;
}

export class SettingsStore {
  readonly #layers: SettingLayers;
  readonly #overlays: readonly Layer[];
  readonly #watchers = new Set<Watcher>();
  readonly #overrides = new Map<string, unknown>();
  /** Changes of this process that the file does not have yet. */
  readonly #unsaved = new Map<string, unknown>();
  #file: Layer | undefined;
  #fileProblem: SettingProblem | undefined;
  /** What the file was when it was read. */
  #stamp: string | undefined;
  #stack: Stack = { heard: [], problems: [] };
  #saver: ConfigSaver | undefined;

  constructor(layers: SettingLayers, overlays: readonly Layer[]) {
    this.#layers = layers;
    this.#overlays = overlays;
  }

  /** The values of one area, as its room receives them. */
  values<Area extends SettingArea>(area: Area): Values<Area> {
    const given = this.#given();
    const entries = Object.entries(area.settings).map(([key, declared]) => {
      return [key, resolve(settingName(area, key), declared, given).value];
    });
    return Object.fromEntries(entries) as Values<Area>;
  }

  origin(area: SettingArea, key: string): SettingOrigin {
    return resolve(settingName(area, key), area.settings[key]!, this.#given()).origin;
  }

  /** What was not used, and why. Said to the person once; never a failed start unless they want it so. */
  get problems(): readonly SettingProblem[] {
    const file = this.#fileProblem ? [this.#fileProblem] : [];
    return [...file, ...this.#stack.problems, ...this.#environmentProblems()];
  }

  /** What each layer says about a setting, the weakest first. */
  candidates(name: string, declared: Setting): readonly Candidate[] {
    return [...candidatesFor(name, declared, this.#given())];
  }

  /** Reads config.yml again if it is another one than before. One look at the file where it is not. */
  async refresh(): Promise<void> {
    const { configFile } = this.#layers;
    const stamp = stampOf(configFile);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const file = readConfigFile(configFile);
    this.#fileProblem = undefined;
    if (file.kind === "error") this.#fileProblem = this.#broken(file.place, file.reason);
    else this.#file = file.kind === "ok" ? layerOf("file", file) : undefined;
    await this.#restack();
  }

  /** For everyone, from now on: in force at once, written to config.yml in the background. Undefined resets. */
  async set(name: string, value: unknown): Promise<void> {
    await this.#check(name, value);
    const { ConfigSaver: Saver } = await import("./saver.ts");
    this.#saver ??= new Saver(this.#layers.configFile, (changes, error) =>
      this.#saved(changes, error),
    );
    this.#unsaved.set(name, value);
    this.#saver.add(name, value);
    await this.#restack();
  }

  /** For this process only, above everything else. Undefined takes it back. */
  async override(name: string, value: unknown): Promise<void> {
    await this.#check(name, value);
    if (value === undefined) this.#overrides.delete(name);
    else this.#overrides.set(name, value);
    this.#tell();
  }

  /** Calls back with the area's values whenever one of them has changed. @returns ends it */
  watch<Area extends SettingArea>(area: Area, listener: (values: Values<Area>) => void) {
    const tell = (values: object) => listener(values as Values<Area>);
    const watcher: Watcher = { area, known: this.values(area), tell };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** When every change is on the disk. */
  async flush(): Promise<void> {
    await this.#saver?.flush();
  }

  #given(): Given {
    const { environment, flags, unchanged } = this.#layers;
    return { ...this.#stack, environment, flags, unchanged, overrides: this.#overrides };
  }

  async #restack(): Promise<void> {
    const { projectLayers = [] } = this.#layers;
    const file = this.#withUnsaved();
    const layers = [...(file ? [file] : []), ...projectLayers, ...this.#overlays];
    this.#stack = await stackOf(layers, this.#layers);
    this.#tell();
  }

  #withUnsaved(): Layer | undefined {
    if (this.#unsaved.size === 0) return this.#file;
    const { configFile: path } = this.#layers;
    const empty = { kind: "ok", path, text: "", values: {} } as const;
    const file = this.#file ?? layerOf("file", empty);
    let { values } = file.migrated;
    for (const [name, value] of this.#unsaved) {
      values = withoutValue(values, name);
      if (value !== undefined) values = withValue(values, name, value);
    }
    return { ...file, migrated: { ...file.migrated, values } };
  }

  /** A change that could not be saved holds while the process lives. */
  async #saved(changes: ReadonlyMap<string, unknown>, error?: unknown): Promise<void> {
    if (error !== undefined) {
      const message = `${[...changes.keys()].join(", ")} could not be saved: ${messageOf(error)}`;
      const { configFile: place } = this.#layers;
      this.#layers.warn?.({ kind: "unreadable", place, message, origin: "file" });
      return;
    }
    for (const [name, value] of changes) {
      // A later change of the same setting is on its way.
      if (this.#unsaved.get(name) === value) this.#unsaved.delete(name);
    }
    await this.refresh();
  }

  #broken(place: string, reason: string): SettingProblem {
    const rest = this.#file ? "what it said before is in force" : "defaults are in force";
    const message = `cannot be read: ${reason}; ${rest}`;
    const problem = { kind: "unreadable", place, message, origin: "file" } as const;
    if (this.#file) this.#layers.warn?.(problem);
    return problem;
  }

  #environmentProblems(): SettingProblem[] {
    const given = { ...this.#given(), heard: [] };
    return this.#layers.areas.flatMap((area) =>
      Object.entries(area.settings).flatMap(([key, declared]): SettingProblem[] => {
        if (!declared.env && !declared.fallbackEnv) return [];
        const name = settingName(area, key);
        return [...candidatesFor(name, declared, given)]
          .filter(({ isRefused }) => isRefused)
          .map(({ place, origin }) => {
            return { kind: "wrong", place: place(), message: wrongValue(name, declared), origin };
          });
      }),
    );
  }

  async #check(name: string, value: unknown): Promise<void> {
    const { areas, loadAll } = this.#layers;
    const declared = declaredIn(areas, name) ?? declaredIn((await loadAll?.()) ?? [], name);
    if (!declared) throw new UserError("bad-input", `Unknown setting: ${name}`);
    if (value !== undefined && !fits(declared.schema, value)) {
      throw new UserError("bad-input", wrongValue(name, declared));
    }
  }

  #tell(): void {
    for (const watcher of this.#watchers) {
      const values = this.values(watcher.area);
      if (Bun.deepEquals(values, watcher.known)) continue;
      watcher.known = values;
      watcher.tell(values);
    }
  }
}

function declaredIn(areas: readonly SettingArea[], name: string): Setting | undefined {
  return catalogueOf(areas).settings.get(name);
}

/** Tells one state of a file from another. */
function stampOf(path: string): string {
  try {
    const found = fs.statSync(path, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : "none";
  } catch (error) {
    return messageOf(error);
  }
}
