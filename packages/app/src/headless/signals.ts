/** What Ctrl-C and its kin do to a run without a screen: end it well, then exit as the shell expects. */

/** As shells tell of them: 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export interface SignalWatch extends Disposable {
  /** The exit code that the first signal asks for, if one came. */
  exitCode(): number | undefined;
}

/** The first signal calls `end`, which must bring the run to its end; a second one exits at once. */
export function watchSignals(end: () => void): SignalWatch {
  let exitCode: number | undefined;
  const listeners = Object.entries(EXIT_CODES).map(([signal, code]) => {
    const listener = () => {
      if (exitCode !== undefined) process.exit(exitCode);
      exitCode = code;
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
