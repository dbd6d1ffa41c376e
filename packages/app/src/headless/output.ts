/** Standard output of a program that may lose its reader at any moment. */

import { codeOf, log, messageOf } from "@omp/std";

export interface Output {
  /** Buffers; the text leaves soon. */
  write(text: string): void;
  /** Resolves when everything written has left, or nobody is left to read it. */
  flush(): Promise<void>;
}

/** `onClosed` is called once when the reader has gone away (`| head -1`). */
export function createOutput(onClosed: () => void): Output {
  const sink = Bun.stdout.writer();
  let isClosed = false;
  let isFlushing = false;
  const fail = (error: unknown) => {
    if (isClosed) return;
    isClosed = true;
    if (codeOf(error) !== "EPIPE") log.warn("stdout-failed", { error: messageOf(error) });
    onClosed();
  };
  const flush = async () => {
    try {
      await sink.flush();
    } catch (error) {
      fail(error);
    }
  };
  const send = (text: string) => {
    try {
      // A promise where the reader is slower than we are.
      Promise.resolve(sink.write(text)).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  return {
    flush,
    write(text) {
      if (isClosed) return;
      send(text);
      if (isFlushing) return;
      isFlushing = true;
      // One flush for all the events of a tick.
      queueMicrotask(() => {
        isFlushing = false;
        void flush(); // It never rejects.
      });
    },
  };
}
