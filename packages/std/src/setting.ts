/** One setting is declared once; its type, default, help, validation and documentation come from here. */

import type { Static, TSchema } from "typebox";

export interface Setting<Schema extends TSchema = TSchema> {
  readonly schema: Schema;
  readonly default: Static<Schema>;
  readonly label: string;
  readonly help: string;
  /** Environment variable that overrides the configuration file. */
  readonly env?: string;
  /** Lists do not show its value. */
  readonly isSecret?: boolean;
}

/** Settings that belong together. The full name of one is `<prefix>.<key>`, or the key where the prefix is empty. */
export interface SettingArea<
  Settings extends Readonly<Record<string, Setting>> = Readonly<Record<string, Setting>>,
> {
  readonly prefix: string;
  readonly settings: Settings;
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
  text: { label: string; help: string; env?: string; isSecret?: boolean },
): Setting<Schema> {
  return { schema, default: fallback, ...text };
}

export function settingArea<const Settings extends Readonly<Record<string, Setting>>>(
  prefix: string,
  settings: Settings,
): SettingArea<Settings> {
  return { prefix, settings };
}

/** The name a person writes in config.yml. */
export function settingName(area: SettingArea, key: string): string {
  return area.prefix === "" ? key : `${area.prefix}.${key}`;
}
