/** Time as a door: everything that reads the clock or waits asks a Clock, so that runs can be replayed. */

export interface Clock {
  /** Milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary point. Never goes backwards; use it for durations. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects: ask the signal why it woke. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener("abort", wake);
    });
  },
};
