/** The way to child processes and to what tools work with. Both are loaded for the first who needs them. */

import type { Processes } from "@omp/host";
import { lazy, type Clock } from "@omp/std";
import type { ComposedHosts, HostsDeps } from "./compose-hosts.ts";

export interface HostsDoor {
  processes(): Promise<Processes>;
  composed(): Promise<ComposedHosts>;
  /** Ends every child. */
  close(): Promise<void>;
}

export function createHostsDoor(clock: Clock, makeDeps: () => HostsDeps): HostsDoor {
  let opened: Promise<Processes> | undefined;
  let lastResort: (() => void) | undefined;
  const open = async () => {
    const { createProcesses } = await import("./compose-hosts.ts");
    const processes = createProcesses({ clock });
    lastResort = () => processes.killAllSync();
    process.on("exit", lastResort);
    return processes;
  };
  const processes = () => (opened ??= open());
  return {
    processes,
    composed: lazy(async () => {
      const { composeHosts } = await import("./compose-hosts.ts");
      return composeHosts(await processes(), makeDeps());
    }),
    async close() {
      await (await opened)?.[Symbol.asyncDispose]();
      if (lastResort) process.off("exit", lastResort);
    },
  };
}
