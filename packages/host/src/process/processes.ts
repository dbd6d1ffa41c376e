/** The only place that starts programs. It knows every child, and lets none outlive it. */

import { ignore, log, type Clock } from "@omp/std";
import { startChild, type ChildProcess, type SpawnRequest } from "./child.ts";
import { isGroupAlive, signalGroup, signalOrphans } from "./group.ts";

export interface ProcessesOptions {
  readonly clock: Clock;
  readonly killGraceMs?: number;
  readonly drainGraceMs?: number;
}

/** Disposing it ends every child. */
export interface Processes extends AsyncDisposable {
  /** @throws HostError "failed-to-start"; the signal's reason when it has aborted already */
  spawn(request: SpawnRequest): ChildProcess;
  /** The last resort, for an `exit` handler: what is left is killed without waiting. */
  killAllSync(): void;
}

export function createProcesses({
  clock,
  killGraceMs = 300,
  drainGraceMs = 250,
}: ProcessesOptions): Processes {
  const running = new Map<number, ChildProcess>();
  /** Leaders that ended while others of their group live on, as `server > log &` does. */
  const orphaned = new Set<number>();

  const forget = ({ pid }: ChildProcess): void => {
    running.delete(pid);
    if (isGroupAlive(pid)) orphaned.add(pid);
  };

  const killOrphans = (): void => {
    for (const leader of orphaned) signalOrphans(leader, "SIGKILL");
    orphaned.clear();
  };

  return {
    spawn(request) {
      const child = startChild(request, { clock, killGraceMs, drainGraceMs });
      log.debug("process-started", { pid: child.pid, owner: request.owner });
      running.set(child.pid, child);
      // The number may be taken again from now on: no group of that name is an old one of ours.
      orphaned.delete(child.pid);
      child.ended.then(
        () => forget(child),
        (error) => {
          ignore(error, "the caller of spawn hears it");
          forget(child);
        },
      );
      return child;
    },
    killAllSync() {
      for (const pid of running.keys()) signalGroup(pid, "SIGKILL");
      killOrphans();
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([...running.values()].map((child) => child.kill()));
      killOrphans();
    },
  };
}
