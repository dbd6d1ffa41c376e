/** The file behind the log: made when there is a first line, readable by its owner only. */

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "./clock.ts";
import type { LogLevel, LogTarget } from "./log.ts";

export interface LogPlace {
  readonly directory: string;
  readonly level?: LogLevel;
  readonly clock?: Clock;
}

export function logFile({ directory, level = "info", clock = systemClock }: LogPlace): LogTarget {
  let file: string | undefined;
  let descriptor: number | undefined;
  let isBroken = false;
  return {
    level,
    get file() {
      return file;
    },
    now: () => clock.now(),
    write(line, time) {
      // A folder that refused once is not asked again for every line.
      if (isBroken) return;
      if (descriptor === undefined) {
        isBroken = true;
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        const path = join(directory, fileName(time));
        descriptor = openSync(path, "a", 0o600);
        file = path;
        isBroken = false;
      }
      writeSync(descriptor, line);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** One file for each process and the day it began to write: no two processes share one. */
function fileName(time: number): string {
  return `omp.${new Date(time).toISOString().slice(0, 10)}.${process.pid}.log`;
}
