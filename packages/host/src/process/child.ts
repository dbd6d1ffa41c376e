/** One child process with its group: started, read, ended in time, and never waited for in vain. */

import { ignore, messageOf, sleep, type Clock } from "@omp/std";
import { HostError } from "../errors.ts";
import { isGroupAlive, signalGroup, signalOrphans } from "./group.ts";

export interface SpawnRequest {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing of ours is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Who asked for it, for the log. */
  readonly owner: string;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** What the child can read. Nothing unless given. */
  readonly stdin?: string | Uint8Array;
  /** Output without a listener goes nowhere. A listener that is waited for gets no more meanwhile. */
  onStdout?(bytes: Uint8Array): Promise<void> | void;
  onStderr?(bytes: Uint8Array): Promise<void> | void;
}

export type ProcessEnd =
  | {
      readonly kind: "exited";
      readonly code: number;
      /** The child left others behind that held its output open; they were killed. */
      readonly leftoversKilled?: true;
    }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "deadline" }
  | { readonly kind: "aborted" };

export interface ChildProcess {
  readonly pid: number;
  readonly owner: string;
  /** When the child is gone and its output was delivered. Rejects only if a listener threw. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks the group to end, then makes it. Resolves when it has ended. */
  kill(): Promise<void>;
}

export interface ChildTiming {
  readonly clock: Clock;
  /** Between the polite signal and the one that cannot be refused. */
  readonly killGraceMs: number;
  /** How long output may still come from others after the child itself has ended. */
  readonly drainGraceMs: number;
}

const POLL_MS = 10;

/** @throws the signal's reason when it has aborted already, HostError when the program cannot be started */
export function startChild(request: SpawnRequest, timing: ChildTiming): ChildProcess {
  request.signal?.throwIfAborted();
  const child = spawnGroup(request);
  const { pid } = child;
  const { clock, killGraceMs, drainGraceMs } = timing;
  let isDone = false;
  let stopped: "deadline" | "aborted" | undefined;
  let killing: Promise<void> | undefined;

  const outputs = [
    openOutput(child.stdout, request.onStdout),
    openOutput(child.stderr, request.onStderr),
  ];
  const drained = Promise.all(outputs.map((output) => output.drained));
  // A listener that throws must not leave the child behind; `ended` tells the caller.
  drained.catch(() => signalGroup(pid, "SIGKILL"));

  const kill = () => (isDone ? Promise.resolve() : (killing ??= endGroup()));
  const stop = (why: "deadline" | "aborted") => {
    if (isDone || stopped) return;
    stopped = why;
    kill().catch((error) => ignore(error, "told by `ended`"));
  };
  const onAbort = () => stop("aborted");

  async function endGroup(): Promise<void> {
    signalGroup(pid, "SIGTERM");
    for (let waited = 0; waited < killGraceMs && isGroupAlive(pid); waited += POLL_MS) {
      await sleep(clock, POLL_MS);
    }
    if (child.exitCode === null && child.signalCode === null) signalGroup(pid, "SIGKILL");
    else signalOrphans(pid, "SIGKILL");
    await child.exited;
  }

  /** A grandchild may hold the pipe open. It gets a moment, then its group ends, then we stop listening. */
  async function settle(): Promise<ProcessEnd> {
    try {
      await child.exited;
      await killing;
      const isHeldOpen = !(await isSettled(drained, drainGraceMs));
      if (isHeldOpen) {
        signalOrphans(pid, "SIGKILL");
        if (!(await isSettled(drained, drainGraceMs))) for (const { cancel } of outputs) cancel();
      }
      await drained;
      if (stopped !== undefined) return { kind: stopped };
      if (child.signalCode !== null) return { kind: "signalled", signal: String(child.signalCode) };
      const end = { kind: "exited", code: child.exitCode ?? 0 } as const;
      return isHeldOpen ? { ...end, leftoversKilled: true } : end;
    } finally {
      isDone = true;
      callOffDeadline();
      request.signal?.removeEventListener("abort", onAbort);
    }
  }

  async function isSettled(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
    const tooLate = Promise.withResolvers<boolean>();
    const callOff = clock.after(withinMs, () => tooLate.resolve(false));
    try {
      return await Promise.race([promise.then(() => true), tooLate.promise]);
    } finally {
      callOff();
    }
  }

  request.signal?.addEventListener("abort", onAbort);
  const callOffDeadline =
    request.deadlineMs === undefined
      ? () => {}
      : clock.after(request.deadlineMs, () => stop("deadline"));
  return { pid, owner: request.owner, ended: settle(), kill };
}

function spawnGroup({ command, cwd, env, stdin, onStdout, onStderr }: SpawnRequest) {
  try {
    return Bun.spawn([...command], {
      cwd,
      env,
      stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
      stdout: onStdout ? "pipe" : "ignore",
      stderr: onStderr ? "pipe" : "ignore",
      // Its own group, so that one signal reaches everything it starts.
      detached: true,
    });
  } catch (error) {
    const message = `${command[0]} cannot be started in ${cwd}: ${messageOf(error)}`;
    throw new HostError("failed-to-start", message, { cause: error });
  }
}

/** Reads a pipe to its end. */
function openOutput(
  stream: ReadableStream<Uint8Array> | undefined,
  onBytes: ((bytes: Uint8Array) => Promise<void> | void) | undefined,
): { drained: Promise<void>; cancel(): void } {
  if (stream === undefined || onBytes === undefined)
    return { drained: Promise.resolve(), cancel() {} };
  const reader = stream.getReader();
  const drain = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const isTaken = onBytes(value);
      if (isTaken) await isTaken;
    }
  };
  const cancel = () =>
    void reader.cancel().catch((error) => ignore(error, "nobody listens any more"));
  return { drained: drain(), cancel };
}
