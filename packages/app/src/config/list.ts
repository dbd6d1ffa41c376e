/** The settings as `omp config list` shows them. */

import type { SettingRow } from "@omp/engine/boot";

const MASK = "********";

/** What a list shows of a setting: secrets are only known to be there. */
export function listed({ isSecret, ...row }: SettingRow): Omit<SettingRow, "isSecret"> {
  return isSecret ? { ...row, value: masked(row.value, row.default) } : row;
}

export function masked(value: unknown, fallback: unknown): unknown {
  return value === "" || value === fallback ? value : MASK;
}

export function listText(rows: readonly SettingRow[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(listed).map(({ name, value, origin, isPlanned }) => {
    const notes = [
      ...(origin === "default" ? [] : [origin]),
      ...(isPlanned ? ["no effect yet"] : []),
    ];
    const end = notes.length === 0 ? "" : `  (${notes.join(", ")})`;
    return `${name.padEnd(width)}  ${words(value)}${end}`;
  });
  return lines.join("\n");
}

export function words(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}
