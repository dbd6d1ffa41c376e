/** Sizes and ages in a few characters. */

const SIZES = ["KB", "MB", "GB", "TB"];

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  const power = Math.min(SIZES.length, Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${(bytes / 1024 ** power).toFixed(1)}${SIZES[power - 1]}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const AGES = [
  { unit: "y", ms: 365 * DAY },
  { unit: "mo", ms: 30 * DAY },
  { unit: "w", ms: 7 * DAY },
  { unit: "d", ms: DAY },
  { unit: "h", ms: HOUR },
  { unit: "m", ms: MINUTE },
];

export function ageOf(ms: number): string {
  const age = AGES.find((candidate) => ms >= candidate.ms);
  return age ? `${Math.floor(ms / age.ms)}${age.unit} ago` : "just now";
}
