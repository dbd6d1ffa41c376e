/** The settings as `omp config list` shows them. */

import type { SettingRow } from "@omp/engine/boot";

const MASK = "********";

/** What a list shows of a setting: secrets are only known to be there. */
export function listed({ isSecret, ...row }: SettingRow): Omit<SettingRow, "isSecret"> {
  const isSet = row.value !== "" && row.value !== row.default;
  return isSecret && isSet ? { ...row, value: MASK } : row;
}

export function listText(rows: readonly SettingRow[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(listed).map(({ name, value, origin }) => {
    const from = origin === "default" ? "" : `  (${origin})`;
    return `${name.padEnd(width)}  ${words(value)}${from}`;
  });
  return lines.join("\n");
}

export function words(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
