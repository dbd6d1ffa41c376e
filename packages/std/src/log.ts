/** The program's own log: JSON lines in a file that only the owner can read. The one singleton of the house. */

import { systemClock } from "./clock.ts";
import { createRedactor, type Redactor } from "./redact.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

/** Where lines go. `logFile` makes one; it is apart because a program that logs nothing needs no files. */
export interface LogTarget {
  /** Lines below it are not written. */
  readonly level: LogLevel;
  /** The file, as soon as something was written to it. */
  readonly file: string | undefined;
  now(): number;
  /** May throw: the log then goes on without the line. */
  write(line: string, time: number): void;
  close(): void;
}

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Says where lines go, and writes those that were kept until now. Nothing is created before there is a line. */
  open(target: LogTarget): void;
  /** The file, as soon as something was written to it. */
  readonly file: string | undefined;
  /** From now on this value never reaches the log. */
  addSecret(value: string): void;
  /** The text without every secret known by now: what leaves the machine is held to the same measure. */
  redactText(text: string): string;
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
  let target: LogTarget | undefined;

  const add = (level: LogLevel, event: string, fields: LogFields = {}): void => {
    if (target !== undefined && !isWanted(level, target)) return;
    withoutHarm(() => {
      const time = target ? target.now() : systemClock.now();
      // Redacting makes a copy, so the caller may go on changing its objects.
      const line = { level, time, event, fields: redactor.redactFields(fields) };
      if (target) target.write(render(line, redactor), time);
      else keep(line);
    });
  };

  const keep = (line: Line): void => {
    kept.push(line);
    if (kept.length > MAX_KEPT) kept.shift();
  };

  return {
    debug: (event, fields) => add("debug", event, fields),
    info: (event, fields) => add("info", event, fields),
    warn: (event, fields) => add("warn", event, fields),
    error: (event, fields) => add("error", event, fields),
    open(newTarget) {
      withoutHarm(() => target?.close());
      target = newTarget;
      const lines = kept.filter(({ level }) => isWanted(level, newTarget));
      kept = [];
      for (const line of lines) {
        withoutHarm(() => newTarget.write(render(line, redactor), line.time));
      }
    },
    get file() {
      return target?.file;
    },
    addSecret: (value) => redactor.addSecret(value),
    redactText: (text) => redactor.redactText(text),
  };
}

/** The log must never be the reason that something else fails. */
function withoutHarm(action: () => void): void {
  try {
    action();
  } catch {
    // There is nobody left to tell.
  }
}

function isWanted(level: LogLevel, target: LogTarget): boolean {
  return RANK[level] >= RANK[target.level];
}

/** Fields are redacted once more: a secret may have become known after the line was kept. */
function render({ level, time, event, fields }: Line, redactor: Redactor): string {
  const head = { time: new Date(time).toISOString(), level, event: redactor.redactText(event) };
  return `${JSON.stringify({ ...head, ...redactor.redactFields(fields), ...head })}\n`;
}
