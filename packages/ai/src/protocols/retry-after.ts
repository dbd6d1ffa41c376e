/** How long a provider asks us to wait before the next request. */

/** Headers before words; undefined when there is no hint. */
export function retryAfterMs(headers: Headers, message: string, now: number): number | undefined {
  const wait =
    numberOf(headers.get("retry-after-ms")) ??
    fromRetryAfter(headers.get("retry-after"), now) ??
    numberOf(headers.get("x-ratelimit-reset-ms")) ??
    fromReset(headers.get("x-ratelimit-reset"), now) ??
    fromWords(message);
  return wait === undefined ? undefined : Math.max(0, Math.ceil(wait));
}

/** Seconds, or a date. */
function fromRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const seconds = numberOf(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : date - now;
}

const YEAR_2001_SECONDS = 1e9;

/** Seconds from now, or seconds since 1970: nobody waits thirty years. */
function fromReset(value: string | null, now: number): number | undefined {
  const seconds = numberOf(value);
  if (seconds === undefined) return undefined;
  return seconds < YEAR_2001_SECONDS ? seconds * 1000 : seconds * 1000 - now;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** "Please try again in 1m6.5s", "retry in 20 seconds". */
function fromWords(message: string): number | undefined {
  const phrase =
    /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)? ?(?:ms|h|m|s)[a-z]* ?)+)/i.exec(message);
  if (!phrase?.[1]) return undefined;
  const parts = phrase[1].matchAll(/(\d+(?:\.\d+)?) ?(ms|h|m|s)/gi);
  return [...parts].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit?.toLowerCase() ?? ""] ?? 0),
    0,
  );
}

function numberOf(value: string | null): number | undefined {
  const number = value === null || value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
