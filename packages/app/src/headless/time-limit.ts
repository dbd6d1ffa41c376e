/** `--max-time`: ends a run that takes too long, first well, then at once. */

import { systemClock } from "@omp/std";

/** The exit code, as of the program `timeout`. */
export const TIME_IS_OVER = 124;
/** Time for a run to end well: its commands are killed and its session is written in less. */
const GRACE_MS = 10_000;

export interface TimeLimit extends Disposable {
  /** The exit code that the limit asks for, if it was reached. */
  exitCode(): number | undefined;
}

/** When the time is over `end` is called, which must bring the run to its end. */
export function limitTime(limitMs: number | undefined, end: () => void): TimeLimit {
  let exitCode: number | undefined;
  let callOff = () => {};
  if (limitMs !== undefined) {
    callOff = systemClock.after(limitMs, () => {
      exitCode = TIME_IS_OVER;
      callOff = systemClock.after(GRACE_MS, () => process.exit(TIME_IS_OVER));
      end();
    });
  }
  return { exitCode: () => exitCode, [Symbol.dispose]: () => callOff() };
}
