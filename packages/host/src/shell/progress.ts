/** Tells of something that changes often, but not too often. */

import type { Clock } from "@omp/std";

export interface Progress {
  /** Something changed: told at once, or when the last telling is long enough ago. */
  touch(): void;
  stop(): void;
}

export function createProgress(clock: Clock, everyMs: number, tell: () => void): Progress {
  let callOff: (() => void) | undefined;
  let hasNews = false;

  const touch = (): void => {
    hasNews = true;
    if (!callOff) tellNews();
  };
  const tellNews = (): void => {
    callOff = undefined;
    if (!hasNews) return;
    hasNews = false;
    callOff = clock.after(everyMs, tellNews);
    tell();
  };
  return { touch, stop: () => callOff?.() };
}
