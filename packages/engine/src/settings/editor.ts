/** The settings as a person sees and changes them: `omp config`, later the settings screen. */

import {
  acquireLock,
  nearest,
  replaceFile,
  settingName,
  sleep,
  systemClock,
  UserError,
  type Setting,
  type SettingArea,
} from "@omp/std";
import fs from "node:fs";
import { dirname } from "node:path";
import { acceptedWords } from "./accepted.ts";
import { resetInText, setInText } from "./config-text.ts";
import {
  loadSettings,
  type SettingLayers,
  type SettingOrigin,
  type SettingProblem,
} from "./store.ts";

export interface SettingRow {
  readonly name: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly origin: SettingOrigin;
  readonly accepted: string;
  readonly label: string;
  readonly help: string;
  readonly isSecret: boolean;
}

export interface SettingsEditor {
  /** The file that changes go to. */
  readonly path: string;
  readonly problems: readonly SettingProblem[];
  readonly rows: readonly SettingRow[];
  /** @throws UserError `Unknown setting: <name>` */
  row(name: string): SettingRow;
  /** Takes the value as a person types it. @throws UserError with the accepted values */
  set(name: string, text: string): Promise<unknown>;
  /** Back to the default. */
  reset(name: string): Promise<unknown>;
}

export async function openSettingsEditor(layers: SettingLayers): Promise<SettingsEditor> {
  const store = await loadSettings(layers);
  const rows = layers.areas.flatMap((area) => {
    const values = store.values(area) as Readonly<Record<string, unknown>>;
    return Object.entries(area.settings).map(([key, declared]) =>
      rowOf(area, key, declared, { value: values[key], origin: store.origin(area, key) }),
    );
  });
  const path = layers.configFile;
  const row = (name: string): SettingRow => {
    const found = rows.find((one) => one.name === name);
    if (found) return found;
    const guess = nearest(
      name,
      rows.map((one) => one.name),
    );
    const hint = guess === undefined ? "" : `. Did you mean ${guess}?`;
    throw new UserError("bad-input", `Unknown setting: ${name}${hint}`);
  };
  return {
    path,
    problems: store.problems,
    rows,
    row,
    async set(name, text) {
      const { accepted } = row(name);
      const value = await typed(text, schemaOf(name, layers.areas));
      if (value === undefined) {
        throw new UserError("bad-input", `${name} must be ${accepted}, not "${text}"`);
      }
      await change(path, (before) => setInText(before, name, value));
      return value;
    },
    async reset(name) {
      const { default: fallback } = row(name);
      await change(path, (before) => resetInText(before, name));
      return fallback;
    },
  };
}

function rowOf(
  area: SettingArea,
  key: string,
  { schema, default: fallback, label, help, isSecret = false }: Setting,
  { value, origin }: { readonly value: unknown; readonly origin: SettingOrigin },
): SettingRow {
  const name = settingName(area, key);
  const accepted = acceptedWords(schema);
  return { name, value, default: fallback, origin, accepted, label, help, isSecret };
}

function schemaOf(name: string, areas: readonly SettingArea[]): object {
  for (const area of areas) {
    for (const [key, { schema }] of Object.entries(area.settings)) {
      if (settingName(area, key) === name) return schema;
    }
  }
  throw new UserError("bad-input", `Unknown setting: ${name}`);
}

/** A text where the setting takes one, else what the text means as YAML; undefined where neither fits. */
async function typed(text: string, schema: object): Promise<unknown> {
  const { Check } = await import("typebox/schema");
  const readings = [() => text, () => Bun.YAML.parse(text)];
  for (const reading of readings) {
    try {
      const value: unknown = reading();
      if (Check(schema, value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

const PATIENCE_MS = 2000;
const POLL_MS = 20;

/** One writer at a time, from reading to writing: of two changes none is lost. */
async function change(path: string, edit: (text: string) => string): Promise<void> {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const release = await locked(`${path}.lock`);
  try {
    const before = fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "";
    const after = edit(before);
    if (after !== before) await replaceFile(path, after, { mode: 0o600 });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UserError("bad-config", `${path} is not YAML: ${error.message}. Mend it first.`);
  } finally {
    release();
  }
}

async function locked(path: string): Promise<() => void> {
  const giveUp = systemClock.monotonic() + PATIENCE_MS;
  for (;;) {
    const attempt = acquireLock(path);
    if (attempt.kind === "held") return () => attempt.release();
    if (systemClock.monotonic() > giveUp) {
      throw new UserError("busy", `Another program is changing the settings (${path}).`);
    }
    await sleep(systemClock, POLL_MS);
  }
}
