/** Time as a door: everything that reads the clock or waits asks a Clock, so that runs can be replayed. */

export interface Clock {
  /** Milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary point. Never goes backwards; use it for durations. */
  monotonic(): number;
  /** @returns what calls it off */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when the signal aborts. Never rejects: ask the signal why it woke. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      callOff();
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const callOff = clock.after(ms, wake);
    signal?.addEventListener("abort", wake);
  });
}
