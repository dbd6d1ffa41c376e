/** Opens a session for somebody who wants to go on in it, and says what is wrong with it. */

import type { UiNotice } from "@omp/agent";
import { readOnlyError, type SessionLog } from "@omp/session";

export interface GoOnParts {
  open(): Promise<SessionLog>;
  /** A copy of it, open. */
  fork(log: SessionLog): Promise<SessionLog>;
  tell(notice: UiNotice): void;
}

/**
 * One that another process writes is copied: to refuse would leave the person with nothing, to write
 * would mix two conversations.
 */
export async function openToGoOn(
  path: string,
  { open, fork, tell }: GoOnParts,
): Promise<SessionLog> {
  const log = await open();
  tellProblems(log, path, tell);
  if (log.access.kind === "write") return log;
  if (log.access.because !== "locked") {
    tell({ level: "warning", text: readOnlyError(path, log.access).message });
    return log;
  }
  const { owner } = log.access;
  try {
    const copy = await fork(log);
    const who = owner ? `Process ${owner.pid}` : "Another process";
    const text = `${who} has ${path} open; going on in a fork: ${copy.path}`;
    tell({ level: "warning", text });
    return copy;
  } finally {
    await log.close();
  }
}

function tellProblems({ problems }: SessionLog, path: string, tell: GoOnParts["tell"]): void {
  if (problems.length === 0) return;
  const count = problems.length === 1 ? "1 damaged line" : `${problems.length} damaged lines`;
  const text = `${path} has ${count}; the rest is here. omp sessions fsck tells more.`;
  tell({ level: "warning", text });
}
