/** Commands and code that the person runs by `!` and `$`, kept in the session for the model to see. */

import {
  createOutputSink,
  HostError,
  spillInto,
  type SpillPlace,
  type Processes,
  type Shell,
} from "@omp/host";
import type { ForeignMessage } from "@omp/session";
import { UserError, type Clock } from "@omp/std";
import type { ExecutionFields, ExecutionResult } from "../protocol/commands/run.ts";

export interface ExecuteDeps {
  readonly shell: Shell;
  readonly processes: Pick<Processes, "spawn">;
  /** Of child processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Where outputs go that are too long to show. */
  readonly artifacts: SpillPlace;
}

type Ran = Awaited<ReturnType<Shell["run"]>>;

export async function execute(
  { text, language, isExcluded = false }: ExecutionFields,
  cwd: string,
  deps: ExecuteDeps,
  signal: AbortSignal,
): Promise<{ readonly result: ExecutionResult; readonly message: ForeignMessage }> {
  const ran =
    language === "bash"
      ? await deps.shell.run(text, { cwd, signal, openSpill: spillInto(deps.artifacts, "bash") })
      : await runPython(text, cwd, deps, signal);
  const result = resultOf(ran);
  const source =
    language === "bash"
      ? ({ role: "bashExecution", command: text } as const)
      : ({ role: "pythonExecution", code: text } as const);
  const message = {
    ...source,
    ...result,
    ...(isExcluded && { excludeFromContext: true }),
    timestamp: deps.clock.now(),
  };
  return { result, message };
}

function resultOf({ output, end }: Ran): ExecutionResult {
  return {
    output: output.output,
    exitCode: end.kind === "exited" ? end.code : undefined,
    cancelled: end.kind === "aborted",
    truncated: output.truncated,
    ...(output.artifactId !== undefined && { artifactId: output.artifactId }),
  };
}

/** One fresh interpreter for each; what it prints comes in the order it was printed. */
async function runPython(
  code: string,
  cwd: string,
  { processes, environment, artifacts }: ExecuteDeps,
  signal: AbortSignal,
): Promise<Ran> {
  const sink = createOutputSink({ openSpill: spillInto(artifacts, "python") });
  const onBytes = (bytes: Uint8Array) => sink.push(bytes);
  try {
    const child = processes.spawn({
      command: [programOf(environment["PATH"]), "-u", "-c", code],
      cwd,
      env: environment,
      owner: "python",
      signal,
      onStdout: onBytes,
      onStderr: onBytes,
    });
    const end = await child.ended;
    return { output: await sink.finish(), end };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new UserError("unsupported", `Python code cannot be run: ${error.message}`, {
      cause: error,
    });
  }
}

function programOf(path: string | undefined): string {
  const found = Bun.which("python3", path === undefined ? {} : { PATH: path });
  if (found !== null) return found;
  throw new UserError("unsupported", "Python code cannot be run: there is no python3 in the PATH.");
}
