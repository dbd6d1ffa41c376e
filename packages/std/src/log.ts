/** The program's own log: JSON lines in a file that only the owner can read. The one singleton of the house. */

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "./clock.ts";
import { createRedactor, type Redactor } from "./redact.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

export interface LogPlace {
  readonly directory: string;
  /** Lines below it are not written. `info` unless told. */
  readonly level?: LogLevel;
  readonly clock?: Clock;
}

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Says where lines go, and writes those that were kept until now. Nothing is created before there is a line. */
  open(place: LogPlace): void;
  /** The file, as soon as something was written to it. */
  readonly file: string | undefined;
  /** From now on this value never reaches the log. */
  addSecret(value: string): void;
}

interface Line {
  readonly level: LogLevel;
  readonly time: number;
  readonly event: string;
  readonly fields: LogFields;
}

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
const MAX_KEPT = 200;

export const log: Log = createLog();

/** A separate log; the program itself uses `log`. */
export function createLog(): Log {
  const redactor = createRedactor();
  let kept: Line[] = [];
  let place: LogPlace | undefined;
  let file: string | undefined;
  let fd: number | undefined;
  let isBroken = false;

  const add = (level: LogLevel, event: string, fields: LogFields = {}): void => {
    if (place !== undefined && !isWanted(level, place)) return;
    try {
      const time = (place?.clock ?? systemClock).now();
      // Redacting makes a copy, so the caller may go on changing its objects.
      const line = { level, time, event, fields: redactor.redactFields(fields) };
      if (place === undefined) keep(line);
      else write(line, place);
    } catch {
      // The log must never be the reason that something else fails.
    }
  };

  const keep = (line: Line): void => {
    kept.push(line);
    if (kept.length > MAX_KEPT) kept.shift();
  };

  const write = (line: Line, { directory }: LogPlace): void => {
    if (isBroken) return;
    if (fd === undefined) {
      isBroken = true;
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const path = join(directory, fileName(line.time));
      fd = openSync(path, "a", 0o600);
      file = path;
      isBroken = false;
    }
    writeSync(fd, render(line, redactor));
  };

  return {
    debug: (event, fields) => add("debug", event, fields),
    info: (event, fields) => add("info", event, fields),
    warn: (event, fields) => add("warn", event, fields),
    error: (event, fields) => add("error", event, fields),
    open(newPlace) {
      try {
        if (fd !== undefined) closeSync(fd);
      } catch {
        // A file that cannot be closed is lost; the next one is what matters.
      }
      [fd, file, isBroken, place] = [undefined, undefined, false, newPlace];
      const lines = kept;
      kept = [];
      for (const line of lines.filter(({ level }) => isWanted(level, newPlace))) {
        try {
          write(line, newPlace);
        } catch {
          // As in `add`.
        }
      }
    },
    get file() {
      return file;
    },
    addSecret: (value) => redactor.addSecret(value),
  };
}

function isWanted(level: LogLevel, place: LogPlace): boolean {
  return RANK[level] >= RANK[place.level ?? "info"];
}

/** One file for each process and the day it began to write: no two processes share one. */
function fileName(time: number): string {
  return `omp.${new Date(time).toISOString().slice(0, 10)}.${process.pid}.log`;
}

/** Fields are redacted once more: a secret may have become known after the line was kept. */
function render({ level, time, event, fields }: Line, redactor: Redactor): string {
  const head = { time: new Date(time).toISOString(), level, event: redactor.redactText(event) };
  return `${JSON.stringify({ ...head, ...redactor.redactFields(fields), ...head })}\n`;
}
