/** omp as a child: lines in, lines out, and never left behind. */

import { ignore } from "@omp/std";
// A client is the parent of omp and no part of it, and may run on Node.
// oxlint-disable-next-line no-restricted-imports
import { spawn } from "node:child_process";

export interface ChildOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  onLine(line: string): void;
  /** `because` is a sentence: how it ended, and what it said last. */
  onEnd(because: string): void;
}

export interface Child {
  readonly pid: number | undefined;
  /** What omp said to people so far, the last part of it. */
  readonly stderr: string;
  write(line: string): void;
  /** Lets it end by itself, then makes it. Resolves when it is gone. */
  stop(): Promise<void>;
}

const KEPT_STDERR = 64 * 1024;
/** omp records what was done when its input ends; it is killed only when that takes too long. */
const POLITE_MS = 10_000;

export function startChild({ command, cwd, env, onLine, onEnd }: ChildOptions): Child {
  const [program = "omp", ...args] = command;
  const child = spawn(program, args, { cwd, env: env && { ...env }, stdio: "pipe" });
  const ended = Promise.withResolvers<void>();
  let stderr = "";
  const end = (how: string) => {
    onEnd(stderr.trim() === "" ? how : `${how}: ${stderr.trim()}`);
    ended.resolve();
  };
  child.stdout.on("data", lineReader(onLine));
  child.stderr.on("data", (bytes: Buffer) => {
    stderr = (stderr + bytes.toString()).slice(-KEPT_STDERR);
  });
  child.stdin.on("error", (error) => ignore(error, "the end of the process tells it"));
  child.on("error", (error) => end(`omp cannot be started (${error.message})`));
  child.on("close", (code, signal) => end(`omp ended with ${signal ?? `exit code ${code}`}`));
  return {
    pid: child.pid,
    get stderr() {
      return stderr;
    },
    write: (line) => void child.stdin.write(line),
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), POLITE_MS);
      await ended.promise;
      clearTimeout(timer);
    },
  };
}

/** Splits on `\n` only: other line ends may stand inside a JSON string. */
function lineReader(onLine: (line: string) => void): (bytes: Buffer) => void {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  return (bytes) => {
    const [head = "", ...rest] = decoder.decode(bytes, { stream: true }).split("\n");
    parts.push(head);
    for (const next of rest) {
      onLine(parts.join(""));
      parts = [next];
    }
  };
}
