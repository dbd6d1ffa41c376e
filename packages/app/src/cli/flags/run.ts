/** Flags that bound a run and its answer. */

import { UserError } from "@omp/std";
import type { Flag } from "../flag.ts";

export const runFlags: readonly Flag[] = [
  {
    name: "max-time",
    value: "<seconds|1h30m>",
    category: "Output",
    help: "Stop after this time with exit code 124; omp -c goes on with the session",
    apply: (invocation, value) => void (invocation.maxTimeMs = milliseconds(value)),
  },
  {
    name: "output-schema",
    value: "<file|json>",
    category: "Output",
    help: "JSON Schema that the last answer must satisfy; prints that JSON",
    apply: (invocation, value) => void (invocation.outputSchema = value),
  },
];

const TIME = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/;
/** Longer than that no timer runs. */
const MAX_SECONDS = 24 * 24 * 3600;

function milliseconds(text: string): number {
  const [, hours = 0, minutes = 0, rest = 0] = TIME.exec(text) ?? [];
  const seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds * 1000;
  throw new UserError(
    "usage",
    `--max-time must be a number of seconds or a time such as 90s, 15m or 1h30m, at most 24 days, not "${text}"`,
  );
}
