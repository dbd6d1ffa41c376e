/** One setting is declared once; its type, default, help, validation and documentation come from here. */

import type { Static, TSchema } from "typebox";

export interface Setting<Schema extends TSchema = TSchema> {
  readonly schema: Schema;
  readonly default: Static<Schema>;
  readonly label: string;
  readonly help: string;
  /** Environment variable that overrides the configuration files. */
  readonly env?: string;
  /** Environment variable that counts where no file says anything. */
  readonly fallbackEnv?: string;
  /** Lists do not show its value. */
  readonly isSecret?: boolean;
}

/** Settings that belong together. The full name of one is `<prefix>.<key>`, or the key where the prefix is empty. */
export interface SettingArea<
  Settings extends Readonly<Record<string, Setting>> = Readonly<Record<string, Setting>>,
> {
  readonly prefix: string;
  readonly settings: Settings;
  /** Known, checked and kept, but what it is for is not built yet. */
  readonly isPlanned?: boolean;
}

/** What a room receives: plain values, not the store. */
export type Values<Area extends SettingArea> = {
  readonly [Key in keyof Area["settings"]]: Area["settings"][Key] extends Setting<infer Schema>
    ? Static<Schema>
    : never;
};

export function setting<Schema extends TSchema>(
  schema: Schema,
  fallback: Static<Schema>,
  text: Omit<Setting, "schema" | "default">,
): Setting<Schema> {
  return { schema, default: fallback, ...text };
}

export function settingArea<const Settings extends Readonly<Record<string, Setting>>>(
  prefix: string,
  settings: Settings,
): SettingArea<Settings> {
  return { prefix, settings };
}

/** An area whose room is not there yet. The room that comes makes a `settingArea` of it. */
export function plannedArea<const Settings extends Readonly<Record<string, Setting>>>(
  prefix: string,
  settings: Settings,
): SettingArea<Settings> {
  return { prefix, settings, isPlanned: true };
}

/** The name a person writes in config.yml. */
export function settingName(area: SettingArea, key: string): string {
  return area.prefix === "" ? key : `${area.prefix}.${key}`;
}
