/** Commands of a shell: one fresh shell for each, its output bounded. */

import { systemClock, type Clock } from "@omp/std";
import {
  createOutputSink,
  type OutputLimits,
  type OutputSink,
  type OutputSummary,
} from "../output/output-sink.ts";
import type { Spill } from "../output/spill.ts";
import { createTextThrottle } from "../output/throttle.ts";
import type { ProcessEnd } from "../process/child.ts";
import type { Processes } from "../process/processes.ts";
import { withLogin, type LoginOptions, type Variables } from "./login.ts";
import { createProgress } from "./progress.ts";

export interface ShellOptions {
  readonly processes: Processes;
  /** The whole environment of commands; see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Otherwise bash where there is one, else sh. */
  readonly shellPath?: string;
  /** Stands before every command. */
  readonly prefix?: string;
  /** Commands have what the person's profile adds, but for the names that are withheld. */
  readonly login?: Pick<LoginOptions, "withhold">;
  /** For those who give commands a time limit: no limit may be longer. */
  readonly maxTimeoutMs?: number;
  /** How much of an output is kept for the model. */
  readonly limits?: Partial<OutputLimits>;
  /** Whether SIXEL pictures may pass. */
  readonly passesSixel?: boolean;
  readonly clock?: Clock;
  /** After every command: it may have changed any file. */
  afterRun?(): void;
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
  /** Gets all of the output, clean, at most ten times a second unless it is a flood. */
  onText?(text: string): void;
  /** Where an output goes of which something is cut. Must not reject. */
  openSpill?(): Promise<Spill | undefined>;
}

export interface ShellResult {
  readonly output: OutputSummary;
  readonly end: ProcessEnd;
}

export interface Shell {
  /** The longest time limit that the person allows. */
  readonly maxTimeoutMs: number;
  /** @throws HostError "failed-to-start" */
  run(command: string, options: ShellRunOptions): Promise<ShellResult>;
}

const PROGRESS_MS = 100;
const PROGRESS_BYTES = 4096;

export function createShell(options: ShellOptions): Shell {
  const { processes, environment, clock = systemClock } = options;
  let shellPath = options.shellPath;
  const program = () => (shellPath ??= findShell(environment["PATH"]));
  let variables = options.login ? undefined : environment;
  let login: Promise<Variables> | undefined;

  return {
    maxTimeoutMs: options.maxTimeoutMs ?? Infinity,
    async run(command, run) {
      const { cwd, signal, timeoutMs, env } = run;
      const { sink, onBytes, stop } = listen(run);
      if (!variables) await logIn(signal);
      if (signal?.aborted) return { output: await sink.finish(), end: { kind: "aborted" } };
      try {
        const child = processes.spawn({
          command: [program(), "-c", inOneStream(command, options.prefix)],
          cwd,
          env: { ...variables, ...env },
          owner: "shell",
          ...(signal ? { signal } : {}),
          ...(timeoutMs === undefined ? {} : { deadlineMs: timeoutMs }),
          onStdout: onBytes,
          onStderr: onBytes,
        });
        const end = await child.ended;
        return { output: await sink.finish(), end };
      } catch (error) {
        // A spill must not stay open.
        await sink.finish();
        throw error;
      } finally {
        stop();
        options.afterRun?.();
      }
    },
  };

  /** With the first command. It outlives an abort: the next command wants it, too. */
  async function logIn(signal: AbortSignal | undefined): Promise<void> {
    const { withhold = () => false } = options.login ?? {};
    login ??= withLogin({ processes, shellPath: program(), environment, withhold });
    const done = login.then((told) => void (variables = told));
    await (signal ? Promise.race([done, aborted(signal)]) : done);
  }

  function listen({ onOutput, onText, openSpill }: ShellRunOptions): Listening {
    const throttle = onText && createTextThrottle(clock, PROGRESS_MS, onText);
    const sink = createOutputSink({
      ...(options.limits ? { limits: options.limits } : {}),
      ...(options.passesSixel === undefined ? {} : { passesSixel: options.passesSixel }),
      ...(openSpill ? { openSpill } : {}),
      ...(throttle ? { onText: throttle.push } : {}),
    });
    const tell = () => onOutput?.(sink.newest(PROGRESS_BYTES));
    const progress = onOutput && createProgress(clock, PROGRESS_MS, tell);
    return {
      sink,
      onBytes(bytes) {
        const pushed = sink.push(bytes);
        progress?.touch();
        return pushed;
      },
      stop() {
        progress?.stop();
        throttle?.end();
      },
    };
  }
}

interface Listening {
  readonly sink: OutputSink;
  onBytes(bytes: Uint8Array): Promise<void> | undefined;
  stop(): void;
}

/**
 * Two pipes lose the order in which a command wrote to them, one pipe keeps it. The prefix stands on the
 * command's first line, so that the shell's messages count lines as the command's author does.
 */
function inOneStream(command: string, prefix = ""): string {
  return `exec 2>&1; ${prefix && `${prefix} `}${command}`;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

function findShell(path: string | undefined): string {
  const where = path === undefined ? {} : { PATH: path };
  return Bun.which("bash", where) ?? Bun.which("sh", where) ?? "/bin/sh";
}
