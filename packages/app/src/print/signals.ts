/** What Ctrl-C and its kin do to a run without a screen: end it well, then exit as the shell expects. */

import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const SIGNAL_EXIT_BASE = 128;

export interface SignalWatch extends Disposable {
  /** The exit code that the first signal asks for, if one came. */
  exitCode(): number | undefined;
}

/** The first signal calls `end`, which must bring the run to its end; a second one exits at once. */
export function watchSignals(end: () => void): SignalWatch {
  let exitCode: number | undefined;
  const listeners = SIGNALS.map((signal) => {
    const listener = () => {
      if (exitCode !== undefined) process.exit(exitCode);
      exitCode = SIGNAL_EXIT_BASE + constants.signals[signal];
      end();
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  return {
    exitCode: () => exitCode,
    [Symbol.dispose]() {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}
