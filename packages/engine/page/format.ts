/** Numbers and times as people read them. Pure. */

export function count(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 1_000_000) return `${round(value / 1000)}k`;
  return `${round(value / 1_000_000)}M`;
}

export function money(value: number): string {
  if (value === 0) return "$0";
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${round(ms / 1000)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function moment(timestamp: string): string {
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return timestamp;
  return time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export function clock(timestamp: string): string {
  const time = new Date(timestamp);
  if (Number.isNaN(time.getTime())) return "";
  return time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

export function plural(value: number, word: string): string {
  return `${value.toLocaleString()} ${word}${value === 1 ? "" : "s"}`;
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10);
}
