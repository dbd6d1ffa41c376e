/** Clocks whose time passes by hand. */

import { systemClock, type Clock } from "@omp/std";

export interface ManualClock extends Clock {
  /** Moves time on and does what was due. */
  advance(ms: number): void;
  /** How many wait. */
  readonly waiting: number;
}

/** Stands still until it is told. */
export function manualClock(): ManualClock {
  let time = 0;
  const due = createDue();
  return {
    now: () => time,
    monotonic: () => time,
    after: (ms, action) => due.add(time + ms, action),
    advance(ms) {
      time += ms;
      due.run(time);
    },
    get waiting() {
      return due.size;
    },
  };
}

export interface LimitClock {
  readonly clock: Clock;
  /** Lets this much of the long waits pass. */
  pass(ms: number): void;
  /** Resolves when somebody waits for long. */
  readonly isWaiting: Promise<void>;
}

const SHORT_MS = 1000;

/** Real time for short waits; the long ones, the limits under test, pass by hand. */
export function limitClock(): LimitClock {
  let passed = 0;
  const due = createDue();
  const waiting = Promise.withResolvers<void>();
  return {
    clock: {
      ...systemClock,
      after(ms, action) {
        if (ms < SHORT_MS) return systemClock.after(ms, action);
        waiting.resolve();
        return due.add(passed + ms, action);
      },
    },
    pass(ms) {
      passed += ms;
      due.run(passed);
    },
    isWaiting: waiting.promise,
  };
}

function createDue() {
  const entries = new Set<{ readonly at: number; readonly action: () => void }>();
  return {
    get size() {
      return entries.size;
    },
    add(at: number, action: () => void): () => void {
      const entry = { at, action };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    run(time: number): void {
      for (const entry of [...entries].sort((a, b) => a.at - b.at)) {
        if (entry.at > time || !entries.delete(entry)) continue;
        entry.action();
      }
    },
  };
}
