/** Tells of something that changes often, but not too often. */

import type { Clock } from "@omp/std";

export interface Progress {
  /** Something changed: told at once, or when the last telling is long enough ago. */
  touch(): void;
  stop(): void;
}

export function createProgress(clock: Clock, everyMs: number, tell: () => void): Progress {
  const stopped = new AbortController();
  let isWaiting = false;
  let hasNews = false;

  const touch = (): void => {
    hasNews = true;
    if (!isWaiting) void run();
  };
  const run = async (): Promise<void> => {
    isWaiting = true;
    while (hasNews && !stopped.signal.aborted) {
      hasNews = false;
      tell();
      await clock.sleep(everyMs, stopped.signal);
    }
    isWaiting = false;
  };
  return { touch, stop: () => stopped.abort() };
}
