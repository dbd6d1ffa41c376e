/** Drives the built binary as a person or a script would. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { ignore } from "@omp/std";
import { Capture } from "./capture.ts";
import { cleanEnvironment, type Variables } from "./environment.ts";
import { killGroup } from "./process-group.ts";

export interface OmpOptions {
  readonly cwd: string;
  readonly home: string;
  /** The only variables besides PATH, HOME, TMPDIR and LANG. */
  readonly env?: Variables;
  /** Written to standard input, which is then closed. Without it `runOmp` gives an empty input. */
  readonly stdin?: string | Uint8Array;
  /** After this the process and its group are killed. Default 20 s. */
  readonly timeoutMs?: number;
  /** Default: OMP_BINARY, or dist/omp of the project. */
  readonly binary?: string;
}

export interface OmpResult {
  readonly stdout: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** Some descendant still held the output when the process had ended. */
  readonly outputHeldOpen: boolean;
}

export interface OmpProcess extends AsyncDisposable {
  readonly pid: number;
  /** What has come so far. */
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<OmpResult>;
  writeStdin(text: string | Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
  kill(signal?: NodeJS.Signals): void;
  /** Resolves when standard output contains the text or passes the test. */
  waitForStdout(wanted: string | ((stdout: string) => boolean), timeoutMs?: number): Promise<void>;
}

const TIMEOUT_MS = 20_000;
/** A pipe that is still open this long after the process has ended is held by somebody else. */
const HELD_OPEN_MS = 1_000;

/** Runs to the end. Rejects, with what was printed, when it takes too long. */
export async function runOmp(args: readonly string[], options: OmpOptions): Promise<OmpResult> {
  await using omp = startOmp(args, { stdin: "", ...options });
  const result = await omp.ended;
  if (!result.timedOut) return result;
  const { timeoutMs = TIMEOUT_MS } = options;
  const printed = `stdout:\n${result.stdout}\nstderr:\n${result.stderr}`;
  throw new Error(`omp ${args.join(" ")} did not end within ${timeoutMs} ms\n${printed}`);
}

export function startOmp(args: readonly string[], options: OmpOptions): OmpProcess {
  const child = spawn(args, options);
  const output = new Capture(child.stdout);
  const errors = new Capture(child.stderr);
  const ended = endOf(child, output, errors, options.timeoutMs ?? TIMEOUT_MS);
  const omp: OmpProcess = {
    pid: child.pid,
    get stdout() {
      return output.text;
    },
    get stderr() {
      return errors.text;
    },
    ended,
    async writeStdin(text) {
      await child.stdin.write(text);
      await child.stdin.flush();
    },
    async closeStdin() {
      await child.stdin.end();
    },
    kill: (signal = "SIGTERM") => child.kill(signal),
    waitForStdout: (wanted, timeoutMs = TIMEOUT_MS) => output.waitFor(wanted, timeoutMs),
    async [Symbol.asyncDispose]() {
      killGroup(child.pid);
      await ended;
    },
  };
  if (options.stdin !== undefined) void feed(omp, options.stdin);
  return omp;
}

type Child = Bun.Subprocess<"pipe", "pipe", "pipe">;

function spawn(args: readonly string[], { binary, cwd, home, env }: OmpOptions): Child {
  return Bun.spawn([binary ?? findBinary(), ...args], {
    cwd,
    env: cleanEnvironment(home, env),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    // Its own group, so that a timeout can end what it started too.
    detached: true,
  });
}

async function endOf(
  child: Child,
  output: Capture,
  errors: Capture,
  timeoutMs: number,
): Promise<OmpResult> {
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, timeoutMs);
  await child.exited;
  clearTimeout(timer);
  const pipes = await Promise.all([output, errors].map((pipe) => pipe.finish(HELD_OPEN_MS)));
  const { exitCode, signalCode } = child;
  return {
    stdout: output.text,
    stdoutBytes: output.bytes(),
    stderr: errors.text,
    exitCode: signalCode === null ? exitCode : null,
    signal: typeof signalCode === "string" ? signalCode : null,
    timedOut,
    outputHeldOpen: pipes.includes("held open"),
  };
}

function findBinary(): string {
  const binary = process.env.OMP_BINARY ?? join(import.meta.dir, "../../../dist/omp");
  if (existsSync(binary)) return binary;
  throw new Error(`There is no binary at ${binary}: run npm run build`);
}

async function feed(omp: OmpProcess, text: string | Uint8Array): Promise<void> {
  try {
    if (text.length > 0) await omp.writeStdin(text);
    await omp.closeStdin();
  } catch (error) {
    ignore(error, "a program may end without reading its input");
  }
}
