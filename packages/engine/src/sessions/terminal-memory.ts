/** The session that this terminal had last: known to the next run here, of no weight otherwise. */

import {
  readBreadcrumb,
  terminalDevice,
  terminalId,
  writeBreadcrumb,
  type Breadcrumb,
  type SessionLog,
} from "@omp/session";
import { join } from "node:path";
import type { EventHub } from "../engine.ts";
import type { Environment, Paths } from "../paths.ts";

export interface TerminalMemory {
  last(): Breadcrumb | undefined;
  remember(crumb: Breadcrumb): Promise<void>;
}

export function createTerminalMemory(paths: Paths, environment: Environment): TerminalMemory {
  const folder = join(paths.agent, "terminal-sessions");
  const terminal = () => terminalId(terminalDevice(), environment);
  return {
    last() {
      const id = terminal();
      return id === undefined ? undefined : readBreadcrumb(folder, id);
    },
    async remember(crumb) {
      const id = terminal();
      if (id !== undefined) await writeBreadcrumb(folder, id, crumb);
    },
  };
}

/** Keeps up with the engine as it goes from session to session. */
export function followSessions(
  memory: TerminalMemory,
  hub: Pick<EventHub, "subscribe">,
  log: () => Pick<SessionLog, "path" | "header">,
): void {
  hub.subscribe((event) => {
    if (event.type !== "session_switch" && event.type !== "session_branch") return;
    const { path, header } = log();
    if (path === undefined) return;
    const isFresh = event.type === "session_switch" && event.reason === "new";
    void memory.remember({ cwd: header.cwd, sessionFile: path, isFresh }); // It never rejects.
  });
}
