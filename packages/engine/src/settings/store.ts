/** The values of all settings: defaults, config.yml, files of the project and of `--config`, the environment, flags. */

import { settingName, UserError, type Setting, type SettingArea, type Values } from "@omp/std";
import { ConfigLayer } from "./config-layer.ts";
import { fits } from "./fits.ts";
import { catalogueOf, type Layer, type SettingOrigin } from "./layer.ts";
import { candidatesFor, resolve, type Candidate, type Given } from "./resolve.ts";
import { stackOf, wrongValue, type SettingProblem, type Stack } from "./stack.ts";

export type { SettingOrigin } from "./layer.ts";
export type { SettingProblem } from "./stack.ts";

export interface SettingLayers {
  readonly areas: readonly SettingArea[];
  /** All areas there are, for keys that are in none of `areas`; without it such keys are not judged. */
  readonly loadAll?: (() => Promise<readonly SettingArea[]>) | undefined;
  readonly configFile: string;
  /** Files of the project, the weakest first: only what may count. */
  readonly projectLayers?: readonly Layer[];
  /** What was wrong when those were looked for. */
  readonly projectProblems?: readonly SettingProblem[];
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
  if ((layers.overlays ?? []).length === 0) return store;
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
  readonly #config: ConfigLayer;
  #project: readonly Layer[];
  #stack: Stack = { heard: [], problems: [] };
  /** The values of areas that were asked for, as long as nothing changes. */
  readonly #settled = new Map<SettingArea, object>();

  constructor(layers: SettingLayers, overlays: readonly Layer[]) {
    const { configFile, projectLayers = [], warn } = layers;
    this.#layers = layers;
    this.#overlays = overlays;
    this.#project = projectLayers;
    this.#config = new ConfigLayer(configFile, { warn, onSaved: () => this.refresh() });
  }

  /** The values of one area, as its room receives them. */
  values<Area extends SettingArea>(area: Area): Values<Area> {
    const known = this.#settled.get(area);
    if (known) return known as Values<Area>;
    const given = this.#given();
    const values: Record<string, unknown> = {};
    for (const key in area.settings) {
      const declared = area.settings[key]!;
      const isPlain = this.#isSilent && !hasVariable(declared, given);
      values[key] = isPlain
        ? declared.default
        : resolve(settingName(area, key), declared, given).value;
    }
    this.#settled.set(area, values);
    return values as Values<Area>;
  }

  origin(area: SettingArea, key: string): SettingOrigin {
    return resolve(settingName(area, key), area.settings[key]!, this.#given()).origin;
  }

  /** What was not used, and why. Said to the person once; never a failed start unless they want it so. */
  get problems(): readonly SettingProblem[] {
    const { problem } = this.#config;
    const { areas, projectProblems = [] } = this.#layers;
    const given = this.#given();
    return [
      ...(problem ? [problem] : []),
      ...projectProblems,
      ...this.#stack.problems,
      ...areas.flatMap((area) => wrongVariables(area, given)),
    ];
  }

  /** What each layer says about a setting, the weakest first. */
  candidates(name: string, declared: Setting): readonly Candidate[] {
    return candidatesFor(name, declared, this.#given());
  }

  /** Reads config.yml again if it is another one than before. One look at the file where it is not. */
  async refresh(): Promise<void> {
    await this.refreshed();
  }

  /** The same, for those who need not wait: undefined where nothing changed. */
  refreshed(): Promise<void> | undefined {
    return this.#config.refresh() ? this.#restack() : undefined;
  }

  /** The session works in another project: its files take the place of the former ones. */
  async enterProject(layers: readonly Layer[]): Promise<void> {
    this.#project = layers;
    await this.#restack();
  }

  /** For everyone, from now on: in force at once, written to config.yml in the background. Undefined resets. */
  async set(name: string, value: unknown): Promise<void> {
    await this.#check(name, value);
    await this.#config.change(name, value);
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
    await this.#config.flush();
  }

  /** Only variables can say anything: no file, flag or override does. */
  get #isSilent(): boolean {
    const { flags } = this.#layers;
    const said = this.#stack.heard.length + this.#overrides.size + Object.keys(flags).length;
    return said === 0;
  }

  #given(): Given {
    const { environment, flags, unchanged } = this.#layers;
    return { ...this.#stack, environment, flags, unchanged, overrides: this.#overrides };
  }

  async #restack(): Promise<void> {
    const { layer } = this.#config;
    const layers = [...(layer ? [layer] : []), ...this.#project, ...this.#overlays];
    this.#stack = await stackOf(layers, this.#layers);
    this.#tell();
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
    this.#settled.clear();
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

function wrongVariables(area: SettingArea, given: Given): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const key in area.settings) {
    const declared = area.settings[key]!;
    if (!hasVariable(declared, given)) continue;
    const name = settingName(area, key);
    for (const said of candidatesFor(name, declared, { ...given, heard: [] })) {
      if (!said.isRefused) continue;
      const message = wrongValue(name, declared);
      problems.push({ kind: "wrong", place: said.place(), message, origin: said.origin });
    }
  }
  return problems;
}

/** Whether the environment says anything about a setting. */
function hasVariable({ env, fallbackEnv }: Setting, { environment }: Given): boolean {
  return Boolean((env && environment[env]) || (fallbackEnv && environment[fallbackEnv]));
}
