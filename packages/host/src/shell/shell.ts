/** Commands of a shell: one fresh shell for each, its output as a bounded window. */

import { systemClock, type Clock } from "@omp/std";
import { createOutputWindow, type OutputSummary } from "../output/output-window.ts";
import type { ProcessEnd } from "../process/child.ts";
import type { Processes } from "../process/processes.ts";
import { createProgress } from "./progress.ts";

export interface ShellOptions {
  readonly processes: Processes;
  /** The whole environment of commands; see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Otherwise bash where there is one, else sh. */
  readonly shellPath?: string;
  readonly clock?: Clock;
}

export interface ShellRunOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** On top of the shell's environment, for this command only. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gets the newest part of the output while the command runs, at most ten times a second. */
  onOutput?(newest: string): void;
}

export interface ShellResult {
  readonly output: OutputSummary;
  readonly end: ProcessEnd;
}

export interface Shell {
  /** @throws HostError "failed-to-start" */
  run(command: string, options: ShellRunOptions): Promise<ShellResult>;
}

const PROGRESS_MS = 100;
const PROGRESS_LENGTH = 4096;

export function createShell(options: ShellOptions): Shell {
  const { processes, environment, clock = systemClock } = options;
  let shellPath = options.shellPath;

  return {
    async run(command, { cwd, signal, timeoutMs, env, onOutput }) {
      const window = createOutputWindow();
      if (signal?.aborted) return { output: window.finish(), end: { kind: "aborted" } };
      const progress =
        onOutput &&
        createProgress(clock, PROGRESS_MS, () => onOutput(window.newest(PROGRESS_LENGTH)));
      const onBytes = (bytes: Uint8Array): void => {
        window.push(bytes);
        progress?.touch();
      };
      const child = processes.spawn({
        command: [(shellPath ??= findShell(environment["PATH"])), "-c", inOneStream(command)],
        cwd,
        env: env ? { ...environment, ...env } : environment,
        owner: "shell",
        ...(signal ? { signal } : {}),
        ...(timeoutMs === undefined ? {} : { deadlineMs: timeoutMs }),
        onStdout: onBytes,
        onStderr: onBytes,
      });
      try {
        const end = await child.ended;
        return { output: window.finish(), end };
      } finally {
        progress?.stop();
      }
    },
  };
}

/**
 * Two pipes lose the order in which a command wrote to them, one pipe keeps it. The prefix stands on the
 * command's first line, so that the shell's messages count lines as the command's author does.
 */
function inOneStream(command: string): string {
  return `exec 2>&1; ${command}`;
}

function findShell(path: string | undefined): string {
  const where = path === undefined ? {} : { PATH: path };
  return Bun.which("bash", where) ?? Bun.which("sh", where) ?? "/bin/sh";
}
