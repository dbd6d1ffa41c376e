/** Numbers and times of sessions in words. Pure but for the clock. */

import { systemClock } from "@omp/std";

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

export function ago(ms: number): string {
  const age = systemClock.now() - ms;
  const [unit, length] = UNITS.find(([, unitMs]) => age >= unitMs) ?? [];
  return unit === undefined ? "just now" : `${plural(Math.floor(age / length!), unit)} ago`;
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
